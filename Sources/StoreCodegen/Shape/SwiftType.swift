import StoreModel

/// A type that generated code mentions, by where it comes from.
enum SwiftType: Hashable, Sendable {
  case standard(String)
  case foundation(String)
  /// Of our own modules.
  case store(String)
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

  func callAsFunction(_ type: SwiftType) -> String {
    switch type {
    case .standard(let name): hidden.contains(name) ? "Swift.\(name)" : name
    // Which module it is differs between systems.
    case .foundation(let name): hidden.contains(name) ? "StoreModel.AttributeValue.\(name)" : name
    case .store(let name): hidden.contains(name) ? "StoreModel.\(name)" : name
    case .named(let name): name
    }
  }

  /// A type of the standard library.
  func swift(_ name: String) -> String { self(.standard(name)) }

  /// A type of the module StoreModel.
  func store(_ name: String) -> String { self(.store(name)) }
}
