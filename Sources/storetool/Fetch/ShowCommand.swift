import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreCore
import StoreLayout
import StorePredicate
import StoreVerification

struct ShowCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: Storetool.name,
    abstract: "Show one object: its values, the relationships from and to it, and its history.",
    discussion: """
      A relationship is shown with the number of its members and the first few of them. Rows that refer to the \
      object by a relationship without an inverse are also shown. The persistent history is listed with the latest \
      change first. Tables and Markdown shorten long values. The other formats contain the complete values.

        storetool show Item/p12
        storetool show x-coredata://1B9E…/Item/p12 --members 50 --format json
      """)

  @Argument(
    help:
      "The object ID, as other commands print it. The end of the ID is sufficient, such as Item/p12."
  )
  var object: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show at most n members of each relationship.", valueName: "n"))
  var members = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show at most n changes of the history.", valueName: "n"))
  var changes = 10

  /// Used by the page of `browse`, which requests the bytes separately.
  @Flag(help: .hidden)
  var describeData = false

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if ObjectID(text: object) == nil {
      throw ValidationError(
        "'\(object)' isn't an object ID, such as x-coredata://STORE/Item/p12 or Item/p12")
    }
    if members < 0 { throw ValidationError("--members must be 0 or greater") }
    if changes < 0 { throw ValidationError("--changes must be 0 or greater") }
  }

  func run() throws {
    guard let id = ObjectID(text: object) else { return }
    let store = try Workspace(options, closest: closest).openStore(having: .entity(id.entity))
    if let uuid = id.store, uuid != store.store.metadata.uuid.uppercased() {
      throw DiagnosticError(
        otherStoreOf: object, uuid: store.store.metadata.uuid, in: "show")
    }
    let unread = UnreadValues()
    let page = try store.store.read { connection in
      let context = store.context(counting: unread)
      let description: ObjectDescription
      do {
        description = try ObjectDescription(
          of: id.entity, id.primaryKey, first: members, in: context, on: connection)
      } catch let missing as NoSuchRow {
        throw try missing.explained(by: connection, in: store)
      }
      let history = try ObjectHistory(
        of: description.entity.number, id.primaryKey, latest: changes, on: connection)
      return try ObjectFacts(
        store: store, cutsLongValues: format.resolved == .table || format.resolved == .markdown,
        describesData: describeData
      ).page(of: description, history)
    }
    try FactWriter(format).print(page)
    Terminal.report(unread.warnings(beside: store.store))
  }
}
