import StoreModel
import StorePredicate

/// The entries of an attribute's user info that specify the Swift type of its values.
///
/// `enum` lists the cases of an enumeration that is generated:
///
///     enum      open, done, late      for a String: the names are the values
///     enum      open=O, done=D        for a String: the values are O and D
///     enum      low, normal, high     for an integer: the values are 0, 1 and 2
///     enum      low=10, high=20       for an integer: the values are 10 and 20
///
/// `enumName` is the name of this enumeration. By default, it is derived from the attribute's name. With `enumOpen` =
/// `YES`, the attribute can also have other values. `swiftType` instead names a type that the app with the generated
/// code defines. The type must conform to `StorableValue`.
struct EnumSpelling: Hashable, Sendable {
  static let casesKey = "enum"
  static let nameKey = "enumName"
  static let openKey = "enumOpen"
  static let typeKey = "swiftType"

  enum SpellingError: Error, Hashable, Sendable {
    case empty
    case notNamed(String)
    case notAnInteger(String)
    case twice(String)
    case wrongType(AttributeType)
  }

  /// The cases, with the names from the user info. A name isn't necessarily a valid Swift identifier.
  var cases: [EnumShape.Case] = []

  init(_ text: String, of type: AttributeType) throws(SpellingError) {
    let entries = text.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
    guard !entries.isEmpty else { throw .empty }
    for entry in entries {
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { Self.trimmed($0) }
      guard let name = parts.first, !name.isEmpty else { throw .notNamed(entry) }
      let value = try value(parts.count == 2 ? parts[1] : nil, for: name, of: type)
      guard !cases.contains(where: { $0.name == name || $0.value == value }) else {
        throw .twice(entry)
      }
      cases.append(EnumShape.Case(name: name, value: value))
    }
  }

  private func value(
    _ text: String?, for name: String, of type: AttributeType
  ) throws(SpellingError) -> DataValue {
    switch type {
    case .string: return .string(text ?? name)
    case .integer16, .integer32, .integer64:
      let text = text ?? next
      let value: DataValue
      do {
        value = try ValueText.value(of: text, as: type)
      } catch {
        throw .notAnInteger(text)
      }
      guard case .integer = value else { throw .notAnInteger(text) }
      return value
    default: throw .wrongType(type)
    }
  }

  /// The value of the next case, unless the user info specifies it: the previous value plus one, or 0 for the first
  /// case. It can be too large for the attribute's type.
  private var next: String {
    if case .integer(let number)? = cases.last?.value { "\(Int128(number) + 1)" } else { "0" }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
