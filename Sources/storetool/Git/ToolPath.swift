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
  static var word: FilePath {
    let own = FilePath.program ?? FilePath(Storetool.name)
    let search = FilePath(variable: "PATH")?.bytes ?? []
    let found = search.split(separator: UInt8(ascii: ":"))
      .map { FilePath(bytes: $0).appending(FilePath(Storetool.name)) }
      .first { $0.kind == .file && $0.allows(X_OK) }
    guard !own.folder.isEmpty else { return own.quotedForShell }
    let path = own.isAbsolute ? own : (FilePath.workingDirectory ?? ".").appending(own)
    let file = FileIdentity(of: path)
    if let found, FileIdentity(of: found) == file { return FilePath(Storetool.name) }
    // Behind a link, '..' is not the folder before it.
    let plain = path.standardized
    return (FileIdentity(of: plain) == file ? plain : path).quotedForShell
  }
}

extension FilePath {
  /// The bytes as one word for a shell, whatever they are.
  var quotedForShell: FilePath {
    let isPlain = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./+".utf8.contains(byte)
      }
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }

  /// The bytes with a text in place of each occurrence of an ASCII character.
  func replacing(_ character: Unicode.Scalar, with text: String) -> FilePath {
    FilePath(bytes: bytes.flatMap { $0 == UInt8(ascii: character) ? Array(text.utf8) : [$0] })
  }
}
