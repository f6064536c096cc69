import StorePredicate

extension FormatExpression {
  /// A property by the name that batch requests give it: `address.city` for an element of a composite.
  package init(property name: String) {
    let keys = name.split(separator: ".").map { KeyPathStep(.key(String($0))) }
    self.init(.keyPath(base: FormatExpression(.selfObject), keys))
  }
}
