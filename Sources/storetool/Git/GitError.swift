import StoreDiagnostics

/// The reason why a command can't access a repository or Git's configuration.
enum GitError: Error, Hashable {
  /// The program `git` doesn't exist.
  case noGit
  case notARepository(reason: String)
  /// The command requires a work tree, but the repository is bare, or the working directory is in `.git`.
  ///
  /// - Parameter advice: The remedy, which depends on the command.
  case noWorkTree(advice: String)
  case unknownRevision(String, known: [String])
  /// The searched states of the repository (revisions or the work tree) don't contain a model at this path.
  ///
  /// - Parameter sides: The names of the searched states, for the message.
  case noModel(LocalPath, known: [LocalPath], sides: String)
  case outside(path: LocalPath, repository: LocalPath)
  case unreadable(path: LocalPath, reason: String)
  case unwritable(path: LocalPath, reason: String)
  /// The `.gitattributes` of a repository is a symbolic link.
  case linkedAttributes(LocalPath)
  /// A command of Git failed or couldn't be started.
  case failed(command: String, reason: String)
}

extension GitError: DiagnosableError {
  var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noGit:
      DiagnosticMessage(.error, "git.missing", "the program 'git' doesn't exist", cause: .notFound)
        .helping("install Git, or put it on the PATH")
    case .notARepository(let reason):
      DiagnosticMessage(
        .error, "git.no-repository", "the working directory isn't in a Git repository",
        cause: .notFound,
        // Git's other messages contain details, for example if the repository belongs to another user or is damaged.
        help: reason.hasPrefix("not a git repository") ? [] : [.text("message of Git: \(reason)")])
    case .noWorkTree(let advice):
      DiagnosticMessage(
        .error, "git.no-work-tree", "the repository is bare, so it has no work tree", cause: .usage
      ).helping(advice)
    case .unknownRevision(let name, let known):
      DiagnosticMessage(
        .error, "git.unknown-revision", "the repository has no revision '\(name)'",
        cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its branches and tags are")
    case .noModel(let path, let known, let sides):
      DiagnosticMessage(
        .error, "git.no-model",
        path.isEmpty
          ? "there is no .xcdatamodeld and no .xcdatamodel in \(sides)"
          : "there is no model at '\(path)' in \(sides)", cause: .notFound
      ).didYouMean("\(path)", among: known.map { "\($0)" }, elseListing: "the models are")
    case .outside(let path, let repository):
      DiagnosticMessage(
        .error, "git.outside", "'\(path)' isn't in the repository '\(repository)'",
        cause: .usage)
    case .unreadable(let path, let reason):
      DiagnosticMessage(
        .error, "git.unreadable", "'\(path)' can't be read: \(reason)", cause: .inputOutput)
    case .unwritable(let path, let reason):
      DiagnosticMessage(
        .error, "git.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput)
    case .linkedAttributes(let path):
      DiagnosticMessage(
        .error, "git.linked-attributes",
        "'\(path)' is a symbolic link, so writing to it would change the target of the link",
        cause: .inputOutput,
        help: ["replace the link with a file, because Git doesn't read a linked .gitattributes"])
    case .failed(let command, let reason):
      DiagnosticMessage(
        .error, "git.failed", "'git \(command)' failed: \(reason)", cause: .inputOutput)
    }
  }
}
