import StoreDiagnostics

/// A name that is not there, or is there more than once.
enum NameIssue: ModelIssue, Hashable {
  case duplicate(String, kind: String, owner: String?, firstLine: Int)
  /// Two names that differ only in how Unicode writes their characters.
  case twin(NameTwins, kind: String, owner: String?, firstLine: Int)
  case sameButForCase(String, other: String, kind: String, owner: String?)
  /// Two names of one kind by which Core Data finds the counterpart in another version.
  case sameIdentifier(String, other: String, identifier: String, kind: String, owner: String?)
  case inherited(String, entity: String, ancestor: String)
  case unknownEntity(String, role: String, known: [String])
  case unknownProperty(String, entity: String, role: String, known: [String])
  case unknownComposite(String, known: [String])
  case parentCycle([String])
  case tooManyAncestors(String, limit: Int)
  case compositeCycle([String])
  case compositeTooLarge(String, levels: Int, attributes: Int)
  case repeatedMember(String, configuration: String)

  var diagnostic: Diagnostic {
    switch self {
    case .duplicate(let name, let kind, let owner, let firstLine):
      error("duplicate-name", "the \(kind) '\(name)' is there twice\(Self.suffix(owner))")
        .helping("the first is in line \(firstLine); rename or remove one")
    case .twin(let twins, let kind, let owner, let firstLine):
      error(
        "twin-name",
        "the \(kind) '\(twins.second)' looks like '\(twins.first)'\(Self.suffix(owner)): "
          + twins.difference
      ).helping("the other one is in line \(firstLine); rename one of them")
    case .sameButForCase(let name, let other, let kind, let owner):
      warning(
        "same-but-for-case",
        "the \(kind) '\(name)' differs from '\(other)' only in case\(Self.suffix(owner))"
      ).helping("SQLite ignores case in names, so the store can't use both as they are")
    case .sameIdentifier(let name, let other, let identifier, let kind, let owner):
      warning(
        "same-identifier",
        "the \(kind) '\(name)' has the renaming identifier of '\(other)'\(Self.suffix(owner)): '\(identifier)'"
      ).helping(
        "a migration finds the counterpart in another version by it (by the name where there is no elementID); give each its own"
      )
    case .inherited(let name, let entity, let ancestor):
      error("duplicate-name", "'\(entity)' has '\(name)' already from '\(ancestor)'")
        .helping("rename or remove one")
    case .unknownEntity(let name, let role, let known):
      error("unknown-entity", "the \(role) '\(name)' does not exist")
        .didYouMean(name, among: known)
    case .unknownProperty(let name, let entity, let role, let known):
      error("unknown-property", "'\(entity)' has no property '\(name)' for \(role)")
        .didYouMean(name, among: known)
    case .unknownComposite(let name, let known):
      error("unknown-composite", "the composite '\(name)' does not exist")
        .didYouMean(name, among: known)
    case .parentCycle(let names):
      error("parent-cycle", "an entity is its own ancestor: \(Self.chain(names))")
        .helping("remove one parentEntity of them")
    case .tooManyAncestors(let entity, let limit):
      error("too-deep", "'\(entity)' has more than \(limit) ancestors")
        .helping("make the tree of entities flatter, and see whether they lead in a circle")
    case .compositeCycle(let names):
      error("composite-cycle", "a composite holds itself: \(Self.chain(names))")
        .helping("remove one of these attributes")
    case .compositeTooLarge(let name, let levels, let attributes):
      error(
        "composite-too-large",
        "the composite '\(name)' has more than \(levels) levels or stands for more than \(attributes) attributes"
      )
    case .repeatedMember(let name, let configuration):
      warning("repeated-member", "the configuration '\(configuration)' lists '\(name)' twice")
    }
  }

  private static func suffix(_ owner: String?) -> String { owner.map { " in '\($0)'" } ?? "" }

  private static func chain(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: " → ")
  }
}
