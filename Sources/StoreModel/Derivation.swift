package import StorePredicate

/// The expression of a derived attribute, in the forms that Apple documents
/// (docs/formats/model-xml.md).
package enum Derivation: Hashable {
  /// `now()`: when the row was last saved.
  case now
  /// `pages.@count`
  case count(relationship: String)
  /// `pages.words.@sum`
  case sum(relationship: String, attribute: String)
  /// `title` or `lastMessage.createdAt`: the names on the way, the attribute last.
  case value([String])
  /// `canonical:(title)`, `uppercase:(…)`, `lowercase:(…)`
  case text(Function, [String])

  /// Nil for any other expression: Core Data is not known to keep such an attribute.
  package init?(_ expression: FormatExpression) {
    let form = expression.derivationForm
    switch form.kind {
    case .function(.now, _): self = .now
    case .function(let change, let arguments)
    where [.canonical, .uppercase, .lowercase].contains(change) && arguments.count == 1:
      guard let names = arguments[0].propertyNames else { return nil }
      self = .text(change, names)
    case .keyPath(let base, let steps) where base.kind == .selfObject:
      if let names = form.propertyNames {
        self = .value(names)
      } else if steps.count == 2, case .key(let relationship) = steps[0].kind,
        steps[1].kind == .collection(.count)
      {
        self = .count(relationship: relationship)
      } else if steps.count == 3, case .key(let relationship) = steps[0].kind,
        steps[1].kind == .collection(.sum), case .key(let attribute) = steps[2].kind
      {
        self = .sum(relationship: relationship, attribute: attribute)
      } else {
        return nil
      }
    default: return nil
    }
  }
}

extension FormatExpression {
  /// The names in a key path of properties only.
  fileprivate var propertyNames: [String]? {
    guard case .keyPath(let base, let steps) = kind, base.kind == .selfObject else { return nil }
    let names = steps.compactMap { step -> String? in
      if case .key(let name) = step.kind { name } else { nil }
    }
    return names.count == steps.count ? names : nil
  }
}
