import StoreModel
import StoreDiagnostics
import StoreLayout
import SQLiteAccess
import RecordFormats
import StoreImport
import ArgumentParser
import StorePredicate
import StoreCore

extension MemberPolicy: ExpressibleByArgument {}
extension MissingLinkPolicy: ExpressibleByArgument {}

/// `storetool import`
struct ImportCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: Storetool.name,
    abstract: "Reads nested JSON, or CSV, into rows and their relationships.",
    discussion: """
      A nested object under a to-one relationship becomes that row, an array under a to-many its \
      members. Where a value stands: at the path that --map gives it, else at the model's \
      mappedKeyName (userInfo), else under the property's name. Reads back what export wrote, \
      where the name goes first.

      Objects with equal values of a uniqueness constraint, or of the attribute that relatedByAttribute \
      (userInfo) names, are one row, in the input and in the store; a value of that attribute may \
      stand for the object. Records may refer to records of any file of the import. A record whose $id is a row of the store is that row and takes what the \
      record gives.

        storetool import venues.json --entity Venue --root response.venues \\
          --map phone=contact.phone --map priceInfo.priceCategory=price.currency
        storetool import all.ndjson
        storetool import teams.json players.csv --on-conflict update
      """)

  @Argument(
    help: "The files to read; - is standard input.", completion: .file())
  var files: [FilePath]

  @Option(
    help: ArgumentHelp("What records are that have no $entity.", valueName: "entity"),
    completion: .entities)
  var entity: String?

  @Option(
    help: ArgumentHelp("Where the records stand in the document.", valueName: "response.venues"))
  var root: String?

  @Option(help: "ndjson, json, csv or tsv. Default: by each file's name; json for standard input.")
  var input: RecordFormat?

  @OptionGroup var delimited: DelimiterOption

  @Option(
    help: ArgumentHelp(
      "A key path of the model, and the path in the JSON that fills it.",
      valueName: "property=json.path"),
    completion: .mappedProperties)
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "How dates are written, as in \"M/d/yyyy H:mm\" or UnixTime, where the model's dateFormat "
        + "(userInfo) does not say it. Default: ISO 8601.", valueName: "format"))
  var dateFormat: String?

  @Option(
    help: ArgumentHelp(
      "When there is a row with a record's key: fail, ignore (it keeps its values) or update (it "
        + "takes those given)."))
  var onConflict: ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      "When a list of a to-many differs from the members of a row that takes what a record gives: "
        + "replace (other members leave, and the list gives the order) or add."))
  var members: MemberPolicy = .replace

  @Option(
    help: ArgumentHelp(
      "When a record refers to a row that neither the store nor any file has: wait (an error, once "
        + "all files are read) or skip (the link is left out)."))
  var links: MissingLinkPolicy = .wait

  @Option(
    help: ArgumentHelp(
      "By which attributes objects of an entity are known in this run, in place of what the model "
        + "says; for several entities again.", valueName: "Entity.attribute,attribute"))
  var key: [String] = []

  @Flag(help: "Keys that no property takes are errors, not just counted.")
  var strict = false

  @Option(help: RecordSize.help)
  var maxRecord = RecordSize.standard

  @OptionGroup var options: StoreOptions

  func validate() throws {
    if files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input can be read only once")
    }
    for text in map where ImportRule(text) == nil {
      throw ValidationError("--map '\(text)' is not of the form property=json.path")
    }
    for text in key where ImportKeyChoice(text) == nil {
      throw ValidationError("--key '\(text)' is not of the form Entity.attribute,attribute")
    }
    let entities = key.compactMap(ImportKeyChoice.init).map(\.entity)
    if let twice = entities.first(where: { name in entities.count { $0 == name } > 1 }) {
      throw ValidationError(
        "--key gives '\(twice)' two keys; name all attributes of one in one --key")
    }
    var rules: [[String]: ImportRule] = [:]
    for rule in map.compactMap(ImportRule.init) {
      guard let other = rules.updateValue(rule, forKey: rule.property) else { continue }
      throw ValidationError(
        "--map fills one property twice: '\(other.text)' and '\(rule.text)'")
    }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let subject = entity.map(Subject.entity) ?? .nothing
    let store = try Workspace(options).openStore(having: subject, for: .writing)
    let work = try GraphImport(
      into: store.layout, store: store.store.metadata.uuid, entity: entity,
      rules: map.compactMap(ImportRule.init),
      root: root?.split(separator: ".").map(String.init) ?? [], isStrict: strict,
      dateFormat: datePattern(), keys: key.compactMap(ImportKeyChoice.init), on: onConflict,
      members: members, links: links)
    let sources = try files.map { file in
      (
        source: try InputFile.named(file, maxRecord),
        format: input ?? RecordFormat(path: file) ?? .json
      )
    }
    let inputs = sources.map {
      ImportInput($0.source, format: $0.format, delimiter: delimited.chosen)
    }
    let share: @Sendable () -> Double? = { [files = sources.map(\.source)] in
      let shares = files.compactMap(\.share)
      return shares.count < files.count ? nil : shares.reduce(0, +) / Double(shares.count)
    }
    let outcome = try Progress("records", share: share).following { report in
      try store.store.write { try work.run(inputs, on: $0, progress: report) }
    }
    WritingReport(outcome).print()
  }

  private func datePattern() throws -> DatePattern? {
    do throws(DatePatternError) {
      return try dateFormat.map { text throws(DatePatternError) in try DatePattern(text) }
    } catch {
      throw DateFormatError(error, in: .argument("--date-format"))
    }
  }
}
