import StoreDiagnostics

extension GitRepository {
  /// The path by which Git knows the file that the user means, from the top of the work tree.
  ///
  /// Git compares names byte by byte. A file system such as APFS takes several spellings for one file, and a path may lead
  /// through symbolic links.
  ///
  /// - Parameter known: paths from the top of the work tree.
  /// - Returns: the user's spelling where none of the known paths is that file, or in that folder.
  /// - Throws: `GitError`, `outside` for a file outside of the work tree.
  func path(fromTop path: FilePath, among known: [FilePath]) throws(GitError) -> FilePath {
    let written: FilePath
    do {
      written = try self.path(fromTop: path)
    } catch {
      guard case .outside = error, let followed = followedPath(fromTop: path) else { throw error }
      return try spelling(of: followed, among: known) ?? followed
    }
    if let found = try spelling(of: written, among: known) { return found }
    guard let followed = followedPath(fromTop: path) else { return written }
    return try spelling(of: followed, among: known) ?? written
  }

  /// The path from the top of the work tree, with links followed as far as the path exists; nil outside of the tree.
  private func followedPath(fromTop path: FilePath) -> FilePath? {
    guard let top, let root = FileIdentity(of: top) else { return nil }
    let count = path.components.count
    let existing = (0...count).reversed().first { path.prefix($0).orHere.kind != nil } ?? 0
    let missing = path.components[existing...]
    guard !missing.contains(".."),
      let part = path.prefix(existing).orHere.resolved?.part(below: root)
    else { return nil }
    return FilePath(joining: part.components + missing.filter { $0 != "." })
  }

  /// The spelling that the known paths have; nil when none of them is the file, or in the folder.
  private func spelling(
    of path: FilePath, among known: [FilePath]
  ) throws(GitError) -> FilePath? {
    if path.isEmpty || known.contains(where: { $0.isPart(of: path) }) { return path }
    let ignoresCase = try ignoresCase
    var spelled: FilePath = ""
    var rest = known.map { $0.components[...] }
    for name in path.components {
      let names = Set(rest.compactMap(\.first))
      let found =
        names.contains(name)
        ? name
        : names.sorted().first { other in
          guard let file = identity(spelled.appending(name)) else {
            return ignoresCase && other.isRespelling(of: name)
          }
          return identity(spelled.appending(other)) == file
        }
      guard let found else { return nil }
      spelled = spelled.appending(found)
      rest = rest.filter { $0.first == found }.map { $0.dropFirst() }
    }
    return spelled
  }

  /// Nil for a path that the work tree doesn't have.
  private func identity(_ path: FilePath) -> FileIdentity? {
    top.flatMap { FileIdentity(of: $0.appending(path)) }
  }

  /// Whether the file system of the work tree took upper and lower case for the same when the repository was created.
  private var ignoresCase: Bool {
    get throws(GitError) {
      let found = try Self.git(["config", "--type=bool", "--get", "core.ignorecase"])
      return Self.line(found.text) == "true"
    }
  }
}
