import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreCore
import StoreLayout
import StorePredicate
import StoreVerification

/// `storetool show`
struct ShowCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: Storetool.name,
    abstract: "Shows one object whole: its values, its relationships both ways, its history.",
    discussion: """
      Each relationship with the number of its members and the first of them; where one of other rows \
      has no inverse, who refers to this object by it; what the persistent history has of it, the \
      latest first. A table and Markdown cut long values, the other formats have them whole.

        storetool show Item/p12
        storetool show x-coredata://1B9E…/Item/p12 --members 50 --format json
      """)

  @Argument(help: "The object: its ID as other commands print it, or Entity/p12.")
  var object: String

  @Option(help: ArgumentHelp("Name this many rows of a relationship.", valueName: "n"))
  var members = 5

  @Option(help: ArgumentHelp("Show this many changes of its history.", valueName: "n"))
  var changes = 10

  /// For the page of `browse`, which asks for the bytes it wants to show.
  @Flag(help: .hidden)
  var describeData = false

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if ObjectID(text: object) == nil {
      throw ValidationError("'\(object)' is no object ID: x-coredata://STORE/Item/p12, or Item/p12")
    }
    if members < 0 { throw ValidationError("--members takes a number from 0") }
    if changes < 0 { throw ValidationError("--changes takes a number from 0") }
  }

  func run() throws {
    guard let id = ObjectID(text: object) else { return }
    let store = try Workspace(options, closest: closest).openStore(having: .entity(id.entity))
    if let uuid = id.store, uuid != store.store.metadata.uuid.uppercased() {
      throw OtherStore(object: object, uuid: store.store.metadata.uuid)
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
