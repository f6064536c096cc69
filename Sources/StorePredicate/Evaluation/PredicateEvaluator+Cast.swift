#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateEvaluator {
  /// `CAST(value, 'Type')`: null where the type cannot hold the value.
  mutating func cast(
    _ operand: FormatExpression, to type: CastType
  ) throws(EvaluationError) -> Value {
    let value = try value(operand)
    guard case .value(let plain) = value else {
      if value.isNull { return .null }
      throw EvaluationError(.expectedText(found: value.noun), at: operand.range)
    }
    return plain.cast(to: type)
  }
}

extension Value {
  /// Null where the type cannot hold the value. SQL calls it too.
  package func cast(to type: CastType) -> Value {
    switch type {
    case .number, .decimal:
      if case .string(let text) = self { return Number(leading: text).value }
      return number?.value ?? .null
    case .string, .url: return text.map(Value.string) ?? .null
    case .date:
      if case .string(let text) = self { return ISODate.seconds(text).map(Value.date) ?? .null }
      return number.map { .date($0.real) } ?? .null
    case .uuid:
      if case .string(let text) = self { return UUID(uuidString: text).map(Value.uuid) ?? .null }
      return kind == .uuid ? self : .null
    case .data:
      if case .string(let text) = self {
        return Data(base64Encoded: text).map { .binary(Array($0)) } ?? .null
      }
      return kind == .bytes ? self : .null
    }
  }

  /// The value as text; nil for what has none.
  var text: String? {
    switch self {
    case .null, .binary: nil
    case .boolean(let flag): flag ? "1" : "0"
    case .integer(let number): String(number)
    // A Decimal without fraction may be stored as an integer: "7" either way, as Foundation writes it.
    case .double(let number): Int64(exactly: number).map { String($0) } ?? number.description
    case .string(let text): text
    case .date(let seconds): ISODate.text(seconds)
    case .uuid(let uuid): uuid.uuidString
    case .objectID(let id): id.uri
    }
  }
}

extension Number {
  /// The number that a text begins with, 0 where it begins with none: as `doubleValue` of a string and
  /// SQLite's CAST have it.
  init(leading text: String) {
    let characters = text.utf8.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
    var scan = characters[...]
    func digits() -> Int {
      let rest = scan.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      defer { scan = rest }
      return scan.count - rest.count
    }
    func skip(_ signs: String) -> Bool {
      guard let first = scan.first, signs.utf8.contains(first) else { return false }
      scan = scan.dropFirst()
      return true
    }
    _ = skip("+-")
    var count = digits()
    let isWhole = !skip(".")
    if !isWhole { count += digits() }
    var end = scan.startIndex
    var hasExponent = false
    if count > 0, skip("eE") {
      _ = skip("+-")
      hasExponent = digits() > 0
      if hasExponent { end = scan.startIndex }
    }
    let number = String(Substring(characters[..<end]))
    if isWhole, !hasExponent, let integer = Int64(number) {
      self = .integer(integer)
    } else {
      self = count > 0 ? .real(Double(number) ?? 0) : .integer(0)
    }
  }
}
