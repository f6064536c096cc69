extension FilePath {
  /// The path with the names that its folders have.
  ///
  /// A file system may take several spellings of a name for the same file. APFS does so for upper and lower case and for
  /// Unicode normalizations. A path in another spelling opens the file, but a name that is derived from the path, such as
  /// the name of a model, would depend on the user's spelling. A name in a folder that can't be listed is unchanged.
  package var spelled: FilePath {
    var path: FilePath = ""
    for (index, name) in pieces.enumerated() {
      if index > 0 { path = "\(path)/" }
      path = "\(path)\(name.spelled(in: path))"
    }
    return path
  }

  /// The parts between slashes, of which those before a first, after a last and between two slashes are empty.
  private var pieces: [FilePath] {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { FilePath(bytes: $0) }
  }

  /// The name of a file as its folder has it; the given one for no such file.
  ///
  /// - Parameter folder: ends with a slash, or is empty.
  private func spelled(in folder: FilePath) -> FilePath {
    guard !["", ".", ".."].contains(self), hasSpellings(in: folder) else { return self }
    let names: [FilePath]
    do {
      guard try !folder.lists(self) else { return self }
      names = try folder.names()
    } catch {
      return self
    }
    guard let file = identity(in: folder) else { return self }
    return names.first { isRespelling(of: $0) && $0.identity(in: folder) == file } ?? self
  }

  /// Whether the folder may have the file under another spelling. A name in ASCII has one if it is found in the opposite
  /// case.
  private func hasSpellings(in folder: FilePath) -> Bool {
    guard let file = identity(in: folder) else { return false }
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return true }
    let opposite = FilePath(bytes: bytes.map { isLetter($0) ? $0 ^ 0x20 : $0 })
    return opposite != self && opposite.identity(in: folder) == file
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }

  private func identity(in folder: FilePath) -> FileIdentity? {
    folder.appending(self).status(followsLinks: false)?.identity
  }

  /// Whether two names differ by case and normalization at most.
  package func isRespelling(of name: FilePath) -> Bool {
    guard let text, let other = name.text else { return self == name }
    // Strings are equal in all normalizations.
    return text.lowercased() == other.lowercased()
  }

  /// The part of the path after a folder, which the path may name by a link or in another spelling; nil when the path
  /// doesn't lead through the folder.
  package func part(below folder: FileIdentity) -> FilePath? {
    let parts = components
    // From the end, as a link may lead back to a folder above.
    let count = (0...parts.count).reversed()
      .first { FileIdentity(of: prefix($0).orHere) == folder }
    return count.map { FilePath(joining: parts[$0...]) }
  }

  /// The path of the first names.
  package func prefix(_ count: Int) -> FilePath {
    components.prefix(count).reduce(isAbsolute ? "/" : "") { $0.appending($1) }
  }
}
