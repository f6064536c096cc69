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

  /// What has changed. Names are the target's, those of removed things the source's.
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

  /// What a store has to do with it.
  package enum Effect: String, Hashable, Sendable {
    /// The version hash is another one: every store of the old version has to be migrated.
    case hash
    /// A new store has other columns or indexes, but the version hash stays: Core Data takes old
    /// stores for stores of the new version and changes nothing in them.
    case schema
    /// Nothing in a store that holds the whole model.
    case none
  }
}

/// What was, and what is.
package struct Replacement<Fact: Hashable & Sendable>: Hashable, Sendable {
  package let old: Fact
  package let new: Fact

  /// Nil where nothing changed.
  init?(_ old: Fact, _ new: Fact) {
    guard old != new else { return nil }
    (self.old, self.new) = (old, new)
  }

  /// Nil where nothing changed.
  ///
  /// - Parameter isSame: compares the facts, their texts byte by byte.
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

extension Replacement<Attribute.Validation> {
  init?(_ old: Attribute.Validation, _ new: Attribute.Validation) {
    self.init(old, new) { $0 == $1 && $0.pattern.isExactly($1.pattern) }
  }
}

package enum EntityChange: Hashable, Sendable {
  /// - Parameter resembles: the removed entity that it may be, under a new name.
  case added(Entity, resembles: String?)
  case removed(Entity)
  case renamed(from: String)
  /// Not for a parent that was only renamed.
  case parent(Replacement<String?>)
  case isAbstract(Bool)
  case hashModifier(Replacement<String?>)
  /// Without a rename that follows from it.
  case renamingIdentifier(Replacement<String?>)
  /// Core Data doesn't pair the two: their canonical identifiers differ.
  case identifierMismatch(Replacement<String>)
  case className(Replacement<String?>)
  case codeGeneration(Replacement<String?>)
  case userInfo(keys: [String])
  case indexAdded(FetchIndex)
  case indexRemoved(FetchIndex)
  /// Of the same name.
  case index(Replacement<FetchIndex>)
  case constraintAdded([String])
  case constraintRemoved([String])
}

package enum AttributeChange: Hashable, Sendable {
  /// - Parameter resembles: the removed attribute that it may be, under a new name.
  case added(Attribute, resembles: String?)
  case removed(Attribute)
  case renamed(from: String)
  /// Declared by another entity of the hierarchy; the entity has it as before.
  case moved(from: String, to: String)
  /// There was a relationship of the same name.
  case wasRelationship
  case type(Replacement<AttributeType>)
  /// - Parameter fallback: what a required attribute's NULLs become.
  case isOptional(Bool, fallback: Value?)
  case defaultValue(Replacement<Value?>)
  case isTransient(Bool)
  case derivation(Replacement<String?>)
  case valueTransformer(Replacement<String?>)
  case validation(Replacement<Attribute.Validation>)
  case flag(AttributeFlag, Bool)
  case customClassName(Replacement<String?>)
  case hashModifier(Replacement<String?>)
  case renamingIdentifier(Replacement<String?>)
  /// Core Data doesn't pair the two: their canonical identifiers differ.
  case identifierMismatch(Replacement<String>)
  case userInfo(keys: [String])
}

/// Yes or no of an attribute, beyond optional and transient.
package enum AttributeFlag: String, Hashable, Sendable, CaseIterable {
  case indexed
  case storedExternally = "stored externally"
  case preservedAfterDeletion = "preserved after deletion"
  case cloudEncrypted = "cloud encryption"
  case indexedBySpotlight = "indexed by Spotlight"
  case scalar
}

package enum RelationshipChange: Hashable, Sendable {
  /// - Parameter resembles: the removed relationship that it may be, under a new name.
  case added(Relationship, resembles: String?)
  case removed(Relationship)
  case renamed(from: String)
  case moved(from: String, to: String)
  /// There was an attribute of the same name.
  case wasAttribute
  case cardinality(Replacement<Relationship.Cardinality>)
  case destination(Replacement<String>, Kinship)
  /// - Parameter isRename: the other side is the same one under a new name.
  case inverse(Replacement<String?>, isRename: Bool)
  case deleteRule(Replacement<Relationship.DeleteRule>)
  case counts(Replacement<CountRange>)
  case isOptional(Bool)
  case isTransient(Bool)
  case isIndexed(Bool)
  case hashModifier(Replacement<String?>)
  case renamingIdentifier(Replacement<String?>)
  /// Core Data doesn't pair the two: their canonical identifiers differ.
  case identifierMismatch(Replacement<String>)
  case userInfo(keys: [String])

  /// What the new destination is to the old one.
  package enum Kinship: Hashable, Sendable {
    /// The same entity under a new name.
    case renamed
    case ancestor
    case descendant
    case unrelated
  }

  /// Nil where it is the usual one: at least none; at most one for a to-one, any number for a to-many.
  package struct CountRange: Hashable, Sendable {
    package var minimum: Int?
    package var maximum: Int?
  }
}

/// Of something that no table holds.
package enum DefinitionChange: Hashable, Sendable {
  case added
  case removed
  /// - Parameter aspects: what is not as it was: `predicate`, `limit`.
  case changed(aspects: [String])
}

package enum ConfigurationChange: Hashable, Sendable {
  case added(members: [String])
  case removed
  case members(added: [String], removed: [String])
}

/// A change in words.
///
/// `code` is stable, for scripts: `attribute.type`. `old` and `new` are what was and what is, where
/// the change is a replacement; `detail` is for people and says all of it.
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

  /// `optional → required`
  init(_ code: String, from old: String, to new: String) {
    self.init(code, "\(old) → \(new)", old: old, new: new)
  }

  /// `inverse: list → lists`; what is not there is `none`.
  init(_ code: String, _ label: String, _ old: String?, _ new: String?) {
    self.init(code, "\(label): \(old ?? "none") → \(new ?? "none")", old: old, new: new)
  }

  static func identifierMismatch(
    _ subject: String, losing loss: String, _ change: Replacement<String>
  ) -> ChangeWording {
    ChangeWording(
      "\(subject).identifier-mismatch",
      "renaming identifiers differ ('\(change.old)' → '\(change.new)'), so that Core Data drops the \(loss)",
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
  /// `; may be 'title' renamed, without an elementID`
  var renameHint: String {
    map { "; looks like '\($0)' renamed, without an elementID" } ?? ""
  }

  /// `; its elementID 'x' has no counterpart`
  func idleIdentifier(unless resembles: String?) -> String {
    guard resembles == nil else { return "" }
    return map { "; its elementID '\($0)' has no counterpart" } ?? ""
  }
}
