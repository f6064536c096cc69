package import StoreDiagnostics
package import StoreModel
import StoreLayout

/// What becomes of each attribute of a model: by the lines of a file, else by the model's user info.
///
/// The nearest line counts: that of the entity, of its parents, that of the name in any entity; for an element of a
/// composite then those of the composite.
package struct RuleBook: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The entity whose rows it is about.
    package var entity: String
    /// The one that declares the attribute.
    package var owner: String
    /// An element of a composite by its path.
    package var attribute: Attribute
    package var rule: AnonymizationRule
    /// Nothing is said of it, and it is kept: a number or a Boolean.
    package var isDefault: Bool
    /// Stands in a uniqueness constraint.
    package var isUnique: Bool
  }

  /// For each attribute with a column of each entity that has rows; derived ones have none.
  package private(set) var entries: [Entry] = []

  /// The key in an attribute's user info.
  package static let userInfoKey = "anonymize"

  /// Notes on lines about attributes of other versions.
  package private(set) var notes: [Diagnostic] = []

  /// - Parameter others: the other versions of the model. They are read only where a line is about no attribute of this
  ///   one.
  /// - Throws: `RulesError`; `AnonymizationError.noRules`; what reading another version throws.
  package init(
    of model: Model, _ text: RulesText?, others: () throws -> [Model] = { [] }
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

  /// `Person.age` of what is kept because nothing is said of it, each once.
  package var keptByDefault: [String] {
    var seen: Set<String> = []
    return entries.filter(\.isDefault).map { "\($0.owner).\($0.attribute.name)" }
      .filter { seen.insert($0).inserted }
  }

  /// Whether an attribute with a rule has to keep its values apart; then all attributes with it do, or equal values
  /// would get different ones.
  func keepsApart(_ rule: AnonymizationRule) -> Bool {
    entries.contains { $0.isUnique && $0.rule == rule }
  }
}
