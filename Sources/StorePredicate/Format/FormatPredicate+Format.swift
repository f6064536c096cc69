extension FormatPredicate: CustomStringConvertible {
  /// The predicate in the canonical form of the format language: `==` for `=`, strings in double quotes, spaces around
  /// operators, and parentheses only if they are required or separate AND from OR.
  ///
  /// Parsing the text returns an equal predicate if the parser can create this predicate. It can't create, for example,
  /// AND and OR with fewer than two members, or the CAST of a constant number to a date, which it parses as a constant.
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
