extension FormatPredicate: CustomStringConvertible {
  /// The predicate in the canonical form of the format language: `==` for `=`, strings in double quotes, spaces around
  /// operators, and parentheses only if they are required or separate AND from OR.
  ///
  /// Parsing the text returns an equal predicate, if it could be the result of parsing. For example, AND and OR must
  /// have two or more members, and `CAST(0, "NSDate")` must be a constant date.
  public var format: String {
    var writer = FormatWriter()
    writer.write(self)
    return writer.text
  }

  public var description: String { format }
}

extension FormatExpression: CustomStringConvertible {
  /// The expression in the canonical form of the format language, with double quotes, spaces around operators, and only
  /// required parentheses.
  public var format: String {
    var writer = FormatWriter()
    writer.write(self)
    return writer.text
  }

  public var description: String { format }
}
