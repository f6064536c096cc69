import StoreDiagnostics

/// The repository of the working directory. It is accessed by Git's command line, so that all of Git's features are
/// supported: `GIT_DIR`, linked work trees, sparse checkouts.
struct GitRepository {
  /// The path of the working directory in the work tree: empty, or `App/Sources/`.
  let prefix: FilePath
  /// The folder of the work tree; nil for a bare repository.
  let top: FilePath?

  /// - Throws: `GitError` if the working directory isn't in a repository.
  init() throws(GitError) {
    let inside = try Self.git(["rev-parse", "--is-inside-work-tree"])
    guard inside.status == 0 else {
      throw .notARepository(reason: Self.reason(inside.errors))
    }
    guard Self.line(inside.text) == "true" else {
      (prefix, top) = ("", nil)
      return
    }
    prefix = Self.path(try Self.succeeding(["rev-parse", "--show-prefix"]))
    top = Self.path(try Self.succeeding(["rev-parse", "--show-toplevel"]))
  }

  /// A file of a revision.
  struct File: Hashable {
    /// The path from the top of the work tree.
    let path: FilePath
    /// The hash of its content.
    let blob: String
  }

  /// Returns the tree of a revision, such as `main`, `HEAD~3` or `v1.2`.
  ///
  /// - Returns: The hash of the tree.
  /// - Throws: `GitError.unknownRevision` with the nearest branch or tag.
  func tree(of revision: String) throws(GitError) -> String {
    guard let tree = try object(revision + "^{tree}") else {
      throw .unknownRevision("\(ArgumentText.path(revision))", known: try names())
    }
    return tree
  }

  /// Returns whether a name is a revision.
  func has(_ revision: String) throws(GitError) -> Bool {
    try object(revision + "^{tree}") != nil
  }

  /// Returns the common ancestor of two revisions; nil if there is none.
  ///
  /// - Throws: `GitError.unknownRevision` if a revision doesn't exist.
  func mergeBase(_ first: String, _ second: String) throws(GitError) -> String? {
    for revision in [first, second] { _ = try tree(of: revision) }
    let found = try Self.git(["merge-base", "--end-of-options", first, second])
    return found.status == 0 ? Self.line(found.text) : nil
  }

  private func object(_ name: String) throws(GitError) -> String? {
    let found = try Self.git(["rev-parse", "--verify", "--quiet", "--end-of-options", name])
    // Before Git 2.30 the option is printed as well.
    return found.status == 0 ? found.text.split(separator: "\n").last.map(String.init) : nil
  }

  /// Returns the names of branches and tags.
  private func names() throws(GitError) -> [String] {
    try Self.output([
      "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes",
    ]).split(separator: "\n").map(String.init)
  }

  /// Returns all regular files of a tree.
  func files(of tree: String) throws(GitError) -> [File] {
    // mode SP type SP name TAB path
    try Self.fields(["ls-tree", "-r", "-z", "--full-tree", tree]).compactMap { entry in
      guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let facts = entry[..<tab].split(separator: UInt8(ascii: " "))
      guard facts.count == 3, facts[0].starts(with: "100".utf8) else { return nil }
      return File(
        path: FilePath(bytes: entry[entry.index(after: tab)...]),
        blob: String(decoding: facts[2], as: UTF8.self))
    }
  }

  /// Returns the paths in the work tree that are tracked or not ignored. Some of these files may not exist.
  func workTreePaths() throws(GitError) -> [FilePath] {
    guard top != nil else { throw .noWorkTree(advice: "specify two revisions: main..HEAD") }
    let found = try Self.fields([
      "ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--", ":/",
    ])
    // A path in conflict is listed for each side.
    return Array(Set(found.map { FilePath(bytes: $0) }))
  }

  func bytes(of blob: String) throws(GitError) -> [UInt8] {
    try Self.succeeding(["cat-file", "blob", blob]).output
  }

  /// Returns the path that the user specifies, relative to the top of the work tree, without changing its spelling.
  ///
  /// - Throws: `GitError.outside` for a path outside of the work tree.
  func path(fromTop path: FilePath) throws(GitError) -> FilePath {
    var parts = prefix.components
    var rest = path
    if path.isAbsolute {
      guard let top, path.isPart(of: top) else {
        throw .outside(path: path, repository: top ?? ".")
      }
      parts = []
      rest = path.dropFirst(top.bytes.count)
    }
    for part in rest.components where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else { throw .outside(path: path, repository: top ?? ".") }
    }
    return FilePath(joining: parts)
  }

  /// Returns the path relative to the working directory.
  func pathFromHere(_ path: FilePath) -> FilePath {
    let (here, there) = (prefix.components, path.components)
    // The last name is kept, even if the path contains the working directory.
    let common = zip(here, there.dropLast()).prefix { $0 == $1 }.count
    return FilePath(joining: here.dropFirst(common).map { _ in ".." } + there.dropFirst(common))
  }
}

extension GitRepository {
  /// - Throws: `GitError.noGit`, or `failed` if it can't be run.
  static func git(_ words: [String]) throws(GitError) -> ProcessResult {
    do {
      // Reading must not update the index.
      return try ProcessResult(of: ["git", "--no-optional-locks"] + words)
    } catch {
      switch error {
      case .notFound: throw .noGit
      case .notStarted(_, let reason): throw .failed(command: words[0], reason: reason)
      }
    }
  }

  /// - Throws: `GitError.failed` if the exit status isn't 0.
  static func succeeding(_ words: [String]) throws(GitError) -> ProcessResult {
    let result = try git(words)
    guard result.status == 0 else {
      throw .failed(command: words[0], reason: reason(result.errors))
    }
    return result
  }

  static func output(_ words: [String]) throws(GitError) -> String {
    try succeeding(words).text
  }

  /// Returns the NUL-separated fields of the output with `-z`.
  private static func fields(_ words: [String]) throws(GitError) -> [ArraySlice<UInt8>] {
    try succeeding(words).output.split(separator: 0)
  }

  /// Returns the path in a line of Git's output.
  static func path(_ result: ProcessResult) -> FilePath {
    let path = FilePath(bytes: result.output)
    return path.hasSuffix("\n") ? path.dropLast() : path
  }

  /// Returns the text without the line end. Spaces are kept, because a name may end with them.
  static func line(_ text: String) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// The version of the program: `[2, 44, 0]`.
  static func version() throws(GitError) -> [Int] {
    let words = try output(["--version"]).split(separator: " ")
    return (words.count > 2 ? words[2] : "").split(separator: ".").compactMap { Int($0) }
  }

  static func reason(_ errors: String) -> String {
    let first = errors.split(separator: "\n").first.map(String.init) ?? "no reason given"
    return first.hasPrefix("fatal: ") ? String(first.dropFirst("fatal: ".count)) : first
  }

  // MARK: Paths

  /// Returns Git's path of the file that the user specifies, relative to the top of the work tree.
  ///
  /// Git compares names byte by byte. A file system such as APFS accepts several spellings of one file, and a path may
  /// contain symbolic links.
  ///
  /// - Parameter known: Paths relative to the top of the work tree.
  /// - Returns: The known path, or the user's spelling if none of the known paths is this file or in this folder.
  /// - Throws: `GitError`, in particular `outside` for a file outside of the work tree.
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

  /// Returns the path from the top of the work tree, with links resolved as far as the path exists; nil outside of the
  /// tree.
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

  /// Returns the spelling in the known paths; nil if none of them is the file or in the folder.
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

  /// Returns the identity of a file; nil if it isn't in the work tree.
  private func identity(_ path: FilePath) -> FileIdentity? {
    top.flatMap { FileIdentity(of: $0.appending(path)) }
  }

  /// Whether the file system of the work tree ignored case when the repository was created.
  private var ignoresCase: Bool {
    get throws(GitError) {
      let found = try Self.git(["config", "--type=bool", "--get", "core.ignorecase"])
      return Self.line(found.text) == "true"
    }
  }
}
