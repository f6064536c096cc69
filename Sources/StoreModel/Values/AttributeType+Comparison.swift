package import StorePredicate

extension AttributeType {
  /// What an attribute of the type is compared with, for a value that stands on the other side; nil when
  /// the two can't be compared.
  ///
  /// A number is compared as the number that it is, and so fits every numeric attribute: `age < 100000`
  /// is true for each 16-bit age, and `done == 5` for no Boolean. A text is read as the type's. A number beside
  /// a text attribute is its digits, as SQLite compares it with a column of text: `numberPlate IN {9, 10}`.
  package func compared(with value: Value) -> Value? {
    switch (family, value) {
    case (.any, _), (.date, .date), (.uuid, .uuid), (.binary, .binary), (.text, .string): value
    case (.number, .integer), (.number, .double), (.number, .boolean): rounded(value)
    case (.text, .integer(let number)): .string("\(number)")
    case (.text, .double(let number)): Self.text(of: number).map(Value.string)
    case (.number, .string(let text)): number(ofText: text).map(rounded)
    case (_, .string(let text)): self.value(ofText: text)
    default: nil
    }
  }

  /// The text that SQLite makes of a number: up to 15 digits, with a point. Nil where it would differ from Swift's.
  private static func text(of number: Double) -> String? {
    let text = "\(number)"
    let digits = text.utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return number.isFinite && !text.contains("e") && digits.count <= 15 ? text : nil
  }

  private func number(ofText text: String) -> Value? {
    let type = isInteger && self != .boolean ? .integer64 : self
    return type.value(ofText: text)
  }

  /// Stores keep a Float as the double that equals its 32 bits, and a Double has 53 bits for a whole
  /// number: only a constant rounded the same way can equal them. What is too large for a Float equals
  /// none, and stays.
  private func rounded(_ value: Value) -> Value {
    switch (self, value) {
    case (.float, .double(let number)): .double(Self.single(number) ?? number)
    case (.float, .integer(let number)): .double(Double(Float(number)))
    case (.double, .integer(let number)) where Int64(exactly: Double(number)) != number:
      .double(Double(number))
    default: value
    }
  }
}
