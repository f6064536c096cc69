import StoreDiagnostics

/// Parts that mean something together: the columns of an index, a constraint's attributes.
enum PartsConflict {
  /// What both sides have changed, and not alike.
  static func find(
    _ base: TextElement?, _ ours: TextElement, _ theirs: TextElement
  ) -> MergeConflict.Kind? {
    guard let base else { return nil }
    let (old, own, other) = (parts(of: base), parts(of: ours), parts(of: theirs))
    guard own != other else { return nil }
    switch ours.name {
    case "fetchIndex":
      guard merged(old, own, other) == nil else { return nil }
      return .parts("columns", ours: list(own), theirs: list(other))
    case "uniquenessConstraints", "compoundIndexes":
      // A constraint has no name: one that both have replaced is gone on both sides.
      let gone = Set(old).subtracting(own).subtracting(other)
      let new = (Set(own).subtracting(old), Set(other).subtracting(old))
      guard !gone.isEmpty, new.0 != new.1 else { return nil }
      let noun = ours.name == "compoundIndexes" ? "compound indexes" : "constraints"
      return .parts(noun, ours: list(own), theirs: list(other))
    default: return nil
    }
  }

  private static func parts(of element: TextElement) -> [ExactText] {
    ElementKey.keys(of: element.children, in: [], .none).map { ExactText($0.name) }
  }

  private static func list(_ parts: [ExactText]) -> String {
    parts.isEmpty ? "none" : parts.map { "(\($0.text))" }.joined(separator: ", ")
  }
}
