extension FormatPredicate: CustomStringConvertible {
  /// Canonical text of the format language: `==` for `=`, strings in double quotes, a space around
  /// operators, and parentheses only where they are needed or where compounds meet.
  ///
  /// Reads back to an equal tree, if the tree is one that the parser makes: compounds have two members
  /// or more, and a literal that a cast can hold is a constant (`CAST(0, "NSDate")` is a date).
  public var format: String {
    var writer = FormatWriter()
    writer.write(self)
    return writer.text
  }

  public var description: String { format }
}

extension FormatExpression: CustomStringConvertible {
  /// Canonical text, as `FormatPredicate.format`.
  public var format: String {
    var writer = FormatWriter()
    writer.write(self)
    return writer.text
  }

  public var description: String { format }
}
