import StoreModel
import StorePredicate

/// The entries of an attribute's user info that specify an enumeration of its values:
///
///     enum      open, done, late          String: the names are the values
///     enum      open=O, done=D            String
///     enum      low, normal, high         integers: 0, 1, 2
///     enum      low=10, high=20           integers
///     enumName  Priority                  the name of the enumeration; the default is the attribute's name
///     swiftType Priority                  instead of an enumeration, a type of the program that is a StorableValue
struct EnumSpelling: Hashable, Sendable {
  static let casesKey = "enum"
  static let nameKey = "enumName"
  static let typeKey = "swiftType"

  enum SpellingError: Error, Hashable, Sendable {
    case empty
    case notNamed(String)
    case notAnInteger(String)
    case twice(String)
    case wrongType(AttributeType)
  }

  /// The cases with their names in the model.
  var cases: [EnumShape.Case] = []

  init(_ text: String, of type: AttributeType) throws(SpellingError) {
    let entries = text.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
    guard !entries.isEmpty else { throw .empty }
    for entry in entries {
      let parts = entry.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
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
  ) throws(SpellingError) -> Value {
    switch type {
    case .string: return .string(text ?? name)
    case .integer16, .integer32, .integer64:
      guard let text else { return .integer(next) }
      let value: Value
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

  private var next: Int64 {
    if case .integer(let number)? = cases.last?.value { number + 1 } else { 0 }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
