public import StoreModel
import StoreDiagnostics
import SQLiteAccess
import RecordFormats
public import ArgumentParser
import StoreCore

extension RecordFormat: ExpressibleByArgument {
  public static var allValueStrings: [String] { ["ndjson", "json", "csv", "tsv"] }

  /// Creates the format from its name. `ndjson` means `json`, whose reader also reads NDJSON.
  public init?(argument: String) {
    self.init(rawValue: argument == "ndjson" ? "json" : argument)
  }
}

extension ConflictPolicy: ExpressibleByArgument {}

struct BatchInsertCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-insert", _superCommandName: Storetool.name,
    abstract: "Insert many rows of one entity from NDJSON, JSON or CSV.",
    discussion: """
      Each record contains attributes and to-one relationships. Omitted values use the model's default. The value \
      of a to-one relationship is an object ID, a value of the destination's unique attribute, or a predicate in \
      parentheses. Either all rows are inserted, or none if there is an error.

        storetool batch-insert Item items.ndjson
        cat products.csv | storetool batch-insert Product --input csv
        storetool batch-insert Team teams.ndjson --on-conflict update
      """)

  @Argument(help: "The name of the entity.", completion: .concreteEntities)
  var entity: String

  @Argument(
    help: "The file to read. Default: -, which is standard input.", completion: .file())
  var file: LocalPath?

  @Option(
    help:
      "The format of the input. Default: by the file's extension, otherwise json, which also reads ndjson."
  )
  var input: RecordFormat?

  @OptionGroup var delimited: DelimiterOption

  @Option(
    help: ArgumentHelp(
      "If a row already has the unique values of a record: fail, ignore the record, or update the row with its values.",
      valueName: "policy"))
  var onConflict: ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      "The attributes that identify a row, instead of the unique attributes of the entity.",
      valueName: "attribute,attribute"))
  var key: String?

  @Flag(
    name: .customLong("no-validate"),
    help: "Skip the model's validation rules. (Core Data's batch inserts skip them too.)")
  var skipsValidation = false

  @Option(help: RecordSize.help)
  var maxRecord = RecordSize.standard

  @OptionGroup var options: StoreOptions

  private var keyAttributes: [String] {
    key.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
  }

  func validate() throws {
    guard Set(keyAttributes).count < keyAttributes.count || keyAttributes.contains("") else {
      return
    }
    throw ValidationError("--key '\(key ?? "")' doesn't have the form attribute,attribute")
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let store = try Workspace(options).openStore(having: .entity(entity), for: .writing)
    let plan = try InsertPlan(entity: entity, in: store.layout)
    let source = try InputFile.named(file ?? "-", maxRecord)
    let format = input ?? RecordFormat(path: file ?? "-") ?? .json
    let outcome = try Progress("rows", share: { source.share }).following { report in
      try store.store.insert(
        source, format: format, delimiter: delimited.chosen, by: plan, in: store.layout,
        on: onConflict, key: keyAttributes, validates: !skipsValidation, progress: report)
    }
    WritingReport(outcome, into: entity).print()
  }
}

extension InputFile {
  /// Returns a file, or standard input for `-`.
  ///
  /// - Throws: `InputFileError` if the file can't be read.
  static func named(_ path: LocalPath, _ maxRecord: RecordSize) throws(InputFileError) -> InputFile
  {
    var file = path == "-" ? .standard : try InputFile(path: path)
    file.recordLimit = maxRecord.bytes
    return file
  }
}
