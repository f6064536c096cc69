@main struct Storetool { static func main() {} }
