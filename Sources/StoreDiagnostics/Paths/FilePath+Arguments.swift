extension FilePath {
  /// The arguments of the process with their bytes, without the name of the program.
  ///
  /// `CommandLine.arguments` replaces bytes that aren't UTF-8, so that a path among them names another file.
  package static var arguments: [FilePath] {
    let all = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return all.dropFirst().compactMap { $0.map { FilePath(cString: $0) } }
  }

  /// The program as it was called; nil when the caller passed no name.
  package static var program: FilePath? {
    CommandLine.unsafeArgv[0].map { FilePath(cString: $0) }
  }
}
