import StoreModel

/// A type in generated code, by its origin.
enum SwiftType: Hashable, Sendable {
  case standard(String)
  case foundation(String)
  /// A type of the library that generated code imports.
  case library(String)
  /// A generated type, or a type of the program.
  case named(String)

  /// The type of an attribute's values.
  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16: .standard("Int16")
      case .integer32: .standard("Int32")
      case .integer64: .standard("Int64")
      case .double: .standard("Double")
      case .float: .standard("Float")
      case .string: .standard("String")
      case .boolean: .standard("Bool")
      case .decimal: .foundation("Decimal")
      case .date: .foundation("Date")
      case .uuid: .foundation("UUID")
      case .uri: .foundation("URL")
      // Only the app can decode values that it has archived.
      case .binary, .transformable, .undefined, .objectID, .composite: .foundation("Data")
      }
  }

  var isFoundation: Bool {
    if case .foundation = self { true } else { false }
  }
}

/// Converts types to their names in source. A type is qualified by its module if a generated declaration would hide it.
struct TypeNames: Hashable, Sendable {
  /// The names of the generated declarations.
  let hidden: Set<String>
  /// The module that generated code imports.
  var library = "StoreModel"
  /// The prefix of a hidden type of Foundation: `Foundation`, or a type of StoreModel that declares the same names. In
  /// code for storetool's libraries, the name of Foundation's module depends on the system.
  var foundation = "StoreModel.AttributeValue"

  func callAsFunction(_ type: SwiftType) -> String {
    switch type {
    case .standard(let name): qualified(name, by: "Swift")
    case .foundation(let name): qualified(name, by: foundation)
    case .library(let name): qualified(name, by: library)
    case .named(let name): name
    }
  }

  private func qualified(_ name: String, by module: String) -> String {
    hidden.contains(name) ? "\(module).\(name)" : name
  }

  func swift(_ name: String) -> String { self(.standard(name)) }

  func foundation(_ name: String) -> String { self(.foundation(name)) }

  func library(_ name: String) -> String { self(.library(name)) }
}

/// The class of a Transformable attribute's values, as the model specifies it.
struct CustomClass: Hashable, Sendable {
  /// The text in the model.
  var text: String
  /// The Swift type, without the dot for the current module, or nil if it isn't valid.
  var type: String?

  /// Returns nil if the model doesn't specify a class.
  init?(of attribute: AttributeDescription) {
    guard let text = attribute.customClassName, !text.isEmpty, text != "." else { return nil }
    self.text = text
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    type = Self.isType(name) ? name : nil
  }

  /// Returns whether a text is a type such as `Module.Name`, `[Name]`, `[Name: Name]` or `Name<Name>`: identifiers, and
  /// matching brackets.
  private static func isType(_ text: String) -> Bool {
    var open: [Character] = []
    let closing: [Character: Character] = ["]": "[", ">": "<"]
    for character in text {
      switch character {
      case "[", "<": open.append(character)
      case "]", ">": guard open.popLast() == closing[character] else { return false }
      default: continue
      }
    }
    let words = text.split(maxSplits: .max, omittingEmptySubsequences: true) {
      "[]<>:,.? ".contains($0)
    }
    return open.isEmpty && !words.isEmpty
      && words.allSatisfy { SwiftName.isIdentifier(String($0)) }
  }
}
