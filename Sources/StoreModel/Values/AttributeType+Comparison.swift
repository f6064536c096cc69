package import StorePredicate

extension AttributeType {
  /// Converts a value to the type of an attribute that it is compared with. Returns nil if the two can't be compared.
  ///
  /// A number isn't limited to the range of the attribute: `age < 100000` is true for each 16-bit age, and `done == 5`
  /// is false for each Boolean. A text is converted to the type of the attribute. A number that is compared with a text
  /// attribute is converted to its digits, like SQLite does for a column of text: `numberPlate IN {9, 10}`.
  package func compared(with value: DataValue) -> DataValue? {
    switch (family, value) {
    case (.any, _), (.date, .date), (.uuid, .uuid), (.binary, .binary), (.text, .string): value
    case (.number, .integer), (.number, .double), (.number, .boolean): rounded(value)
    case (.text, .integer(let number)): .string("\(number)")
    case (.text, .double(let number)): Self.text(of: number).map(DataValue.string)
    case (.number, .string(let text)): number(ofText: text).map(rounded)
    case (_, .string(let text)): self.value(ofText: text)
    default: nil
    }
  }

  /// Returns the text that SQLite converts a number to: up to 15 digits with a decimal point. Returns nil if Swift's
  /// text might differ.
  private static func text(of number: Double) -> String? {
    let text = "\(number)"
    let digits = text.utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return number.isFinite && !text.contains("e") && digits.count <= 15 ? text : nil
  }

  private func number(ofText text: String) -> DataValue? {
    let type = isInteger && self != .boolean ? .integer64 : self
    return type.value(ofText: text)
  }

  /// Rounds a constant like the store rounds the values of the attribute, so that they can be equal. The store rounds a
  /// Float to 32 bits, and a Double can't represent all integers of more than 53 bits. A number that is too large for a
  /// Float doesn't equal any value and remains unchanged.
  private func rounded(_ value: DataValue) -> DataValue {
    switch (self, value) {
    case (.float, .double(let number)): .double(Self.single(number) ?? number)
    case (.float, .integer(let number)): .double(Double(Float(number)))
    case (.double, .integer(let number)) where Int64(exactly: Double(number)) != number:
      .double(Double(number))
    default: value
    }
  }
}
