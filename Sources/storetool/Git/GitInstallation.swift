import StoreDiagnostics
import StoreModelReader

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The configuration that makes Git use this program to merge and compare models.
///
/// Settings define a driver and its commands. Attributes assign the driver to files by name.
struct GitInstallation {
  enum Scope: Hashable {
    case repository
    /// All repositories of the user.
    case global

    fileprivate var option: String { self == .global ? "--global" : "--local" }
  }

  /// A line of an attributes file, or a setting, and whether the command changes it.
  struct Entry: Encodable {
    enum State: String, Encodable {
      case written, removed, unchanged
    }

    let state: State
    let file: String
    /// A line of attributes, or `key = value`.
    let entry: String
  }

  /// The driver's name in Git's settings.
  static let driver = "storetool-model"

  /// The lines for the attributes file. Without `**/`, a pattern with a slash matches only at the top of the work tree.
  static let attributes = [
    "**/*.xcdatamodel/contents diff=\(driver) merge=\(driver)",
    "**/.xccurrentversion merge=\(driver)",
  ]

  private let scope: Scope
  private let attributesFile: AttributesFile
  private let configurationFile: String
  private let tool: LocalPath
  private let knowsLabels: Bool

  /// - Throws: `GitError` if the configuration can't be located, if `.gitattributes` is a link, or if Git fails.
  init(_ scope: Scope) throws {
    self.scope = scope
    tool = ToolPath.word
    // Git 2.44 or later replaces %X and %Y in the command with the names of the merged revisions.
    knowsLabels = try !GitRepository.version().lexicographicallyPrecedes([2, 44])
    switch scope {
    case .repository:
      let repository = try GitRepository()
      guard let top = repository.top else {
        throw GitError.noWorkTree(
          advice: "run the command in a work tree, or use --global for all of your repositories")
      }
      attributesFile = AttributesFile(path: top.appending(".gitattributes"))
      // If .gitattributes is a link, it isn't written, because the author of the repository could have made it refer to
      // any file of the user. Git 2.32 or later doesn't read a link either.
      if attributesFile.path.isLink { throw GitError.linkedAttributes(attributesFile.path) }
      configurationFile = "the repository's configuration"
    case .global:
      attributesFile = AttributesFile(path: try Self.globalAttributes())
      configurationFile = "the user's configuration"
    }
  }

  /// Adds the settings and attributes.
  ///
  /// - Throws: `GitError` if a file can't be read or written, or if Git fails.
  func install(dryRun: Bool) throws -> [Entry] {
    let settings = try settings.map { key, value in
      let isThere = try value == self.value(of: key)
      if !isThere, !dryRun { try configure(["--replace-all", key, value.argument]) }
      return Entry(
        state: isThere ? .unchanged : .written, file: configurationFile,
        entry: "\(key) = \(value)")
    }
    return try settings + entries(attributesFile.adding(Self.attributes, dryRun: dryRun), .written)
  }

  /// Removes the settings and attributes.
  ///
  /// - Throws: `GitError` if a file can't be read or written, or if Git fails.
  func uninstall(dryRun: Bool) throws -> [Entry] {
    // The attributes are removed first. If a driver's setting then can't be removed, it has no effect without them.
    let attributes = try attributesFile.removing(Self.attributes, dryRun: dryRun)
    let removed = try settings.compactMap { key, _ -> Entry? in
      guard let value = try value(of: key) else { return nil }
      if !dryRun { try configure(["--unset-all", key]) }
      return Entry(state: .removed, file: configurationFile, entry: "\(key) = \(value)")
    }
    return entries(attributes.filter(\.changes), .removed) + removed
  }

  private func entries(
    _ lines: [(text: String, changes: Bool)], _ state: Entry.State
  ) -> [Entry] {
    lines.map {
      Entry(
        state: $0.changes ? state : .unchanged, file: "\(attributesFile.path)", entry: $0.text)
    }
  }

  /// The keys and values of the settings.
  ///
  /// The paths and labels that Git inserts into the commands may begin with `-`. They follow `=` or `--`, so that this
  /// program doesn't read them as options. Values are `LocalPath`s, because the path of this program might not be valid
  /// UTF-8.
  private var settings: [(key: String, value: LocalPath)] {
    let labels = knowsLabels ? " --ours-label=%X --theirs-label=%Y" : ""
    let (merge, diff) = ("merge.\(Self.driver)", "diff.\(Self.driver)")
    let mergetool = "mergetool.\(Self.driver)"
    return [
      ("\(merge).name", "Core Data models, merged semantically"),
      (
        "\(merge).driver",
        "\(tool.replacing("%", with: "%%")) model merge --output=%A --path=%P --marker-size=%L\(labels) -- %O %A %B"
      ),
      // If there are several common ancestors, Git merges them first, with the driver that `recursive` names. This
      // program could write conflict markers into that result, which would then no longer be a model. The driver
      // `binary` doesn't merge them. It takes the file from the common ancestor of these ancestors.
      ("\(merge).recursive", "binary"),
      // `cachetextconv` isn't set, because Git stores its cache in commits. Without a configured author, as in CI, 'git
      // diff' would fail.
      ("\(diff).textconv", "\(tool) model show --format outline --"),
      ("\(diff).xfuncname", "^((entity|composite|configuration|template) .*)$"),
      (
        "\(mergetool).cmd",
        "\(tool) model merge --output=\"$MERGED\" --path=\"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\""
      ),
      ("\(mergetool).trustExitCode", "true"),
    ]
  }

  /// Returns the value of a setting in this scope, without the values of other scopes.
  private func value(of key: String) throws(GitError) -> LocalPath? {
    let found = try GitRepository.git(["config", scope.option, "--get-all", key])
    return found.status == 0 ? GitRepository.path(found) : nil
  }

  private func configure(_ words: [String]) throws(GitError) {
    _ = try GitRepository.succeeding(["config", scope.option] + words)
  }

  /// Returns the path of the attributes file that Git reads for all repositories of a user.
  private static func globalAttributes() throws(GitError) -> LocalPath {
    for scope in ["--global", "--system"] {
      let found = try GitRepository.git([
        "config", scope, "--type=path", "--get", "core.attributesFile",
      ])
      if found.status == 0 { return GitRepository.path(found) }
    }
    if let folder = LocalPath(variable: "XDG_CONFIG_HOME") {
      return folder.appending("git/attributes")
    }
    guard let home = LocalPath(variable: "HOME") else {
      throw .unwritable(path: "~/.config/git/attributes", reason: "HOME is not set")
    }
    return home.appending(".config/git/attributes")
  }
}

/// The name or path of this program, as it is written to the settings of other programs.
enum ToolPath {
  /// If this program was called by a name without a folder, that name. If it was called by a path: `storetool` if a
  /// shell would find the same file in `PATH` under this name, otherwise the absolute path, quoted for a shell.
  static var word: LocalPath {
    let own = LocalPath.program ?? LocalPath(Storetool.name)
    let search = LocalPath(variable: "PATH")?.bytes ?? []
    let found = search.split(separator: UInt8(ascii: ":"))
      .map { LocalPath(bytes: $0).appending(LocalPath(Storetool.name)) }
      .first { $0.kind == .file && $0.allows(X_OK) }
    guard !own.folder.isEmpty else { return own.quotedForShell }
    let path = own.isAbsolute ? own : (LocalPath.workingDirectory ?? ".").appending(own)
    let file = FileIdentity(of: path)
    if let found, FileIdentity(of: found) == file { return LocalPath(Storetool.name) }
    // Removing `link/..` from a path can change its target, so the shorter path is used only if the file is the same.
    let plain = path.standardized
    return (FileIdentity(of: plain) == file ? plain : path).quotedForShell
  }
}

extension LocalPath {
  /// The bytes, quoted as one word for a shell.
  var quotedForShell: LocalPath {
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

  /// Returns the bytes with each occurrence of an ASCII character replaced by a string.
  func replacing(_ character: Unicode.Scalar, with text: String) -> LocalPath {
    LocalPath(bytes: bytes.flatMap { $0 == UInt8(ascii: character) ? Array(text.utf8) : [$0] })
  }
}

/// The `.gitattributes` file of a repository, or the attributes file of a user. Adding and removing lines doesn't
/// change its other lines.
struct AttributesFile {
  let path: LocalPath

  /// Appends the lines that the file doesn't contain yet.
  ///
  /// - Returns: Each of `lines`, and whether it is added.
  /// - Throws: `GitError` if the file can't be read or written.
  func adding(
    _ lines: [String], dryRun: Bool
  ) throws(GitError) -> [(text: String, changes: Bool)] {
    var content = try self.content ?? [[]]
    let known = Set(content.map(Self.text))
    let missing = lines.filter { !known.contains($0) }
    let ending: [UInt8] = content.contains { $0.last == Self.carriageReturn } ? [13] : []
    // If the file ends with a newline, the last element is empty, and the lines are inserted before it. Otherwise, they
    // follow the last line, and the file still doesn't end with a newline.
    let endsWithNewline = content.last?.isEmpty == true
    let end = endsWithNewline ? content.count - 1 : content.count
    if !endsWithNewline { content[end - 1] += ending }
    content.insert(contentsOf: missing.map { Array($0.utf8) + ending }, at: end)
    if !endsWithNewline { content[content.count - 1].removeLast(ending.count) }
    if !missing.isEmpty, !dryRun { try write(content) }
    return lines.map { ($0, missing.contains($0)) }
  }

  /// Removes lines.
  ///
  /// - Returns: Each of `lines`, and whether it is removed.
  /// - Throws: `GitError` if the file can't be read or written.
  func removing(
    _ lines: [String], dryRun: Bool
  ) throws(GitError) -> [(text: String, changes: Bool)] {
    guard let content = try self.content else { return lines.map { ($0, false) } }
    let known = Set(content.map(Self.text))
    var rest = content.filter { !lines.contains(Self.text(of: $0)) }
    // If the last line was removed, and had no newline, the line before it still has the CR of its CRLF.
    if let last = rest.last, last.last == Self.carriageReturn {
      rest[rest.count - 1].removeLast()
    }
    if rest.count < content.count, !dryRun { try write(rest) }
    return lines.map { ($0, known.contains($0)) }
  }

  private static let carriageReturn: UInt8 = 13

  private static func text(of line: [UInt8]) -> String {
    String(decoding: line.last == carriageReturn ? line.dropLast() : line[...], as: UTF8.self)
  }

  /// The lines without their line feeds, but with the CR of a CRLF; nil if the file doesn't exist.
  private var content: [[UInt8]]? {
    get throws(GitError) {
      guard path.kind != nil else { return nil }
      do {
        return try path.contents()
          .split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
      } catch {
        throw .unreadable(path: path, reason: error.reason)
      }
    }
  }

  /// Writes the lines, or removes the file if it would be empty.
  private func write(_ lines: [[UInt8]]) throws(GitError) {
    let content = Array(lines.joined(separator: [10]))
    guard !content.isEmpty else {
      do {
        return try path.removeFile()
      } catch {
        throw .unwritable(path: path, reason: error.reason)
      }
    }
    do throws(FileWriteError) {
      try StagedFile.replace(path, with: content, makesFolders: true)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }
}
