import StoreDiagnostics
package import StoreModel
package import StorePredicate

/// One difference between two versions of a model.
package struct ModelChange: Hashable, Sendable {
  package let kind: Kind
  package let effect: Effect

  init(_ kind: Kind, _ effect: Effect) {
    self.kind = kind
    self.effect = effect
  }

  /// The kind of the change. The names are the target's names, but a removed subject has its name in the source.
  package enum Kind: Hashable, Sendable {
    case entity(String, EntityChange)
    case attribute(String, of: String, AttributeChange)
    case relationship(String, of: String, RelationshipChange)
    case fetchedProperty(String, of: String, DefinitionChange)
    case template(String, DefinitionChange)
    case composite(String, DefinitionChange)
    case configuration(String, ConfigurationChange)
    case versionIdentifiers(Replacement<[String]>)
  }

  /// The effect of a change on stores.
  package enum Effect: String, Hashable, Sendable {
    /// The version hash changes, so every store of the old version must be migrated.
    case hash
    /// A new store has other columns or indexes, but the version hash stays the same. Core Data therefore treats old
    /// stores as stores of the new version, and doesn't change them.
    case schema
    /// The change doesn't affect stores, except perhaps stores that contain only the entities of a configuration.
    case none
  }
}

/// The old and the new value of a changed setting.
package struct Replacement<Fact: Hashable & Sendable>: Hashable, Sendable {
  package let old: Fact
  package let new: Fact

  /// Returns nil if the values are equal.
  init?(_ old: Fact, _ new: Fact) { self.init(old, new, unless: ==) }

  /// Returns nil if the values are equal.
  ///
  /// - Parameter isSame: compares the values. It compares strings byte by byte.
  init?(_ old: Fact, _ new: Fact, unless isSame: (Fact, Fact) -> Bool) {
    guard !isSame(old, new) else { return nil }
    (self.old, self.new) = (old, new)
  }
}

extension Replacement<String> {
  init?(_ old: String, _ new: String) { self.init(old, new) { $0.isExactly($1) } }
}

extension Replacement<String?> {
  init?(_ old: String?, _ new: String?) { self.init(old, new) { $0.isExactly($1) } }

  /// Returns nil if the renaming identifiers are equal, or if the names differ.
  init?(identifierOf old: Renamable, _ new: Renamable) {
    guard old.name.isExactly(new.name) else { return nil }
    self.init(old.identifier, new.identifier)
  }
}

extension Replacement<[String]> {
  init?(_ old: [String], _ new: [String]) { self.init(old, new) { $0.isExactly($1) } }
}

extension Replacement<FetchIndex> {
  init?(_ old: FetchIndex, _ new: FetchIndex) { self.init(old, new) { $0.isExactly($1) } }
}

extension Replacement<AttributeType> {
  init?(_ old: AttributeType, _ new: AttributeType) { self.init(old, new) { $0.isExactly($1) } }
}

extension Replacement<AttributeDescription.Validation> {
  init?(_ old: AttributeDescription.Validation, _ new: AttributeDescription.Validation) {
    self.init(old, new) { $0 == $1 && $0.pattern.isExactly($1.pattern) }
  }
}

package enum EntityChange: Hashable, Sendable {
  /// - Parameter resembles: the removed entity that may have been renamed to this entity.
  case added(EntityDescription, resembles: String?)
  case removed(EntityDescription)
  case renamed(from: String)
  /// The entity has another parent. A parent that was only renamed isn't a change.
  case parent(Replacement<String?>)
  case isAbstract(Bool)
  case hashModifier(Replacement<String?>)
  /// The renaming identifier changed, but the name didn't.
  case renamingIdentifier(Replacement<String?>)
  /// Core Data doesn't pair the two entities, because their canonical identifiers differ.
  case identifierMismatch(Replacement<String>)
  case className(Replacement<String?>)
  case codeGeneration(Replacement<String?>)
  case userInfo(keys: [String])
  case indexAdded(FetchIndex)
  case indexRemoved(FetchIndex)
  /// A change of an index that keeps its name.
  case index(Replacement<FetchIndex>)
  case constraintAdded([String])
  case constraintRemoved([String])
}

package enum AttributeChange: Hashable, Sendable {
  /// - Parameter resembles: the removed attribute that may have been renamed to this attribute.
  case added(AttributeDescription, resembles: String?)
  case removed(AttributeDescription)
  case renamed(from: String)
  /// Another entity of the hierarchy now declares the attribute. The entity still has the attribute.
  case moved(from: String, to: String)
  /// The source has a relationship with this name.
  case wasRelationship
  case type(Replacement<AttributeType>)
  /// - Parameter fallback: the value that replaces NULL in an attribute that becomes required.
  case isOptional(Bool, fallback: DataValue?)
  case defaultValue(Replacement<DataValue?>)
  case isTransient(Bool)
  case derivation(Replacement<String?>)
  case valueTransformer(Replacement<String?>)
  case validation(Replacement<AttributeDescription.Validation>)
  case flag(AttributeFlag, Bool)
  case customClassName(Replacement<String?>)
  case hashModifier(Replacement<String?>)
  case renamingIdentifier(Replacement<String?>)
  /// Core Data doesn't pair the two attributes, because their canonical identifiers differ.
  case identifierMismatch(Replacement<String>)
  case userInfo(keys: [String])
}

/// A Boolean setting of an attribute, other than optional and transient.
package enum AttributeFlag: String, Hashable, Sendable, CaseIterable {
  case indexed
  case storedExternally = "stored externally"
  case preservedAfterDeletion = "preserved after deletion"
  case cloudEncrypted = "cloud encryption"
  case indexedBySpotlight = "indexed by Spotlight"
  case scalar
}

package enum RelationshipChange: Hashable, Sendable {
  /// - Parameter resembles: the removed relationship that may have been renamed to this relationship.
  case added(RelationshipDescription, resembles: String?)
  case removed(RelationshipDescription)
  case renamed(from: String)
  /// Another entity of the hierarchy now declares the relationship. The entity still has the relationship.
  case moved(from: String, to: String)
  /// The source has an attribute with this name.
  case wasAttribute
  case cardinality(Replacement<RelationshipDescription.Cardinality>)
  case destination(Replacement<String>, Kinship)
  /// - Parameter isRename: whether the inverse is the same relationship with a new name.
  case inverse(Replacement<String?>, isRename: Bool)
  case deleteRule(Replacement<RelationshipDescription.DeleteRule>)
  case counts(Replacement<CountRange>)
  case isOptional(Bool)
  case isTransient(Bool)
  case isIndexed(Bool)
  case hashModifier(Replacement<String?>)
  case renamingIdentifier(Replacement<String?>)
  /// Core Data doesn't pair the two relationships, because their canonical identifiers differ.
  case identifierMismatch(Replacement<String>)
  case userInfo(keys: [String])

  /// The relation of the new destination to the old one.
  package enum Kinship: Hashable, Sendable {
    /// The same entity with a new name.
    case renamed
    case ancestor
    case descendant
    case unrelated
  }

  /// The allowed number of destinations. Nil means the default: a minimum of zero, and a maximum of one for a to-one
  /// and no maximum for a to-many.
  package struct CountRange: Hashable, Sendable {
    package var minimum: Int?
    package var maximum: Int?
  }
}

/// A change of a fetched property, a fetch request template or a composite attribute.
package enum DefinitionChange: Hashable, Sendable {
  case added
  case removed
  /// - Parameter aspects: the changed parts, such as `predicate` and `limit`.
  case changed(aspects: [String])
}

package enum ConfigurationChange: Hashable, Sendable {
  case added(members: [String])
  case removed
  case members(added: [String], removed: [String])
}

/// The text of a change.
///
/// `code` is a stable name of the kind of change for scripts, such as `attribute.type`. `old` and `new` are the values
/// before and after a replacement. `detail` describes the whole change.
package struct ChangeWording: Hashable, Sendable {
  package let code: String
  package let detail: String
  package let old: String?
  package let new: String?

  init(_ code: String, _ detail: String, old: String? = nil, new: String? = nil) {
    self.code = code
    self.detail = detail
    self.old = old
    self.new = new
  }

  /// Creates a text such as `optional → required`.
  init(_ code: String, from old: String, to new: String) {
    self.init(code, "\(old) → \(new)", old: old, new: new)
  }

  init(_ code: String, _ label: String, _ change: Replacement<String?>) {
    self.init(code, label, change.old, change.new)
  }

  /// Creates a text such as `inverse: list → lists`. A missing value is `none`.
  init(_ code: String, _ label: String, _ old: String?, _ new: String?) {
    self.init(code, "\(label): \(old ?? "none") → \(new ?? "none")", old: old, new: new)
  }

  static func identifierMismatch(
    _ subject: String, losing loss: String, _ change: Replacement<String>
  ) -> ChangeWording {
    ChangeWording(
      "\(subject).identifier-mismatch",
      "renaming identifiers differ ('\(change.old)' → '\(change.new)'), so Core Data drops the \(loss)",
      old: change.old, new: change.new)
  }

  static func onOff(_ code: String, _ label: String, _ isOn: Bool) -> ChangeWording {
    ChangeWording(code, isOn ? label : "no longer \(label)")
  }

  static func userInfo(_ subject: String, _ keys: [String]) -> ChangeWording {
    ChangeWording(
      "\(subject).user-info", "user info: " + keys.map { "'\($0)'" }.joined(separator: ", "))
  }
}

extension ModelChange {
  package var wording: ChangeWording {
    switch kind {
    case .entity(_, let change): change.wording
    case .attribute(_, _, let change): change.wording
    case .relationship(_, _, let change): change.wording
    case .fetchedProperty(_, _, let change): change.wording(of: "fetched-property")
    case .template(_, let change): change.wording(of: "template")
    case .composite(_, let change): change.wording(of: "composite")
    case .configuration(_, let change): change.wording
    case .versionIdentifiers(let change):
      ChangeWording(
        "model.identifiers", "version identifiers", change.old.joined(separator: ", "),
        change.new.joined(separator: ", "))
    }
  }
}

extension DefinitionChange {
  fileprivate func wording(of subject: String) -> ChangeWording {
    switch self {
    case .added: ChangeWording("\(subject).added", "added")
    case .removed: ChangeWording("\(subject).removed", "removed")
    case .changed(let aspects):
      ChangeWording("\(subject).changed", "changed: \(aspects.joined(separator: ", "))")
    }
  }
}

extension ConfigurationChange {
  fileprivate var wording: ChangeWording {
    switch self {
    case .added(let members):
      ChangeWording("configuration.added", "added with \(members.joined(separator: ", "))")
    case .removed: ChangeWording("configuration.removed", "removed")
    case .members(let added, let removed):
      ChangeWording(
        "configuration.members",
        (added.map { "with \($0)" } + removed.map { "without \($0)" }).joined(separator: ", "))
    }
  }
}

extension String? {
  /// The hint that follows the text of an added part, such as `; may be 'title' renamed without an elementID`. It is
  /// empty if the string, which is the name of a removed part, is nil.
  var renameHint: String {
    map { "; may be '\($0)' renamed without an elementID" } ?? ""
  }

  /// Returns a hint such as `; its elementID 'x' has no counterpart`. It is empty without a renaming identifier, or if
  /// a removed part resembles the added part.
  func idleIdentifier(unless resembles: String?) -> String {
    guard resembles == nil else { return "" }
    return map { "; its elementID '\($0)' has no counterpart" } ?? ""
  }
}
