import StoreDiagnostics

/// The repository that contains the working directory. It is accessed by running `git`, so that features such as
/// `GIT_DIR`, linked work trees and sparse checkouts are supported.
struct GitRepository {
  /// The path of the working directory from the top of the work tree, such as `App/Sources/`; empty at the top or
  /// without a work tree.
  let prefix: LocalPath
  /// The top folder of the work tree; nil in a bare repository or in a `.git` folder.
  let top: LocalPath?

  /// - Throws: `GitError.notARepository` if the working directory isn't in a repository that Git accepts, or another
  ///   `GitError` if Git isn't installed or fails.
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
    let path: LocalPath
    /// Git's hash of the content.
    let blob: String
  }

  /// Returns the hash of the tree of a revision, such as `main`, `HEAD~3` or `v1.2`.
  ///
  /// - Throws: `GitError.unknownRevision` with the names of branches and tags, or another `GitError` if Git fails.
  func tree(of revision: String) throws(GitError) -> String {
    guard let tree = try object(revision + "^{tree}") else {
      throw .unknownRevision("\(ArgumentText.path(revision))", known: try names())
    }
    return tree
  }

  /// Returns whether the repository has a revision, such as `main` or `HEAD~3`.
  func has(_ revision: String) throws(GitError) -> Bool {
    try object(revision + "^{tree}") != nil
  }

  /// Returns the hash of the common ancestor of two revisions; nil if there is none.
  ///
  /// - Throws: `GitError.unknownRevision` if a revision doesn't exist, or another `GitError` if Git fails.
  func mergeBase(_ first: String, _ second: String) throws(GitError) -> String? {
    for revision in [first, second] { _ = try tree(of: revision) }
    let found = try Self.git(["merge-base", "--end-of-options", first, second])
    return found.status == 0 ? Self.line(found.text) : nil
  }

  private func object(_ name: String) throws(GitError) -> String? {
    let found = try Self.git(["rev-parse", "--verify", "--quiet", "--end-of-options", name])
    // Before version 2.30, Git prints the option `--end-of-options` on a line before the hash.
    return found.status == 0 ? found.text.split(separator: "\n").last.map(String.init) : nil
  }

  /// Returns the names of local and remote branches, and of tags.
  private func names() throws(GitError) -> [String] {
    try Self.succeeding([
      "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes",
    ]).text.split(separator: "\n").map(String.init)
  }

  /// Returns all regular files of a tree, without symbolic links and submodules.
  func files(of tree: String) throws(GitError) -> [File] {
    // The format of an entry: MODE TYPE HASH TAB PATH
    try Self.fields(["ls-tree", "-r", "-z", "--full-tree", tree]).compactMap { entry in
      guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let columns = entry[..<tab].split(separator: UInt8(ascii: " "))
      guard columns.count == 3, columns[0].starts(with: "100".utf8) else { return nil }
      return File(
        path: LocalPath(bytes: entry[entry.index(after: tab)...]),
        blob: String(decoding: columns[2], as: UTF8.self))
    }
  }

  /// Returns the paths of all tracked files, including files that are deleted in the work tree, and of all other files
  /// that aren't ignored.
  ///
  /// - Throws: `GitError.noWorkTree`, or another `GitError` if Git fails.
  func workTreePaths() throws(GitError) -> [LocalPath] {
    guard top != nil else { throw .noWorkTree(advice: "specify two revisions: main..HEAD") }
    let found = try Self.fields([
      "ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--", ":/",
    ])
    // Git lists a conflicting path up to three times: for the common ancestor and for both sides of the merge.
    return Array(Set(found.map { LocalPath(bytes: $0) }))
  }

  /// Returns the content that has the hash `blob`.
  func bytes(of blob: String) throws(GitError) -> [UInt8] {
    try Self.succeeding(["cat-file", "blob", blob]).output
  }

  /// Returns a path that the user specifies, relative to the top of the work tree. The spelling of the names isn't
  /// changed.
  ///
  /// - Throws: `GitError.outside` for a path outside of the work tree.
  func path(fromTop path: LocalPath) throws(GitError) -> LocalPath {
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
    return LocalPath(joining: parts)
  }

  /// Converts a path from the top of the work tree to a path from the working directory.
  func pathFromHere(_ path: LocalPath) -> LocalPath {
    let (here, there) = (prefix.components, path.components)
    // The last name is always kept: in the folder `App`, the path of this folder is `../App`, not `.`.
    let common = zip(here, there.dropLast()).prefix { $0 == $1 }.count
    return LocalPath(joining: here.dropFirst(common).map { _ in ".." } + there.dropFirst(common))
  }
}

extension GitRepository {
  /// Runs a command of Git. Its exit status isn't checked.
  ///
  /// - Throws: `GitError.noGit` if Git isn't installed, or `failed` if it can't be started.
  static func git(_ words: [String]) throws(GitError) -> ProcessResult {
    do {
      // Without this option, commands that only read may update the index.
      return try ProcessResult(of: ["git", "--no-optional-locks"] + words)
    } catch {
      switch error {
      case .notFound: throw .noGit
      case .notStarted(_, let reason): throw .failed(command: words[0], reason: reason)
      }
    }
  }

  /// Runs a command of Git.
  ///
  /// - Throws: `GitError.failed` if the exit status isn't 0, or an error of `git(_:)`.
  static func succeeding(_ words: [String]) throws(GitError) -> ProcessResult {
    let result = try git(words)
    guard result.status == 0 else {
      throw .failed(command: words[0], reason: reason(result.errors))
    }
    return result
  }

  /// Runs a command with the option `-z`, and returns the fields of its output, which end with NUL.
  private static func fields(_ words: [String]) throws(GitError) -> [ArraySlice<UInt8>] {
    try succeeding(words).output.split(separator: 0)
  }

  /// Returns the output, which is one path, without its newline.
  static func path(_ result: ProcessResult) -> LocalPath {
    let path = LocalPath(bytes: result.output)
    return path.hasSuffix("\n") ? path.dropLast() : path
  }

  /// Returns the text without its final newline. Spaces are kept, because a name may end with them.
  static func line(_ text: String) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Returns the version of Git, such as `[2, 44, 0]`.
  static func version() throws(GitError) -> [Int] {
    let words = try succeeding(["--version"]).text.split(separator: " ")
    return (words.count > 2 ? words[2] : "").split(separator: ".").compactMap { Int($0) }
  }

  /// Returns the first line of Git's error output without `fatal: `.
  static func reason(_ errors: String) -> String {
    let first = errors.split(separator: "\n").first.map(String.init) ?? "no reason given"
    return first.hasPrefix("fatal: ") ? String(first.dropFirst("fatal: ".count)) : first
  }

  // MARK: Paths

  /// Converts a path that the user specifies to a path from the top of the work tree, with the spelling that Git uses.
  ///
  /// Git compares names byte by byte. A file system such as APFS accepts several spellings of one file, and a path may
  /// contain symbolic links.
  ///
  /// - Parameter known: The paths of all files that Git lists, relative to the top of the work tree.
  /// - Returns: The path in the spelling of `known`. If `known` contains neither this file nor a file in this folder,
  ///   the path in the user's spelling. Its symbolic links are then resolved only if the path would otherwise be
  ///   outside of the work tree.
  /// - Throws: `GitError`, in particular `outside` for a file outside of the work tree.
  func path(fromTop path: LocalPath, among known: [LocalPath]) throws(GitError) -> LocalPath {
    let written: LocalPath
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

  /// Returns the path relative to the top of the work tree, with links resolved in its existing part; nil if it is
  /// outside of the work tree, or if `..` follows a missing folder.
  private func followedPath(fromTop path: LocalPath) -> LocalPath? {
    guard let top, let root = FileIdentity(of: top) else { return nil }
    let count = path.components.count
    let existing = (0...count).reversed().first { path.prefix($0).orHere.kind != nil } ?? 0
    let missing = path.components[existing...]
    guard !missing.contains(".."),
      let part = path.prefix(existing).orHere.resolved?.part(below: root)
    else { return nil }
    return LocalPath(joining: part.components + missing.filter { $0 != "." })
  }

  /// Returns the path in the spelling of `known`; nil if `known` contains neither this file nor a file in this folder.
  private func spelling(
    of path: LocalPath, among known: [LocalPath]
  ) throws(GitError) -> LocalPath? {
    if path.isEmpty || known.contains(where: { $0.isPart(of: path) }) { return path }
    let ignoresCase = try ignoresCase
    var spelled: LocalPath = ""
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

  /// Returns the identity of a file, by its path from the top of the work tree; nil if it doesn't exist.
  private func identity(_ path: LocalPath) -> FileIdentity? {
    top.flatMap { FileIdentity(of: $0.appending(path)) }
  }

  /// Whether the file system of the work tree ignores case. Git determines this when it creates the repository.
  private var ignoresCase: Bool {
    get throws(GitError) {
      let found = try Self.git(["config", "--type=bool", "--get", "core.ignorecase"])
      return Self.line(found.text) == "true"
    }
  }
}
