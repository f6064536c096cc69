import ArgumentParser
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate

/// The arguments of `link` and `unlink`: a relationship, and predicates for the rows of its entity and of its
/// destination.
struct LinkOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The entity and its to-one or to-many relationship.", valueName: "Entity.relationship"),
    completion: .partsOfModel)
  var relationship: String

  @Argument(
    help: ArgumentHelp(
      "A predicate for rows of the entity. TRUEPREDICATE selects all rows.", valueName: "predicate"),
    completion: .predicate())
  var sources: String

  @Argument(
    help: ArgumentHelp(
      "A predicate for rows of the destination. TRUEPREDICATE selects all rows.",
      valueName: "destination-predicate"))
  var destinations: String

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard path.count == 2, !path.contains("") else {
      throw ValidationError(
        "'\(relationship)' doesn't have the form Entity.relationship, such as Group.members"
      )
    }
  }

  private var path: [String] {
    relationship.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  func prepared(
    _ kind: BatchLink.Kind, _ places: LinkPlaceOptions? = nil, for access: Store.Access
  ) throws -> (OpenStore, LinkPlan) {
    let (entity, name) = (path[0], path[1])
    let open = try Workspace(store).openStore(having: .entity(entity), for: access)
    var texts = LinkTexts(
      sources: PredicateText(sources, context: "in the predicate of '\(entity)'"),
      destinations: PredicateText(destinations, context: "in the predicate of '\(name)'"))
    let request = BatchLink(
      kind, entity: entity, relationship: name, where: try texts.sources?.predicate(),
      to: try texts.destinations?.predicate(), at: places?.position.members,
      sort: try places?.keys(&texts) ?? [])
    let plan = try request.plan(
      in: open.layout, storeUUID: open.store.metadata.uuid, texts: texts)
    return (open, plan)
  }
}

/// The position of new members in an ordered relationship.
struct LinkPlaceOptions: ParsableArguments {
  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: ArgumentHelp(
      "The position of new members in an ordered relationship: first, last, or the number of preceding members.",
      valueName: "position"))
  var position = LinkPosition()

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Key paths that sort the new members. A leading minus means descending order. Default: by primary key.",
      valueName: "name,-createdAt"))
  var sort: [String] = []

  fileprivate func keys(_ texts: inout LinkTexts) throws -> [SortKey] {
    texts.sort = try ListOption.text(of: sort, .sort, "--sort")
    return try texts.sort?.list(as: .sort).map {
      SortKey($0.expression, isAscending: !$0.isDescending)
    } ?? []
  }
}

struct LinkPosition: ExpressibleByArgument {
  /// The number of members before the new ones; nil if the new ones are last.
  var members: Int?

  init() {}

  init?(argument: String) {
    switch argument {
    case "first": members = 0
    case "last": members = nil
    default:
      guard let members = Int(argument), members >= 0 else { return nil }
      self.members = members
    }
  }

  var defaultValueDescription: String { members.map { "\($0)" } ?? "last" }
}
