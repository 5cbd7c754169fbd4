@main struct DuoProcess { static func main() {} }
