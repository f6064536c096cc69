import StorePredicate

/// How requests write a property, where its name alone may be a word of their language.
enum PropertyPath {
  /// - Parameter name: as the model has it, `in`, or an element of a composite, `position.latitude`.
  static func text(of name: String) -> String {
    FormatExpression.keyPath(name.split(separator: ".").map(String.init)).format
  }
}
