package import StoreSQL
package import StoreModel

extension SQLiteValue {
  /// The form in which a column of the type holds the value: a Float is kept as the Double of its
  /// 32 bits.
  package func stored(as type: AttributeType) throws(ValueProblem) -> SQLiteValue {
    switch (self, type) {
    case (.null, _), (_, .undefined), (_, .composite), (_, .objectID): return self
    case (.integer(let number), .integer16): return try whole(number, Int16.self, type)
    case (.integer(let number), .integer32): return try whole(number, Int32.self, type)
    case (.integer, .integer64), (.integer, .decimal), (.real, .decimal), (.real, .date),
      (.text, .string), (.text, .uri), (.blob, .binary), (.blob, .transformable), (.blob, .uuid):
      return self
    case (.integer(0...1), .boolean): return self
    case (.integer(let number), .double), (.integer(let number), .date):
      return .real(Double(number))
    case (.integer(let number), .float): return .real(Double(Float(number)))
    case (.real(let number), .double):
      guard number.isFinite else { throw .outOfRange(type) }
      return self
    case (.real(let number), .float):
      guard Float(number).isFinite else { throw .outOfRange(type) }
      return .real(Double(Float(number)))
    case (.real(let number), .integer16), (.real(let number), .integer32),
      (.real(let number), .integer64):
      // Division of a multiple is whole: `10 / 5` in floating point.
      guard number == number.rounded(.towardZero) else { throw .wrongType(type) }
      guard let exact = Int64(exactly: number) else { throw .outOfRange(type) }
      return try SQLiteValue.integer(exact).stored(as: type)
    case (.integer, _), (.real, _), (.text, _), (.blob, _): throw .wrongType(type)
    }
  }

  private func whole<Number: FixedWidthInteger>(
    _ number: Int64, _: Number.Type, _ type: AttributeType
  ) throws(ValueProblem) -> SQLiteValue {
    guard Number(exactly: number) != nil else { throw .outOfRange(type) }
    return self
  }
}
