import StoreDiagnostics

/// What Git has to be told so that it merges and compares models by this program: settings that say what to
/// call, and attributes that say for which files.
struct GitInstallation {
  enum Scope: Hashable {
    case repository
    /// All repositories of the user.
    case global

    fileprivate var option: String { self == .global ? "--global" : "--local" }
  }

  /// One thing that is to be there, or to go.
  struct Entry: Hashable {
    enum State: String {
      case written, removed, unchanged
    }

    let file: String
    /// A line of attributes, or `key = value`.
    let text: String
    let state: State
  }

  /// The driver's name in Git's settings.
  static let driver = "storetool-model"

  /// A pattern with a slash in it would match at the top only.
  static let attributes = [
    "**/*.xcdatamodel/contents diff=\(driver) merge=\(driver)",
    "**/.xccurrentversion merge=\(driver)",
  ]

  private let scope: Scope
  private let attributesFile: AttributesFile
  private let configurationFile: String
  private let tool: FilePath
  private let knowsLabels: Bool

  /// - Throws: `GitError`
  init(_ scope: Scope) throws {
    self.scope = scope
    tool = ToolPath.word
    // %X and %Y, the names of both sides.
    knowsLabels = try !GitRepository.version().lexicographicallyPrecedes([2, 44])
    switch scope {
    case .repository:
      let repository = try GitRepository()
      guard let top = repository.top else {
        throw GitError.noWorkTree(
          advice: "for all repositories of yours: storetool git install --global")
      }
      attributesFile = AttributesFile(path: top.appending(".gitattributes"))
      // The repository chooses the target of the link, and Git 2.32 or later doesn't read such a file.
      if attributesFile.path.isLink { throw GitError.linkedAttributes(attributesFile.path) }
      configurationFile = "the repository's configuration"
    case .global:
      attributesFile = AttributesFile(path: try Self.globalAttributes())
      configurationFile = "the user's configuration"
    }
  }

  /// - Throws: `GitError`
  func install(dryRun: Bool) throws -> [Entry] {
    let settings = try settings.map { key, value in
      let isThere = try value == self.value(of: key)
      if !isThere, !dryRun { try configure(["--replace-all", key, value.argument]) }
      return Entry(
        file: configurationFile, text: "\(key) = \(value)",
        state: isThere ? .unchanged : .written)
    }
    return try settings + entries(attributesFile.adding(Self.attributes, dryRun: dryRun), .written)
  }

  /// - Throws: `GitError`
  func uninstall(dryRun: Bool) throws -> [Entry] {
    // The attributes first: without its settings, Git merges text.
    let attributes = try attributesFile.removing(Self.attributes, dryRun: dryRun)
    let removed = try settings.compactMap { key, _ -> Entry? in
      guard let value = try value(of: key) else { return nil }
      if !dryRun { try configure(["--unset-all", key]) }
      return Entry(file: configurationFile, text: "\(key) = \(value)", state: .removed)
    }
    return entries(attributes.filter(\.changes), .removed) + removed
  }

  private func entries(
    _ lines: [(text: String, changes: Bool)], _ state: Entry.State
  ) -> [Entry] {
    lines.map {
      Entry(file: "\(attributesFile.path)", text: $0.text, state: $0.changes ? state : .unchanged)
    }
  }

  /// The keys and values of the configuration.
  ///
  /// Git inserts paths and labels that may begin with `-`. They follow `=` or `--`, so that the program doesn't
  /// read them as options. A value is a `FilePath` because it contains the path of this program.
  private var settings: [(key: String, value: FilePath)] {
    let labels = knowsLabels ? " --ours-label=%X --theirs-label=%Y" : ""
    let (merge, diff) = ("merge.\(Self.driver)", "diff.\(Self.driver)")
    let mergetool = "mergetool.\(Self.driver)"
    return [
      ("\(merge).name", "Core Data models, merged by meaning"),
      (
        "\(merge).driver",
        "\(tool.replacing("%", with: "%%")) model merge --output=%A --path=%P --marker-size=%L\(labels) -- %O %A %B"
      ),
      // Of two bases, a base with conflict markers would be no model.
      ("\(merge).recursive", "binary"),
      // Without cachetextconv: Git keeps its cache in commits, and where nobody is set to commit as, as in CI,
      // 'git diff' would fail.
      ("\(diff).textconv", "\(tool) model show --format outline --"),
      ("\(diff).xfuncname", "^((entity|composite|configuration|template) .*)$"),
      (
        "\(mergetool).cmd",
        "\(tool) model merge --output=\"$MERGED\" --path=\"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\""
      ),
      ("\(mergetool).trustExitCode", "true"),
    ]
  }

  /// The value that the scope itself has, not one that it inherits.
  private func value(of key: String) throws(GitError) -> FilePath? {
    let found = try GitRepository.git(["config", scope.option, "--get-all", key])
    return found.status == 0 ? GitRepository.path(found) : nil
  }

  private func configure(_ words: [String]) throws(GitError) {
    _ = try GitRepository.succeeding(["config", scope.option] + words)
  }

  /// The file that Git reads for all repositories of a user.
  private static func globalAttributes() throws(GitError) -> FilePath {
    for scope in ["--global", "--system"] {
      let found = try GitRepository.git([
        "config", scope, "--type=path", "--get", "core.attributesFile",
      ])
      if found.status == 0 { return GitRepository.path(found) }
    }
    if let folder = FilePath(variable: "XDG_CONFIG_HOME") {
      return folder.appending("git/attributes")
    }
    guard let home = FilePath(variable: "HOME") else {
      throw .unwritable(path: "~/.config/git/attributes", reason: "HOME is not set")
    }
    return home.appending(".config/git/attributes")
  }
}
