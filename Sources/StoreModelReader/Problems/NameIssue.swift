import StoreDiagnostics

/// A name that doesn't exist, or that exists more than once.
enum NameIssue: ModelIssue, Hashable {
  case duplicate(String, kind: String, owner: String?, firstLine: Int)
  /// Two names look alike, but differ in the Unicode spelling of their characters.
  case twin(NameTwins, kind: String, owner: String?, firstLine: Int)
  case sameButForCase(String, other: String, kind: String, owner: String?)
  /// Two parts have the same renaming identifier, by which Core Data finds the counterpart in another version.
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

  var diagnostic: DiagnosticMessage {
    switch self {
    case .duplicate(let name, let kind, let owner, let firstLine):
      error("duplicate-name", "duplicate \(kind) '\(name)'\(Self.suffix(owner))")
        .helping("the first one is on line \(firstLine); rename or remove one of them")
    case .twin(let twins, let kind, let owner, let firstLine):
      error(
        "twin-name",
        "the \(kind) '\(twins.second)'\(Self.suffix(owner)) looks like '\(twins.first)': "
          + twins.difference
      ).helping("the other one is on line \(firstLine); rename one of them")
    case .sameButForCase(let name, let other, let kind, let owner):
      warning(
        "same-but-for-case",
        "the \(kind) '\(name)'\(Self.suffix(owner)) differs from '\(other)' only in case"
      ).helping("SQLite ignores case in names, so the store can't use both as they are")
    case .sameIdentifier(let name, let other, let identifier, let kind, let owner):
      warning(
        "same-identifier",
        "the \(kind) '\(name)'\(Self.suffix(owner)) has the renaming identifier of '\(other)': '\(identifier)'"
      ).helping(
        "give each of them its own elementID: migrations match properties of two versions by elementID, or by name if there is none"
      )
    case .inherited(let name, let entity, let ancestor):
      error("duplicate-name", "'\(entity)' already inherits '\(name)' from '\(ancestor)'")
        .helping("rename or remove one of them")
    case .unknownEntity(let name, let role, let known):
      error("unknown-entity", "the \(role) '\(name)' doesn't exist")
        .didYouMean(name, among: known)
    case .unknownProperty(let name, let entity, let role, let known):
      error("unknown-property", "'\(entity)' has no property '\(name)' for \(role)")
        .didYouMean(name, among: known)
    case .unknownComposite(let name, let known):
      error("unknown-composite", "the composite '\(name)' doesn't exist")
        .didYouMean(name, among: known)
    case .parentCycle(let names):
      error("parent-cycle", "an entity is its own ancestor: \(Self.chain(names))")
        .helping("remove parentEntity from one of these entities")
    case .tooManyAncestors(let entity, let limit):
      error("too-deep", "'\(entity)' has more than \(limit) ancestors")
        .helping("reduce the depth of the inheritance tree, and check whether it contains a cycle")
    case .compositeCycle(let names):
      error("composite-cycle", "a composite contains itself: \(Self.chain(names))")
        .helping("remove one of these attributes")
    case .compositeTooLarge(let name, let levels, let attributes):
      error(
        "composite-too-large",
        "the composite '\(name)' has more than \(levels) levels or contains more than \(attributes) attributes"
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
