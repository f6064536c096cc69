import ModelArchives
import StoreModel
import StorePredicate

/// The hash of an attribute or relationship.
enum PropertyHash {
  /// attribute = SHA256( base ‖ type ‖ 1 if external storage is allowed ‖ 1 if preserved after deletion ). The hash of
  /// a derived attribute is the SHA256 of its expression.
  static func of(_ attribute: AttributeDescription) -> [UInt8] {
    var input = HashInput()
    if let derivation = attribute.derivation {
      input.append(DerivationText.text(of: derivation))
      return input.sha256
    }
    input.append(
      base(
        name: attribute.name, isOptional: attribute.isOptional,
        isTransient: attribute.isTransient, modifier: attribute.versionHashModifier))
    input.append(Int32(ArchivedCode.code(of: attribute.type)))
    if attribute.allowsExternalStorage { input.append(UInt8(1)) }
    if attribute.isPreservedAfterDeletion { input.append(UInt8(1)) }
    return input.sha256
  }

  /// relationship = SHA256( base ‖ destination ‖ inverse? ‖ maxCount ‖ minCount ‖ 1 if ordered )
  static func of(_ relationship: RelationshipDescription, inverse: String?) -> [UInt8] {
    var input = HashInput()
    input.append(
      base(
        name: relationship.name, isOptional: relationship.isOptional,
        isTransient: relationship.isTransient, modifier: relationship.versionHashModifier))
    input.append(relationship.destination)
    if let inverse { input.append(inverse) }
    let unwrittenMaximum = relationship.isToMany ? 0 : 1
    input.append(Int32(truncatingIfNeeded: relationship.maximumCount ?? unwrittenMaximum))
    input.append(Int32(truncatingIfNeeded: relationship.minimumCount ?? 0))
    if relationship.isOrdered || relationship.isOrderedToOne { input.append(UInt16(1)) }
    return input.sha256
  }

  /// base = SHA256( name ‖ flags ‖ modifier? )
  private static func base(
    name: String, isOptional: Bool, isTransient: Bool, modifier: String?
  ) -> [UInt8] {
    var input = HashInput()
    input.append(name)
    input.append(UInt16(isOptional ? 1 : 0) | UInt16(isTransient ? 2 : 0))
    if let modifier { input.append(modifier) }
    return input.sha256
  }
}

/// The text of a derivation expression that Core Data hashes.
enum DerivationText {
  /// Returns `count:(pages)` for `pages.@count`, a key path unchanged, and otherwise the formatted expression, which is
  /// a guess.
  static func text(of expression: FormatExpression) -> String {
    knownText(of: expression) ?? expression.format
  }

  /// Returns the text if stores confirm it: for a plain key path, or a key path with `@count` at its end.
  static func knownText(of expression: FormatExpression) -> String? {
    guard case .keyPath(let base, let steps) = expression.kind, base.kind == .selfObject else {
      return nil
    }
    let isCounted = steps.last?.function == .count
    let keys = steps.compactMap(\.key)
    guard !keys.isEmpty, keys.count == steps.count - (isCounted ? 1 : 0) else { return nil }
    let path = keys.joined(separator: ".")
    return isCounted ? "count:(\(path))" : path
  }
}
