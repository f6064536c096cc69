package import SQLiteAccess
import StoreLayout
package import StoreModel
import StorePredicate

/// `VALUE_CONVERT(value, from, to)`: converts a column's value to the value that another attribute type stores, for
/// migrations. The types are named as in model XML. The result is NULL if the conversion would change the value, as for
/// a fraction that is converted to an integer, or if the value can't be converted, as for text that isn't a date.
package enum ValueConversion {
  package static let name = "VALUE_CONVERT"

  package static func sql(_ value: SQL, _ old: AttributeType, _ new: AttributeType) -> SQL {
    "VALUE_CONVERT(\(value), \(value: .text(old.name)), \(value: .text(new.name)))"
  }

  package static func call(_ call: FunctionCall) {
    guard let from = call.text(at: 1).flatMap(type(named:)),
      let to = call.text(at: 2).flatMap(type(named:)), let value = call.value(at: 0)
    else { return call.returnNull() }
    call.answer(convert(value, from: from, to: to) ?? .null)
  }

  package static func convert(
    _ value: SQLiteValue, from: AttributeType, to: AttributeType
  ) -> SQLiteValue? {
    switch (value, to) {
    case (_, .string): text(of: value, from).map { .text($0) }
    case (.text(let text), .uri): .text(text)
    // `stored(text:)` would read `null` as NULL, as in a command's argument. In a column, it is only a text.
    case (.text("null"), _): nil
    case (.text(let text), _): read(text, as: to)
    case (.integer(let number), .boolean): (0...1).contains(number) ? value : nil
    case (.real(let number), .boolean): number == 0 || number == 1 ? .integer(Int64(number)) : nil
    case (.integer, _), (.real, _): number(value, as: to)
    case (.blob, _), (.null, _): nil
    }
  }

  private static func type(named name: String) -> AttributeType? {
    AttributeType.named.first { $0.name == name }?.type
  }

  /// Returns the text that reads back as the same value.
  private static func text(of value: SQLiteValue, _ type: AttributeType) -> String? {
    switch (value, type) {
    case (.text(let text), _): text
    case (.integer(let number), .boolean): number == 0 ? "false" : "true"
    case (.integer(let number), .date): ISODate.text(Double(number))
    case (.real(let seconds), .date): ISODate.text(seconds)
    case (.integer(let number), _): String(number)
    case (.real(let number), .float): Float(number).description
    case (.real(let number), _): number.description
    case (.blob(let bytes), .uuid): DataValue(uuid: bytes)?.text
    case (.blob, _), (.null, _): nil
    }
  }

  private static func read(_ text: String, as type: AttributeType) -> SQLiteValue? {
    do throws(ValueError) {
      return try type.stored(text: text)
    } catch {
      return nil
    }
  }

  private static func number(_ value: SQLiteValue, as type: AttributeType) -> SQLiteValue? {
    do throws(ValueError) {
      let stored = try type.stored(computed: value)
      return value.isSameNumber(as: stored) ? stored : nil
    } catch {
      return nil
    }
  }
}

extension SQLiteValue {
  /// Returns whether a conversion preserved the number. A large integer can lose digits as a Double, and a Double as a
  /// Float.
  fileprivate func isSameNumber(as other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let number), .real(let real)), (.real(let real), .integer(let number)):
      Int64(exactly: real) == number
    case (.real(let one), .real(let other)): one == other
    case (let one, let other): one == other
    }
  }
}

/// `VALUE_CAST(value, source, target)`: a CAST that depends on the attribute's type, which SQLite doesn't know. The
/// result is the same as for a predicate in memory.
enum ValueCastCall {
  static let name = "VALUE_CAST"

  static func sql(_ value: SQL, of source: ValueType, to target: CastType) -> SQL {
    // Only dates and UUIDs must be named, because the storage class determines the type of other values.
    let kind: CastType? =
      switch source {
      case .attribute(.date): .date
      case .attribute(.uuid): .uuid
      case .any, .attribute, .object, .entity, .collection: nil
      }
    return
      "VALUE_CAST(\(value), \(value: .text(kind?.rawValue ?? "")), \(value: .text(target.rawValue)))"
  }

  static func call(_ call: FunctionCall) {
    guard let target = call.text(at: 2).flatMap(CastType.init), let value = value(call) else {
      return call.returnNull()
    }
    call.answer(SQLiteValue(value.cast(to: target)))
  }

  /// Returns the value to cast, or nil for NULL and for a UUID with an invalid length.
  private static func value(_ call: FunctionCall) -> DataValue? {
    let source = call.text(at: 1).flatMap(CastType.init)
    switch call.value(at: 0) {
    case .integer(let number): return source == .date ? .date(Double(number)) : .integer(number)
    case .real(let number): return source == .date ? .date(number) : .double(number)
    case .text(let text): return .string(text)
    case .blob(let bytes):
      return source == .uuid ? DataValue(uuid: bytes) : .binary(bytes)
    case .null, nil: return nil
    }
  }
}
