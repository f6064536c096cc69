extension LocalPath {
  /// The path in which each name has the spelling that its folder lists.
  ///
  /// A file system can treat several spellings of a name as the same file. APFS does so for differences in case and in
  /// Unicode normalization. A path in another spelling opens the file, but a name that is derived from the path, such
  /// as the name of a model, would depend on the user's spelling. A name in a folder that can't be listed is unchanged.
  package var spelled: LocalPath {
    var path: LocalPath = ""
    for (index, name) in pieces.enumerated() {
      if index > 0 { path = "\(path)/" }
      path = "\(path)\(name.spelled(in: path))"
    }
    return path
  }

  /// The parts between slashes. A leading, trailing or doubled slash results in an empty part.
  private var pieces: [LocalPath] {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { LocalPath(bytes: $0) }
  }

  /// Returns this name as the folder lists it. The name is unchanged if the file doesn't exist or the folder can't be
  /// listed.
  ///
  /// - Parameter folder: the path of the folder with a trailing slash, or the empty path.
  private func spelled(in folder: LocalPath) -> LocalPath {
    guard !["", ".", ".."].contains(self), hasSpellings(in: folder) else { return self }
    let names: [LocalPath]
    do {
      guard try !folder.lists(self) else { return self }
      names = try folder.names()
    } catch {
      return self
    }
    guard let file = identity(in: folder) else { return self }
    return names.first { isRespelling(of: $0) && $0.identity(in: folder) == file } ?? self
  }

  /// Returns whether the file exists and the folder may list it in another spelling. An ASCII name can have another
  /// spelling only if the file is also found with upper and lower case exchanged.
  private func hasSpellings(in folder: LocalPath) -> Bool {
    guard let file = identity(in: folder) else { return false }
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return true }
    let opposite = LocalPath(bytes: bytes.map { isLetter($0) ? $0 ^ 0x20 : $0 })
    return opposite != self && opposite.identity(in: folder) == file
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func identity(in folder: LocalPath) -> FileIdentity? {
    folder.appending(self).status(followsLinks: false)?.identity
  }

  /// Returns whether two names are equal except for case and Unicode normalization.
  package func isRespelling(of name: LocalPath) -> Bool {
    guard let text, let other = name.text else { return self == name }
    // Swift ignores normalization when it compares strings.
    return text.lowercased() == other.lowercased()
  }

  /// Returns the part of the path after a folder, or nil if the path doesn't lead through the folder. The path can
  /// contain the folder as a link or in another spelling.
  package func part(below folder: FileIdentity) -> LocalPath? {
    let parts = components
    // Longest prefix first, because a later component can be a link that leads back to the folder.
    let count = (0...parts.count).reversed()
      .first { FileIdentity(of: prefix($0).orHere) == folder }
    return count.map { LocalPath(joining: parts[$0...]) }
  }

  /// Returns the path that consists of the first `count` components.
  package func prefix(_ count: Int) -> LocalPath {
    components.prefix(count).reduce(isAbsolute ? "/" : "") { $0.appending($1) }
  }
}
