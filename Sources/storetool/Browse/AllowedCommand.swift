import PageServer

/// What the page may ask for: a command, and those of its options that name no file and change nothing but the answer.
///
/// The server adds the store, the model and the format itself.
struct AllowedCommand {
  /// What a command prints.
  enum Output {
    /// JSON, a value a line.
    case lines
    /// A value as it is stored.
    case bytes
  }

  let words: [String]
  /// Options with a value, each as one word: `--where=…`.
  let options: Set<String>
  let flags: Set<String>
  /// Other words; where there is no use for any, they could only name a store.
  let takesValues: Bool
  var output = Output.lines
  /// Runs with `--write` alone, and only after a dry run of the same words.
  var writes = false
  /// Its dry run is a check: it only reads, so it needs no `--write`, and findings (status 1) are no failure of it.
  var triesByChecking = false
  /// Takes `--closest`.
  var readsClosest = false

  private init(
    _ words: String, options: Set<String> = [], flags: Set<String> = [],
    takesValues: Bool = true, output: Output = .lines, writes: Bool = false,
    triesByChecking: Bool = false, closest: Bool = false
  ) {
    self.words = words.split(separator: " ").map(String.init)
    (self.options, self.flags, self.takesValues) = (options, flags, takesValues)
    self.output = output
    (self.writes, self.triesByChecking, readsClosest) = (writes, triesByChecking, closest)
  }

  /// Whether a dry run that ended with a status has shown what would be written.
  func hasShown(_ status: Int) -> Bool { status == 0 || triesByChecking && status == 1 }

  static let dryRun = "--dry-run"
  /// Says how many rows the dry run has shown; a run without it could change more of them.
  static let expect = "--expect"

  var takesExpectation: Bool { options.contains(Self.expect) }

  /// The one that words begin with.
  static func named(by words: [String]) -> AllowedCommand? {
    all.first { words.starts(with: $0.words) }
  }

  /// The names of those that take `--closest`.
  static var readingClosest: [String] {
    all.filter(\.readsClosest).map { $0.words.joined(separator: " ") }
  }

  private static let refinement: Set = [
    "--where", "--sort", "--limit", "--offset", "--select", "--group-by", "--having", "--sections",
  ]
  private static let refinementFlags: Set = ["--distinct", "--no-subentities", "--count", "--ids"]
  private static let shown: Set = [
    "--where", "--sort", "--limit", "--offset", "--select", "--template",
  ]
  private static let target: Set = ["--to", "--via", "--allow-loss"]

  private static let all: [AllowedCommand] = [
    AllowedCommand("page-model", takesValues: false, closest: true),
    AllowedCommand(
      "page-rows", options: shown.union(["--keys"]), flags: ["--no-subentities"], closest: true),
    AllowedCommand("page-keys", options: shown, flags: ["--no-subentities"], closest: true),
    AllowedCommand("page-complete", closest: true),
    AllowedCommand("page-value", output: .bytes, closest: true),
    AllowedCommand("page-plain", closest: true),
    AllowedCommand("page-changes", takesValues: false),
    AllowedCommand("page-diagram", takesValues: false, closest: true),
    AllowedCommand("info", takesValues: false, closest: true),
    AllowedCommand(
      "show", options: ["--members", "--changes"], flags: ["--describe-data"], closest: true),
    AllowedCommand(
      "fetch", options: refinement, flags: refinementFlags.union(["--watch"]), closest: true),
    AllowedCommand(
      "apply-template", options: refinement, flags: refinementFlags, closest: true),
    AllowedCommand("templates", takesValues: false, closest: true),
    AllowedCommand("explain fetch", options: refinement, flags: refinementFlags, closest: true),
    AllowedCommand(
      "explain apply-template", options: refinement, flags: refinementFlags, closest: true),
    AllowedCommand("predicate check", options: ["--entity", "--template"], closest: true),
    AllowedCommand(
      "history",
      options: ["--since", "--entity", "--object", "--author", "--change", "--property"],
      flags: ["--changes", "--statistics"], takesValues: false, closest: true),
    AllowedCommand(
      "verify --repair", flags: [dryRun], takesValues: false, writes: true, triesByChecking: true),
    AllowedCommand("verify", takesValues: false, closest: true),
    AllowedCommand("migrate status", options: ["--to", "--via"], takesValues: false),
    AllowedCommand("migrate plan", options: target, takesValues: false),
    AllowedCommand("insert", flags: [dryRun], writes: true),
    AllowedCommand(
      "batch-update", options: ["--where", expect], flags: [dryRun, "--no-subentities", "--ids"],
      writes: true),
    AllowedCommand(
      "batch-delete", options: ["--where", "--rules", expect],
      flags: [dryRun, "--all", "--no-subentities", "--ids"], writes: true),
    AllowedCommand("link", options: ["--at", "--sort", expect], flags: [dryRun], writes: true),
    AllowedCommand("unlink", options: [expect], flags: [dryRun], writes: true),
  ]
}
