extension FormatPredicate: CustomStringConvertible {
  /// The canonical text in the format language: `==` instead of `=`, strings in double quotes, spaces around operators,
  /// and parentheses only where they are necessary or around nested compounds.
  ///
  /// Parsing this text results in an equal tree if a parser created the tree: compounds have at least two members, and
  /// a cast of a literal is a constant (`CAST(0, "NSDate")` is a date).
  public var format: String {
    var writer = FormatWriter()
    writer.write(self)
    return writer.text
  }

  public var description: String { format }
}

extension FormatExpression: CustomStringConvertible {
  /// The canonical text in the format language, like `FormatPredicate.format`.
  public var format: String {
    var writer = FormatWriter()
    writer.write(self)
    return writer.text
  }

  public var description: String { format }
}
