import StoreDiagnostics

/// The repository of the working directory, asked through Git's own command line, so that whatever Git
/// knows holds: `GIT_DIR`, linked work trees, sparse checkouts.
struct GitRepository {
  /// Where the working directory is in the work tree: empty, or `App/Sources/`.
  let prefix: FilePath
  /// The folder of the work tree; nil for a bare repository.
  let top: FilePath?

  /// - Throws: `GitError`
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
    /// From the top of the work tree.
    let path: FilePath
    /// The name of its content.
    let blob: String
  }

  /// What a word names: `main`, `HEAD~3`, `v1.2`.
  ///
  /// - Returns: the name of the tree of files.
  /// - Throws: `GitError.unknownRevision` with the nearest branch or tag.
  func tree(of revision: String) throws(GitError) -> String {
    guard let tree = try object(revision + "^{tree}") else {
      throw .unknownRevision("\(ArgumentText.path(revision))", known: try names())
    }
    return tree
  }

  /// Whether a word names a revision.
  func has(_ revision: String) throws(GitError) -> Bool {
    try object(revision + "^{tree}") != nil
  }

  /// The commit from which two branches have grown; nil where they have none in common.
  ///
  /// - Throws: `GitError.unknownRevision`
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

  /// Branches and tags.
  private func names() throws(GitError) -> [String] {
    try Self.output([
      "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes",
    ]).split(separator: "\n").map(String.init)
  }

  /// All regular files of a tree.
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

  /// The paths of the work tree that are tracked, or not ignored; some may be gone.
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

  /// The path that the user means, from the top of the work tree, as it is written.
  ///
  /// - Throws: `GitError.outside`
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

  /// The same file, seen from the working directory.
  func pathFromHere(_ path: FilePath) -> FilePath {
    let (here, there) = (prefix.components, path.components)
    // Its own name stays, also where the working directory is in it.
    let common = zip(here, there.dropLast()).prefix { $0 == $1 }.count
    return FilePath(joining: here.dropFirst(common).map { _ in ".." } + there.dropFirst(common))
  }
}

extension GitRepository {
  /// - Throws: `GitError.noGit`, or `failed` where it can't be run.
  static func git(_ words: [String]) throws(GitError) -> ProcessResult {
    do {
      // Looking must not write the index, as a refresh would.
      return try ProcessResult(of: ["git", "--no-optional-locks"] + words)
    } catch {
      switch error {
      case .notFound: throw .noGit
      case .notStarted(_, let reason): throw .failed(command: words[0], reason: reason)
      }
    }
  }

  /// - Throws: `GitError.failed` for another status than 0.
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

  /// The fields that `-z` separates.
  private static func fields(_ words: [String]) throws(GitError) -> [ArraySlice<UInt8>] {
    try succeeding(words).output.split(separator: 0)
  }

  /// The path in a line that Git prints.
  static func path(_ result: ProcessResult) -> FilePath {
    let path = FilePath(bytes: result.output)
    return path.hasSuffix("\n") ? path.dropLast() : path
  }

  /// A name may end in blanks, so only the end of the line goes.
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
