import Glibc

/// The three descriptors that a process begins with.
public enum StandardStreams {
  /// Fills the places of standard streams that the caller closed (`<&-`), so that no file opened later takes their
  /// numbers and gets what is meant for them. Reading or writing them fails as it should. Call first of all.
  public static func fillClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The wrong direction on purpose: `EBADF`, as with a closed descriptor.
      let direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      let opened = open("/dev/null", direction)
      if opened >= 0 && opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }
}
