#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How other programs call this one.
enum ToolPath {
  /// The name where `PATH` leads to this very file, else the file's path; quoted for a shell.
  static var word: String {
    let (own, files) = (CommandLine.arguments.first ?? Storetool.name, FileManager.default)
    let search = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let found = search.split(separator: ":").map { "\($0)/\(Storetool.name)" }
      .first { files.isExecutableFile(atPath: $0) }
    guard own.contains("/") else { return own.quotedForShell }
    let path = own.hasPrefix("/") ? own : "\(files.currentDirectoryPath)/\(own)"
    if let found,
      URL(filePath: found).resolvingSymlinksInPath().path
        == URL(filePath: path).resolvingSymlinksInPath().path
    {
      return Storetool.name
    }
    return URL(filePath: path).standardizedFileURL.path.quotedForShell
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
