import StoreModel

/// A type that generated code mentions, by where it comes from.
enum SwiftType: Hashable, Sendable {
  case standard(String)
  case foundation(String)
  /// Of the library that generated code is written against.
  case library(String)
  /// Generated, or the program's own.
  case named(String)

  /// What an attribute's values are read as.
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
      // What an app has archived, it alone can read.
      case .binary, .transformable, .undefined, .objectID, .composite: .foundation("Data")
      }
  }

  var isFoundation: Bool {
    if case .foundation = self { true } else { false }
  }
}

/// Writes types so that no generated name hides them.
struct TypeNames: Hashable, Sendable {
  /// The names that are generated.
  let hidden: Set<String>
  /// The module that generated code is written against.
  var library = "StoreModel"
  /// What stands before a type of Foundation's that is hidden. For our own libraries that is a type
  /// with such members: which module has them differs between systems.
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

  /// A type of the standard library.
  func swift(_ name: String) -> String { self(.standard(name)) }

  /// A type of Foundation.
  func foundation(_ name: String) -> String { self(.foundation(name)) }

  /// A type of the module that generated code is written against.
  func library(_ name: String) -> String { self(.library(name)) }
}

/// The class that a model names for a Transformable attribute's values.
struct CustomClass: Hashable, Sendable {
  /// As the model writes it.
  var text: String
  /// As Swift writes it, without the dot that stands for the current module; nil where it can't.
  var type: String?

  /// Nil where the model names none.
  init?(of attribute: Attribute) {
    guard let text = attribute.customClassName, !text.isEmpty, text != "." else { return nil }
    self.text = text
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    type = Self.isType(name) ? name : nil
  }

  /// `Module.Name`, `[Name]`, `[Name: Name]`, `Name<Name>`: identifiers, and brackets in pairs.
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
