extension FilePath {
  package var isEmpty: Bool { bytes.isEmpty }

  package func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }

  package func hasSuffix(_ text: String) -> Bool {
    bytes.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  package func dropFirst(_ count: Int = 1) -> FilePath { FilePath(bytes: bytes.dropFirst(count)) }

  /// The path without its last bytes.
  package func dropLast(_ count: Int = 1) -> FilePath { FilePath(bytes: bytes.dropLast(count)) }

  /// The part before the last slash, with it; empty for a bare name.
  package var folder: FilePath {
    FilePath(bytes: bytes.lastIndex(of: Self.slash).map { bytes[...$0] } ?? [])
  }

  /// The folder without the slash at its end; empty for a bare name, `/` at the root.
  package var parent: FilePath { folder == "/" ? folder : folder.dropLast() }

  /// The part after the last slash.
  package var name: FilePath { dropFirst(folder.bytes.count) }

  /// The name without its extension: `Todo` for `a/Todo.sqlite`.
  package var base: FilePath {
    let name = name.bytes
    return FilePath(bytes: name.lastIndex(of: Self.dot).map { name[..<$0] } ?? name[...])
  }

  /// The path of something in this folder; the name itself where the folder is the empty path.
  package func appending(_ name: FilePath) -> FilePath {
    isEmpty || hasSuffix("/") ? "\(self)\(name)" : "\(self)/\(name)"
  }

  /// The names in the path, without the slashes.
  package var components: [FilePath] {
    bytes.split(separator: Self.slash).map { FilePath(bytes: $0) }
  }

  /// The names with a slash between each two.
  package init(joining names: some Sequence<FilePath>) {
    self = names.reduce("") { $0.appending($1) }
  }

  /// Whether this is the path of a folder or file, or of something in the folder.
  package func isPart(of path: FilePath) -> Bool { self == path || isBelow(path) }

  /// Whether this is the path of something in a folder, whose own path has no slash at its end.
  package func isBelow(_ folder: FilePath) -> Bool {
    bytes.starts(with: ("\(folder)/" as FilePath).bytes)
  }

  /// An absolute path without `.` and `..`. Links aren't followed.
  package var standardized: FilePath {
    var parts: [FilePath] = []
    for part in components where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.reduce("/") { $0.appending($1) }
  }

  package var isAbsolute: Bool { bytes.first == Self.slash }

  /// The path for calls that take a folder: `.` for the empty path, which names the working directory.
  package var orHere: FilePath { isEmpty ? "." : self }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")
}
