import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreAnonymization
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreModelReader

struct AnonymizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize", _superCommandName: Storetool.name,
    abstract: "Replace the values of a store according to rules.",
    discussion: """
      A rule specifies how the values of an attribute are replaced. Rules are in a file with lines such as \
      'Person.name: fake-name', or in the user info of the model's attributes under the key 'anonymize'. Attributes \
      without a rule are an error, unless their values are numbers, Booleans or object IDs, which are kept. \
      Equal values get equal replacements, and with the same --key-file also in other runs. Unique values stay \
      unique, and relationships are kept.
      The result doesn't contain the persistent history, the content of CloudKit's tables, or any old values in free \
      pages, in the -wal or in external files. The app's metadata is removed unless --keep-metadata is specified.

        storetool anonymize --print-rules > rules.txt
        storetool anonymize --rules rules.txt --output Sample.sqlite
        storetool anonymize --rules rules.txt --in-place --key-file secret
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @Option(
    help: ArgumentHelp(
      "A file with rules, which override the rules of the model.", valueName: "path"),
    completion: .file())
  var rules: LocalPath?

  @Option(
    help: ArgumentHelp("The path of the anonymized copy.", valueName: "path"), completion: .file())
  var output: LocalPath?

  @Flag(help: "Anonymize the store itself. This can't be undone.")
  var inPlace = false

  @Flag(help: "Anonymize a temporary copy, and print what would be replaced.")
  var dryRun = false

  @Flag(help: "Print suggested rules, based on names and types.")
  var printRules = false

  @Option(
    help: ArgumentHelp(
      "A file with a secret of 16 bytes or more. Default: a random secret, which isn't saved.",
      valueName: "path"),
    completion: .file())
  var keyFile: LocalPath?

  @Option(
    help:
      "Keep or drop tables and columns that aren't part of the model. Default: fail if there are any."
  )
  var otherContent: Anonymization.Settings.OtherContent?

  @Flag(help: "Keep the app's own metadata.")
  var keepMetadata = false

  @Flag(help: "Give the store a new UUID, which changes all object IDs.")
  var newIdentity = false

  @OptionGroup var options: StoreOptions

  @Option(help: FormatOptions.resultHelp)
  var format: RowFormat?

  func validate() throws {
    let goals = [output != nil, inPlace, printRules].count { $0 }
    guard goals <= 1 else {
      throw ValidationError("--output, --in-place and --print-rules can't be combined")
    }
    guard goals == 1 || dryRun else {
      throw ValidationError(
        "specify the result: --output creates a copy, --in-place changes the store itself")
    }
    if printRules && (dryRun || rules != nil) {
      throw ValidationError("--print-rules can't be combined with --dry-run or --rules")
    }
    if output == "" { throw ValidationError("the name of the copy is empty") }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let workspace = try Workspace(options.naming(path))
    if printRules {
      let model = try workspace.modelOfStore().model
      return try GivenFile.print(Array(RuleProposal(for: model).text.utf8))
    }
    let output = AnonymizationOutput(format: format)
    let (key, isRandom) = try AnonymizationKey.key(in: keyFile)
    let text = try rules.map { path in
      RulesText(String(decoding: try GivenFile.bytes(of: path), as: UTF8.self), file: "\(path)")
    }
    let opened = try workspace.openStore(before: inPlace && !dryRun ? .writing : .reading)
    try opened.found.requireForWriting(opened.store)
    let versions = opened.found.versions
    let book = try RuleBook(of: opened.layout.model, text) {
      try versions.bundle.versions.map { try versions.readings.reading(of: $0).model }
    }
    Terminal.report(book.notes)
    let result = try PhaseProgress().following { shown in
      try anonymize(opened, book, key) { shown.report($0) }
    }
    try UnreportedChange.reporting(dryRun ? nil : self.output ?? opened.store.path) {
      try output.print(
        result, of: opened.store.path, into: self.output, isDryRun: dryRun, book,
        isRandom: isRandom)
    }
  }

  private func anonymize(
    _ opened: OpenStore, _ book: RuleBook, _ key: [UInt8],
    _ report: @escaping (Anonymization.Phase) -> Void
  ) throws -> AnonymizationResult {
    func work(_ store: Store) -> Anonymization {
      Anonymization(
        of: store, in: opened.layout, by: book, key: key, settings: settings, progress: report)
    }
    if dryRun { return try work(opened.store).dryRun() }
    if let output { return try work(opened.store).write(to: output) }
    return try work(opened.store.reopenedExclusively()).runInPlace()
  }

  private var settings: Anonymization.Settings {
    var settings = Anonymization.Settings()
    settings.otherContent = otherContent
    settings.keepsMetadata = keepMetadata
    settings.givesNewIdentity = newIdentity
    return settings
  }
}

extension Anonymization.Settings.OtherContent: ExpressibleByArgument {}

/// The secret that determines the replacements of values.
enum AnonymizationKey {
  private static let leastLength = 16
  private static let usualLength = 32

  /// Returns the secret key in a file, or a random one if `path` is nil.
  ///
  /// - Throws: `DiagnosticError` if the key is too short, or an error of reading the file.
  static func key(in path: LocalPath?) throws -> (bytes: [UInt8], isRandom: Bool) {
    guard let path else {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<usualLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return (bytes, true)
    }
    let bytes = try GivenFile.bytes(of: path)
    guard bytes.count >= leastLength else {
      throw DiagnosticError(
        "anonymize.short-key",
        "the key in '\(path)' has \(bytes.count.counted("byte")), but at least \(leastLength) are required",
        help: ["create one: head -c 32 /dev/urandom > \(path)"])
    }
    return (bytes, false)
  }
}
