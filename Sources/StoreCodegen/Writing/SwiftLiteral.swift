#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import StorePredicate

/// Swift literals of values.
enum SwiftLiteral {
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default: literal += isPlain(scalar) ? String(scalar) : escape(scalar)
      }
    }
    return literal + "\""
  }

  /// Returns whether a character is visible in an editor. Other characters are escaped.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  static func strings(_ texts: some Sequence<String>) -> SwiftCode {
    .array(texts.map { .text(string($0)) })
  }

  /// Returns the shortest literal that results in the same number.
  static func double(_ number: Double) -> String {
    if number.isNaN { return ".nan" }
    if number.isInfinite { return number < 0 ? "-.infinity" : ".infinity" }
    return number.description
  }

  static func float(_ number: Double) -> String {
    let float = Float(number)
    return float.isFinite ? float.description : double(Double(float))
  }

  /// Returns code that creates a UUID from sixteen bytes, because parsing text could fail at run time.
  static func uuid(_ uuid: UUID, type: String) -> SwiftCode {
    let bytes = withUnsafeBytes(of: uuid.uuid) { $0.map { SwiftCode.text(hex($0)) } }
    return .call(
      type, [.labelled("uuid", .list(open: "(", items: bytes, close: ")"))])
  }

  static func bytes(_ bytes: [UInt8]) -> SwiftCode { .array(bytes.map { .text(hex($0)) }) }

  private static func hex(_ byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns a call of an initializer of `Decimal` with the exact digits, because Swift converts a `Decimal` literal to
  /// Double first. Returns nil if the number isn't finite.
  static func decimal(_ number: Double, type: String) -> SwiftCode? {
    guard number.isFinite, let decimal = Decimal(string: number.description) else { return nil }
    return .call(
      type,
      [
        .text("sign: \(decimal.sign == .minus ? ".minus" : ".plus")"),
        .text("exponent: \(decimal.exponent)"),
        .text("significand: \(decimal.significand.magnitude)"),
      ])
  }
}

extension TypeNames {
  /// Returns a value of the model as a Swift literal, or nil if the type's initializers don't accept it, such as NaN
  /// for a Decimal.
  func literal(_ value: DataValue, as type: SwiftType) -> SwiftCode? {
    let name = self(type)
    return switch (type, value) {
    case (.standard("Bool"), .boolean(let flag)): .text("\(flag)")
    case (.standard("Bool"), .integer(let number)): .text("\(number != 0)")
    case (.standard("Float"), .double(let number)): .text(SwiftLiteral.float(number))
    case (.standard, .double(let number)): .text(SwiftLiteral.double(number))
    case (.standard, .string(let text)): .string(text)
    case (.foundation("URL"), .string(let text)):
      .call(name, [.labelled("string", .string(text))])
    case (.foundation("Decimal"), .double(let number)): SwiftLiteral.decimal(number, type: name)
    case (_, .integer(let number)): .text("\(number)")
    case (_, .date(let seconds)):
      .call(
        name,
        [.labelled("timeIntervalSinceReferenceDate", .text(SwiftLiteral.double(seconds)))])
    case (_, .uuid(let uuid)): SwiftLiteral.uuid(uuid, type: name)
    case (_, .binary(let bytes)): .call(name, [SwiftLiteral.bytes(bytes)])
    default: nil
    }
  }
}
