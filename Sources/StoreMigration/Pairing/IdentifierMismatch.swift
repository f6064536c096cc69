import StoreDiagnostics
package import StoreModel

/// A pair of entities or properties that storetool matches by name although their canonical identifiers differ. Core
/// Data doesn't pair them, so its inferred migration drops the rows or values.
package struct IdentifierMismatch: Hashable, Sendable {
  /// The entity or property of the target.
  package var part: ModelPart
  /// The name of the entity or property in the source, such as `Item` or `Item.title`.
  package var source: String
  /// The name in the target.
  package var target: String
  /// The canonical identifier in the source: the renaming identifier, or the name if the renaming identifier is
  /// missing.
  package var sourceIdentifier: String
  /// The canonical identifier in the target.
  package var targetIdentifier: String
}

extension ModelPairing {
  /// The mismatches, sorted by the target's names. A property is listed once, with the entity that declares it.
  ///
  /// Renames that only other versions declare (`followedRenames`) aren't listed.
  package var mismatches: [IdentifierMismatch] {
    let followed = Set(followedRenames.map { [$0.source, $0.target] })
    return entities.sorted { $0.target < $1.target }.flatMap { pair -> [IdentifierMismatch] in
      guard let old = source.entity(named: pair.source), let new = target.entity(named: pair.target)
      else { return [] }
      let entity = mismatch(.entity(new.name), (old.name, old.renamable), (new.name, new.renamable))
      let attributes = new.attributes.compactMap { attribute in
        source.attributes(of: old).first { $0.name.isExactly(pair.attributes[attribute.name]) }
          .flatMap { mismatch(attribute.renamable, of: new, $0.renamable, of: old) }
      }
      let relationships = new.relationships.compactMap { relationship in
        source.relationships(of: old).first {
          $0.name.isExactly(pair.relationships[relationship.name])
        }
        .flatMap { mismatch(relationship.renamable, of: new, $0.renamable, of: old) }
      }
      return ([entity].compactMap(\.self) + attributes + relationships)
        .filter { !followed.contains([$0.source, $0.target]) }
    }
  }

  private func mismatch(
    _ new: Renamable, of entity: EntityDescription, _ old: Renamable,
    of oldEntity: EntityDescription
  ) -> IdentifierMismatch? {
    mismatch(
      .property(new.name, of: entity.name), ("\(oldEntity.name).\(old.name)", old),
      ("\(entity.name).\(new.name)", new))
  }

  private func mismatch(
    _ part: ModelPart, _ old: (name: String, Renamable), _ new: (name: String, Renamable)
  ) -> IdentifierMismatch? {
    guard old.1.canonical != new.1.canonical else { return nil }
    return IdentifierMismatch(
      part: part, source: old.name, target: new.name, sourceIdentifier: old.1.canonical,
      targetIdentifier: new.1.canonical)
  }
}

extension IdentifierMismatch {
  /// The mismatch as text, such as `'P.name' (renaming identifier 'name') is matched with the old 'P.title' (renaming
  /// identifier 'title')`.
  package var sentence: String {
    "'\(target)' (renaming identifier '\(targetIdentifier)') is matched with the old '\(source)' "
      + "(renaming identifier '\(sourceIdentifier)')"
  }

  /// The change of the target that fixes the mismatch.
  package var advice: String {
    let name = target.split(separator: ".").last.map(String.init)
    return name == sourceIdentifier
      ? "remove the elementID of '\(target)'"
      : "set the elementID of '\(target)' to '\(sourceIdentifier)'"
  }

  /// The data that Core Data drops, such as `the values of 'P.title'`.
  package var loss: String {
    if case .entity = part { "the rows of '\(source)'" } else { "the values of '\(source)'" }
  }

  var diagnostic: DiagnosticMessage {
    .warning(
      "migrate.identifier-mismatch",
      "\(sentence): Core Data's inferred migration would drop \(loss)"
    ).helping(advice)
  }
}
