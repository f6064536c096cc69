import StoreMigration
import StoreModel

extension ModelChange.Difficulty {
  var letter: String {
    switch self {
    case .nothing: "A"
    case .addition: "B"
    case .removal: "C"
    case .setting: "D"
    case .rename: "E"
    case .structure: "F"
    case .beyondInference: "G"
    }
  }
}

extension ModelChange {
  /// The labels of the corpus's table; empty for changes that the table doesn't list.
  var corpusLabels: [String] {
    switch kind {
    case .entity(_, let change): change.corpusLabels
    case .attribute(_, _, let change): [change.corpusLabel].compactMap { $0 }
    case .relationship(_, _, let change): change.corpusLabels
    case .fetchedProperty, .template, .composite, .configuration, .versionIdentifiers: []
    }
  }
}

extension EntityChange {
  fileprivate var corpusLabels: [String] {
    switch self {
    case .added: ["entity added"]
    case .removed: ["entity removed"]
    case .renamed: ["entity renamed (elementID)"]
    case .parent(let change): change.new == nil ? ["parent entity cleared"] : ["parent entity set"]
    case .isAbstract: ["isAbstract"]
    case .hashModifier: ["entity versionHashModifier changed"]
    case .identifierMismatch: []
    case .renamingIdentifier: ["entity elementID added/changed/removed (no rename)"]
    case .className, .codeGeneration, .userInfo: []
    case .indexAdded(let index): ["\(index.origin.label) added"]
    case .indexRemoved(let index): ["\(index.origin.label) removed"]
    case .index(let change): ["\(change.new.origin.label) changed"]
    case .constraintAdded: ["uniqueness constraint added"]
    case .constraintRemoved: ["uniqueness constraint removed"]
    }
  }
}

extension FetchIndex.Origin {
  fileprivate var label: String {
    switch self {
    case .fetchIndex: "fetchIndex"
    case .compoundIndex: "compoundIndex"
    }
  }
}

extension AttributeChange {
  fileprivate var corpusLabel: String? {
    switch self {
    case .added(let attribute, _): "attribute added: \(attribute.corpusLabel)"
    case .removed: "attribute removed"
    case .renamed: "attribute renamed (elementID)"
    case .moved: "attribute moved down/up the hierarchy (still present on the entity)"
    case .wasRelationship: "relationship turned into attribute of same name"
    case .type: "attribute type changed"
    case .isOptional(true, _): "attribute required -> optional"
    case .isOptional(false, let fallback):
      "attribute optional -> required \(fallback == nil ? "WITHOUT" : "with") default"
    case .defaultValue: "attribute default value changed"
    case .isTransient(let flag): "attribute \(flag ? "stored -> transient" : "transient -> stored")"
    case .derivation: "attribute derivation changed"
    case .valueTransformer: "valueTransformerName changed"
    case .validation: "attribute validation (min/max/regex) changed"
    case .flag(.indexed, let isOn): "attribute indexed \(isOn ? "on" : "off")"
    case .flag(.storedExternally, let isOn):
      "allowsExternalBinaryDataStorage \(isOn ? "on" : "off")"
    case .hashModifier: "attribute versionHashModifier changed"
    case .renamingIdentifier: "attribute elementID added/changed/removed (no rename)"
    case .flag, .identifierMismatch, .customClassName, .userInfo: nil
    }
  }
}

extension AttributeDescription {
  fileprivate var corpusLabel: String {
    if isTransient { return "transient" }
    if derivation != nil { return "derived" }
    if isOptional { return defaultValue == nil ? "optional" : "optional with default" }
    return defaultValue == nil ? "required WITHOUT default" : "required with default"
  }
}

extension RelationshipChange {
  fileprivate var corpusLabels: [String] {
    switch self {
    case .added(let relationship, _):
      [
        "relationship added: \(relationship.corpusLabel)\(relationship.isOptional ? "" : " REQUIRED")"
      ]
    case .removed(let relationship):
      ["relationship removed: \(relationship.isToMany ? "to-many" : "to-one")"]
    case .renamed: ["relationship renamed (elementID)"]
    case .moved: ["relationship moved down/up the hierarchy"]
    case .wasAttribute: ["attribute turned into relationship of same name"]
    case .cardinality(let change): [change.corpusLabel]
    case .destination(_, let kinship): [kinship.corpusLabel].compactMap { $0 }
    case .inverse(let change, _): [change.corpusLabel]
    case .deleteRule: ["relationship delete rule changed"]
    case .counts: ["relationship min/max count changed"]
    case .isOptional(let flag):
      ["relationship \(flag ? "required -> optional" : "optional -> required")"]
    case .isTransient: ["relationship transient"]
    case .isIndexed: ["relationship indexed flag changed"]
    case .hashModifier: ["relationship versionHashModifier changed"]
    case .identifierMismatch: []
    case .renamingIdentifier: ["relationship elementID added/changed/removed (no rename)"]
    case .userInfo: ["relationship userInfo changed"]
    }
  }
}

extension RelationshipDescription {
  fileprivate var corpusLabel: String {
    isOrdered ? "ordered to-many" : isToMany ? "to-many" : "to-one"
  }
}

extension RelationshipChange.Kinship {
  fileprivate var corpusLabel: String? {
    switch self {
    case .renamed: nil
    case .ancestor: "relationship destination changed to a parent of the old destination"
    case .descendant: "relationship destination changed to a sub-entity"
    case .unrelated: "relationship destination changed to an unrelated entity"
    }
  }
}

extension Replacement<RelationshipDescription.Cardinality> {
  fileprivate var corpusLabel: String {
    switch (old, new) {
    case (.toOne, _): "relationship to-one -> to-many"
    case (_, .toOne): "relationship to-many -> to-one"
    case (_, .toMany(let isOrdered)):
      "relationship \(isOrdered ? "unordered -> ordered" : "ordered -> unordered")"
    }
  }
}

extension Replacement<String?> {
  fileprivate var corpusLabel: String {
    "relationship inverse \(old == nil ? "added" : new == nil ? "removed" : "changed")"
  }
}
