import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AttributeChange {
  var wording: ChangeWording {
    switch self {
    case .added(let attribute, let resembles):
      ChangeWording(
        "attribute.added",
        "added: \(attribute.summary)\(resembles.renameHint)"
          + attribute.renamingIdentifier.idleIdentifier(unless: resembles))
    case .removed(let attribute):
      ChangeWording("attribute.removed", "removed: \(attribute.summary)")
    case .renamed(let old): ChangeWording("attribute.renamed", "renamed from '\(old)'", old: old)
    case .moved(let old, let new): ChangeWording("attribute.moved", "declared by", old, new)
    case .wasRelationship: ChangeWording("attribute.was-relationship", "was a relationship")
    case .type(let change):
      ChangeWording("attribute.type", from: change.old.words, to: change.new.words)
    case .isOptional(true, _): ChangeWording("attribute.optional", from: "required", to: "optional")
    case .isOptional(false, let fallback):
      ChangeWording(
        "attribute.required",
        "optional → required, " + (fallback.map { "default \($0.words)" } ?? "without a default"))
    case .defaultValue(let change):
      ChangeWording("attribute.default", "default", change.old?.words, change.new?.words)
    case .isTransient(let flag):
      flag
        ? ChangeWording("attribute.transient", from: "stored", to: "transient")
        : ChangeWording("attribute.stored", from: "transient", to: "stored")
    case .derivation(let change): ChangeWording("attribute.derivation", "derived from", change)
    case .valueTransformer(let change):
      ChangeWording("attribute.transformer", "transformer", change)
    case .validation(let change):
      ChangeWording("attribute.validation", "allowed", change.old.words, change.new.words)
    case .flag(let flag, let isOn): .onOff("attribute.\(flag.code)", flag.rawValue, isOn)
    case .customClassName(let change): ChangeWording("attribute.class", "class", change)
    case .hashModifier(let change):
      ChangeWording("attribute.hash-modifier", "version hash modifier", change)
    case .renamingIdentifier(let change):
      ChangeWording("attribute.element-id", "elementID", change)
    case .identifierMismatch(let change): .identifierMismatch("attribute", losing: "values", change)
    case .userInfo(let keys): .userInfo("attribute", keys)
    }
  }
}

extension AttributeFlag {
  fileprivate var code: String {
    switch self {
    case .indexed: "indexed"
    case .storedExternally: "external"
    case .preservedAfterDeletion: "preserved"
    case .cloudEncrypted: "encrypted"
    case .indexedBySpotlight: "spotlight"
    case .scalar: "scalar"
    }
  }
}

extension AttributeDescription {
  /// The attribute as text, such as `String, required, default ""`.
  fileprivate var summary: String {
    var parts = [type.words, isOptional ? "optional" : "required"]
    if isTransient { parts.append("transient") }
    if let derivation { parts.append("derived from \(derivation.format)") }
    if let defaultValue { parts.append("default \(defaultValue.words)") }
    if lacksValue { parts.append("without a default") }
    return parts.joined(separator: ", ")
  }
}

extension AttributeDescription.Validation {
  /// The allowed values as text, such as `1 to 10, matching [a-z]+`; nil if all values are valid.
  fileprivate var words: String? {
    let range: String? =
      switch (minimum, maximum) {
      case (nil, nil): nil
      case (let minimum?, nil): "from \(minimum.words)"
      case (nil, let maximum?): "to \(maximum.words)"
      case (let minimum?, let maximum?): "\(minimum.words) to \(maximum.words)"
      }
    let parts = [range, pattern.map { "matching \($0)" }].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension AttributeType {
  fileprivate var words: String {
    if case .composite(let name) = self { "Composite \(name)" } else { name }
  }
}

extension DataValue {
  /// The value as text in a message: strings in quotes, dates as ISO 8601.
  fileprivate var words: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    case .date(let seconds): ISODate.text(seconds) ?? "\(seconds)"
    case .uuid(let uuid): uuid.uuidString
    case .binary(let bytes): "\(bytes.count) bytes"
    case .objectID(let id): id.uri
    }
  }
}
