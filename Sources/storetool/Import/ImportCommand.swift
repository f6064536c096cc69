import StoreModel
import StoreDiagnostics
import StoreLayout
import SQLiteAccess
import RecordFormats
public import StoreImport
public import ArgumentParser
import StorePredicate
import StoreCore

extension MemberPolicy: ExpressibleByArgument {}
extension MissingLinkPolicy: ExpressibleByArgument {}

struct ImportCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: Storetool.name,
    abstract: "Import nested JSON or CSV as rows with relationships.",
    discussion: """
      A nested object of a to-one relationship becomes its destination, and the elements of an array become the \
      members of a to-many relationship. The value of a property is read from the path that --map specifies, otherwise \
      from the path in mappedKeyName in its user info, otherwise from the key with the name of the property. In \
      records that 'export' wrote, the key with the property's name is read before mappedKeyName.
      Objects that have equal values in all attributes of a uniqueness constraint are the same row. In the user info \
      of a relationship, relatedByAttribute can name an attribute of the destination. A record can then contain a \
      value of this attribute instead of the nested object. Objects with the same value are the same row. Records can \
      refer to records in any file of the import. A record whose $id is the object ID of a row in the store updates \
      this row, even with --on-conflict fail. With --on-conflict ignore, the row keeps its values.

        storetool import venues.json --entity Venue --root response.venues \\
          --map phone=contact.phone --map priceInfo.priceCategory=price.currency
        storetool import all.ndjson
        storetool import teams.json players.csv --on-conflict update
      """)

  @Argument(
    help: "The files to read. - is standard input.", completion: .file())
  var files: [LocalPath]

  @Option(
    help: ArgumentHelp("The entity of records without $entity.", valueName: "name"),
    completion: .entities)
  var entity: String?

  @Option(
    help: ArgumentHelp("The path of the records in the document.", valueName: "response.venues"))
  var root: String?

  @Option(
    help:
      "The format of the input. Default: determined by each file's extension, otherwise json, which also reads ndjson."
  )
  var input: RecordFormat?

  @OptionGroup var delimited: DelimiterOption

  @Option(
    help: ArgumentHelp(
      "A property or key path of the model, and the path of its value in the JSON. May be repeated.",
      valueName: "property=json.path"),
    completion: .mappedProperties)
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "The format of dates, such as \"M/d/yyyy H:mm\" or UnixTime, if dateFormat in the "
        + "attribute's user info doesn't specify it. Default: ISO 8601.", valueName: "format"))
  var dateFormat: String?

  @Option(
    help: ArgumentHelp(
      """
      The action if the row of an object already exists. fail: abort the import. A nested object whose values equal \
      those of the row isn't a conflict. ignore: keep the values of the row, but add the links of the object. update: \
      overwrite the values.
      """, valueName: "policy"))
  var onConflict: ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      """
      The effect of a list on the to-many relationship of an existing row. replace: the list becomes the members, \
      in its order. add: the list is added to the members. With --on-conflict ignore, lists are always added.
      """))
  var members: MemberPolicy = .replace

  @Option(
    help: ArgumentHelp(
      """
      The action if a record refers to a row that doesn't exist. wait: fail if the row still doesn't exist after \
      all files have been read. skip: omit the link.
      """))
  var links: MissingLinkPolicy = .wait

  @Option(
    help: ArgumentHelp(
      "The attributes that identify objects of an entity in this run, instead of the model's uniqueness "
        + "constraints and relatedByAttribute. May be repeated for other entities.",
      valueName: "Entity.attribute,attribute"))
  var key: [String] = []

  @Flag(
    help:
      "Fail if the input contains a key that doesn't belong to a property, instead of counting such keys."
  )
  var strict = false

  @Option(help: RecordSize.help)
  var maxRecord = RecordSize.standard

  @OptionGroup var options: StoreOptions

  func validate() throws {
    if files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input can be read only once")
    }
    for text in map where ImportRule(text) == nil {
      throw ValidationError("--map '\(text)' doesn't have the form property=json.path")
    }
    for text in key where ImportKeyChoice(text) == nil {
      throw ValidationError("--key '\(text)' doesn't have the form Entity.attribute,attribute")
    }
    let entities = key.compactMap(ImportKeyChoice.init).map(\.entity)
    if let twice = entities.first(where: { name in entities.count { $0 == name } > 1 }) {
      throw ValidationError(
        "duplicate --key for '\(twice)'; list all attributes in one --key")
    }
    var rules: [[String]: ImportRule] = [:]
    for rule in map.compactMap(ImportRule.init) {
      guard let other = rules.updateValue(rule, forKey: rule.property) else { continue }
      throw ValidationError(
        "--map sets the same property twice: '\(other.text)' and '\(rule.text)'")
    }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let store = try Workspace(options).openStore(having: entity.map(Subject.entity), for: .writing)
    let work = try GraphImport(
      into: store.layout, store: store.store.metadata.uuid, entity: entity,
      rules: map.compactMap(ImportRule.init),
      root: root?.split(separator: ".").map(String.init) ?? [], isStrict: strict,
      dateFormat: datePattern(), keys: key.compactMap(ImportKeyChoice.init), on: onConflict,
      members: members, links: links)
    let sources = try files.map { try InputFile.named($0, maxRecord) }
    let inputs = zip(files, sources).map { file, source in
      ImportInput(
        source, format: input ?? RecordFormat(path: file) ?? .json, delimiter: delimited.chosen)
    }
    let share: @Sendable () -> Double? = {
      let shares = sources.compactMap(\.share)
      return shares.count < sources.count ? nil : shares.reduce(0, +) / Double(shares.count)
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
