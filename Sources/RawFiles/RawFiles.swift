// RawFiles
