import StoreCore
import StoreLayout
package import StoreModel
import StorePredicate
import SQLiteAccess

/// Creates the replacement of each value of an attribute.
struct ValueReplacement {
  let rule: AnonymizationRule
  let type: AttributeType
  /// Whether replacements must be unique.
  let isUnique: Bool
  /// The maximum length in UTF-16 units, like in the model, or nil.
  let longest: Int?
  let constant: SQLiteValue?
  private let source: ValueSource

  /// - Throws: `RuleFitError` for a constant that isn't a value of the type.
  init(
    _ rule: AnonymizationRule, of attribute: AttributeDescription, isUnique: Bool = false,
    from source: ValueSource
  ) throws(RuleFitError) {
    self.rule = rule
    self.isUnique = isUnique
    self.source = source
    type = attribute.type
    if case .integer(let most)? = attribute.validation.maximum, [.string, .uri].contains(type) {
      longest = Int(clamping: max(most, 0))
    } else {
      longest = nil
    }
    guard case .constant(let text) = rule else {
      constant = nil
      return
    }
    do {
      constant = try type.stored(text: text)
    } catch {
      throw .constant(text, type)
    }
  }

  /// A value that the rule can't replace, because it has another storage class than the attribute's type.
  struct UnfitValue: Error {}

  func replaced(_ value: SQLiteValue) throws(UnfitValue) -> SQLiteValue {
    switch (rule, value) {
    case (.keep, _), (_, .null): return value
    case (.null, _): return .null
    case (.constant, _): return constant ?? .null
    case (.blank, _): return type == .string ? .text("") : .blob([])
    case (_, .text("")): return value
    case (.hash, .text(let text)) where type == .string || type == .uri:
      let digits = hexDigits(source.draw(for: "hash", Array(text.utf8)))
      return .text(cut(type == .uri ? "urn:hash:\(digits)" : digits))
    case (.hash, .integer(let number)):
      return .integer(NumberPermutation(source: source).permuted(number))
    case (.hash, .blob(let bytes)):
      var draw = source.draw(for: "hash", bytes)
      return .blob(type == .uuid ? Self.uuid(draw.bytes(16)) : draw.bytes(bytes.count))
    case (.scramble, .text(let text)): return .text(scrambled(text))
    case (.fake(let kind), .text(let text)):
      let made = kind.text(for: text, from: source, isUnique: isUnique)
      // The end of the text makes it unique, so the beginning is cut off if the text is too long.
      return .text(isUnique && kind.isOfFewWords ? end(of: made) : cut(made))
    case (.shift(let seconds), _):
      return try dated(value) { $0 + Double(span(of: seconds)) }
    case (.jitter(.seconds(let seconds)), _):
      return try dated(value) { date in
        let moved = deviation(of: date, upTo: Double(seconds)).rounded()
        return date + (moved == 0 ? direction(of: date) : moved)
      }
    case (.round(.calendar(let step)), _): return try dated(value, step.start)
    case (.jitter(.number(let extent)), _):
      return try moved(value) { $0 + deviation(of: $0, upTo: extent) }
    case (.jitter(.percent(let percent)), _):
      return try moved(value) { $0 * (1 + deviation(of: $0, upTo: percent) / 100) }
    case (.round(.number(let step)), _):
      return try numbered(value) { ($0 / step).rounded() * step }
    case (.hash, _), (.scramble, _), (.fake, _): throw UnfitValue()
    }
  }

  // MARK: Texts

  /// Returns the text, cut to the model's maximum number of UTF-16 units. Characters aren't split.
  private func cut(_ text: String) -> String {
    guard let longest, text.utf16.count > longest else { return text }
    var cut = text
    while cut.utf16.count > longest, !cut.isEmpty { cut.removeLast() }
    return cut
  }

  private func end(of text: String) -> String {
    longest.map { String(text.suffix($0)) } ?? text
  }

  /// Scrambles a text. The scheme of a URI is kept.
  private func scrambled(_ text: String) -> String {
    let scramble = ScrambledText(source: source)
    guard type == .uri, let colon = text.firstIndex(of: ":") else {
      return scramble.scrambled(text)
    }
    return text[...colon] + scramble.scrambled(String(text[text.index(after: colon)...]))
  }

  private func hexDigits(_ draw: Draw) -> String {
    var draw = draw
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: draw.bytes(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// Sets the bits that mark a random UUID: RFC 9562, version 4.
  private static func uuid(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }

  // MARK: Numbers and dates

  /// Returns the number of seconds by which all dates are shifted: a positive or negative number of days, which isn't
  /// zero.
  private func span(of seconds: Int64) -> Int64 {
    let days = UInt64(seconds / ISODate.secondsPerDay)
    var draw = source.draw(for: "shift \(days)")
    let distance = Int64(1 + draw.number(below: days)) * ISODate.secondsPerDay
    return draw.byte() & 1 == 0 ? distance : -distance
  }

  private func deviation(of number: Double, upTo extent: Double) -> Double {
    let bits = number.bitPattern
    var draw = source.draw(
      for: "jitter", (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
    return (Double(draw.number() >> 11) / Double(1 << 52) - 1) * extent
  }

  /// Returns 1 or -1, depending on the key and the number.
  private func direction(of number: Double) -> Double {
    deviation(of: number, upTo: 1) < 0 ? -1 : 1
  }

  /// Returns a number changed by `change`, or by a small step if the change is lost when the result is rounded to the
  /// type. The step is 1, or 0.01 for numbers with a fraction, and at least the difference to the next number. A number
  /// from 0 to less than the step is increased, so that a step doesn't make it negative.
  private func moved(
    _ value: SQLiteValue, _ change: (Double) -> Double
  ) throws(UnfitValue) -> SQLiteValue {
    let moved = try numbered(value, change)
    guard Self.isSameNumber(moved, value) else { return moved }
    // A whole Decimal is stored as an integer, and remains whole.
    let isWhole = if case .integer = moved { true } else { false }
    for sign in [1.0, -1] {
      let stepped = try numbered(value) { number in
        let precision = type == .float ? Double(Float(number).ulp) : number.ulp
        let step = max(isWhole ? 1 : 0.01, precision)
        let isUp = number >= 0 && number < step || direction(of: number) > 0
        return number + (isUp ? step : -step) * sign
      }
      if !Self.isSameNumber(stepped, value) { return stepped }
    }
    return moved
  }

  private static func isSameNumber(_ one: SQLiteValue, _ other: SQLiteValue) -> Bool {
    switch (one, other) {
    case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
      Double(whole) == real
    default: one == other
    }
  }

  /// Returns a changed date. A date that is stored as an integer remains an integer if the result isn't too large.
  private func dated(
    _ value: SQLiteValue, _ change: (Double) -> Double
  ) throws(UnfitValue) -> SQLiteValue {
    switch value {
    case .integer(let seconds):
      let changed = change(Double(seconds))
      return Int64(exactly: changed.rounded()).map { .integer($0) } ?? .real(changed)
    case .real(let seconds): return .real(change(seconds))
    case .null, .text, .blob: throw UnfitValue()
    }
  }

  private func numbered(
    _ value: SQLiteValue, _ change: (Double) -> Double
  ) throws(UnfitValue) -> SQLiteValue {
    switch value {
    case .integer(let number) where type.isInteger || type == .decimal:
      return .integer(clamped(change(Double(number))))
    case .integer(let number): return real(change(Double(number)))
    case .real(let number) where type.isInteger: return .integer(clamped(change(number)))
    case .real(let number): return real(change(number))
    // A Decimal that isn't a number.
    case .text(AttributeType.notANumber): return value
    case .null, .text, .blob: throw UnfitValue()
    }
  }

  private func real(_ number: Double) -> SQLiteValue {
    switch type {
    // A Decimal is rounded to two decimal places, like a price. A longer fraction would reveal the change.
    case .decimal where abs(number) < 1e13: .real((number * 100).rounded() / 100)
    case .float: .real(Double(Float(number)))
    default: .real(number)
    }
  }

  private func clamped(_ number: Double) -> Int64 {
    let range = type.integerBounds
    guard let whole = Int64(exactly: number.rounded()) else {
      return number < 0 ? range.lowerBound : range.upperBound
    }
    return min(max(whole, range.lowerBound), range.upperBound)
  }
}

/// The reason why a rule isn't valid for an attribute.
package enum RuleFitError: Error, Hashable, Sendable {
  /// The rule isn't valid for attributes of the type.
  case type(AnonymizationRule, AttributeType, isRequired: Bool)
  case required(AttributeType)
  case constant(String, AttributeType)
  /// The values must be unique, and the rule can make them equal.
  case unique(AnonymizationRule)
}
