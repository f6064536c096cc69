import ArgumentParser
import StoreCore
import StorePredicate

/// Options that filter the changes of `history`.
struct HistoryFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "List only changes of this entity and its subentities.", valueName: "name"),
    completion: .entities)
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "List only changes of the row with this object ID. The end of the ID is sufficient, such as Item/p7.",
      valueName: "object ID"))
  var object: String?

  @Option(help: ArgumentHelp("List only changes by this author.", valueName: "name"))
  var author: String?

  @Option(help: "List only changes of this kind.")
  var change: ChangeKind?

  @Option(
    help: ArgumentHelp("List only updates of this property.", valueName: "name"),
    completion: .properties)
  var property: String?

  var isEmpty: Bool {
    author == nil && !concernsChanges
  }

  /// Whether the filter refers to changes. A filter by author refers only to transactions.
  var concernsChanges: Bool {
    entity != nil || object != nil || change != nil || property != nil
  }

  var objectID: ObjectID? {
    object.flatMap { ObjectID(text: $0) }
  }

  func validate() throws {
    if let object, objectID == nil {
      throw ValidationError(
        "'\(object)' isn't an object ID, such as x-coredata://STORE/Item/p7 or Item/p7")
    }
    if let change, change != .update, property != nil {
      throw ValidationError("--property selects updates; omit --change \(change.name)")
    }
  }
}

extension ChangeKind: ExpressibleByArgument {
  public init?(argument: String) {
    guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = kind
  }

  public static var allValueStrings: [String] { allCases.map(\.name) }
}
