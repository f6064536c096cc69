import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How other programs call this one.
enum ToolPath {
  /// The name where `PATH` leads to this very file, else the file's path; quoted for a shell.
  static var word: String {
    let own = FilePath.program ?? FilePath(Storetool.name)
    let search = FilePath(variable: "PATH")?.bytes ?? []
    let found = search.split(separator: UInt8(ascii: ":"))
      .map { FilePath(bytes: $0).appending(FilePath(Storetool.name)) }
      .first { $0.kind == .file && $0.allows(X_OK) }
    guard !own.folder.isEmpty else { return "\(own)".quotedForShell }
    let path = own.isAbsolute ? own : (FilePath.workingDirectory ?? ".").appending(own)
    if let found, found.resolved == path.resolved { return Storetool.name }
    return "\(path.standardized)".quotedForShell
  }
}

extension String {
  /// One word for a shell, whatever it holds.
  var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.properties.isAlphabetic && byte < 128 || (48...57).contains(byte)
          || "-_./+".unicodeScalars.contains(scalar)
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
