package import StoreDiagnostics
package import StoreModel
import StoreLayout

/// The rules for the attributes of a model, from the lines of a file and the model's user info.
///
/// The first of these rules applies to an attribute:
///
/// 1. the line for the entity of the rows or its nearest ancestor, such as `Person.name`
/// 2. the line for any entity, such as `name`
/// 3. for an element of a composite, the lines for the composite, in the same order
/// 4. the rule in the user info of the attribute, or of its composite
package struct RuleBook: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The entity of the rows.
    package var entity: String
    /// The entity that declares the attribute.
    package var owner: String
    /// The attribute. An element of a composite has its path as its name.
    package var attribute: AttributeDescription
    package var rule: AnonymizationRule
    /// Whether the attribute has no rule and is kept, because it is a number, a Boolean or an object ID.
    package var isDefault: Bool
    /// Whether the attribute is a part of a uniqueness constraint.
    package var isUnique: Bool
  }

  /// An entry for each stored attribute of each concrete entity, except derived attributes.
  package private(set) var entries: [Entry] = []

  /// The key of a rule in an attribute's user info.
  package static let userInfoKey = "anonymize"

  /// Notes about lines for attributes that only other versions of the model have.
  package private(set) var notes: [DiagnosticMessage] = []

  /// - Parameter others: the other versions of the model. They are only read if a line isn't about an attribute of this
  ///   version.
  /// - Throws: `RulesError`; `AnonymizationError.noRules`; an error of reading another version.
  package init(
    of model: DataModel, _ text: RulesText?, others: () throws -> [DataModel] = { [] }
  ) throws {
    let (lines, issues) = text?.read() ?? ([], [])
    var resolver = RuleResolver(model, lines, issues)
    for entity in model.entities where !entity.isAbstract {
      entries += resolver.entries(of: entity)
    }
    try resolver.checkLines(others)
    guard resolver.issues.isEmpty else { throw RulesError(issues: resolver.issues) }
    guard resolver.missing.isEmpty else {
      throw AnonymizationError.noRules(resolver.missing.sorted())
    }
    notes = RulesError(issues: resolver.notes).diagnostics
  }

  /// The attributes that are kept because they have no rule, such as `Person.age`, without duplicates.
  package var keptByDefault: [String] {
    var seen: Set<String> = []
    return entries.filter(\.isDefault).map { "\($0.owner).\($0.attribute.name)" }
      .filter { seen.insert($0).inserted }
  }

  /// Returns whether the new values of a rule must be unique, because one of the attributes with the rule is in a
  /// uniqueness constraint. This then applies to all attributes with the rule, so that equal values have equal new
  /// values.
  func keepsApart(_ rule: AnonymizationRule) -> Bool {
    entries.contains { $0.isUnique && $0.rule == rule }
  }
}
