/// A function that can be called by name. Each case corresponds to a kind of expression, as which calls are parsed.
package enum BuiltIn: Hashable, Sendable {
  case function(FormatFunction)
  /// `add:to:(a, b)` is `a + b`.
  case arithmetic(ArithmeticOperator)
  case cast
  case element

  private static let all: [BuiltIn] =
    FormatFunction.allCases.map(Self.function) + ArithmeticOperator.allCases.map(Self.arithmetic)
    + [.cast, .element]

  /// The name of the function in text and in archives.
  package var selector: String {
    switch self {
    case .function(let function): function.rawValue
    case .arithmetic(.add): "add:to:"
    case .arithmetic(.subtract): "from:subtract:"
    case .arithmetic(.multiply): "multiply:by:"
    case .arithmetic(.divide): "divide:by:"
    case .arithmetic(.power): "raise:toPower:"
    case .arithmetic(.bitwiseAnd): "bitwiseAnd:with:"
    case .arithmetic(.bitwiseOr): "bitwiseOr:with:"
    case .arithmetic(.bitwiseXor): "bitwiseXor:with:"
    case .arithmetic(.shiftLeft): "leftshift:by:"
    case .arithmetic(.shiftRight): "rightshift:by:"
    case .cast: "castObject:toType:"
    case .element: "objectFrom:withIndex:"
    }
  }

  /// Creates the function with exactly this selector.
  package init?(selector: String) {
    guard let found = Self.named(selector).first, found.selector == selector else { return nil }
    self = found
  }

  /// The valid numbers of arguments. An aggregate accepts one collection, or one or more values.
  var arity: ClosedRange<Int> {
    switch self {
    case .function(let function): function.arity
    case .arithmetic, .cast, .element: 2...2
    }
  }

  /// Returns the functions with this selector (`modulus:by:`) or this first word (`modulus`). Functions with the same
  /// first word differ in the number of their arguments.
  static func named(_ name: String) -> [BuiltIn] { table[name] ?? [] }

  /// All functions with their selectors. `avg:` is a second selector of `average:`, because the SQL function is called
  /// `avg`.
  private static let spellings =
    all.map { (selector: $0.selector, builtIn: $0) } + [("avg:", .function(.average))]

  static var selectors: [String] { spellings.map(\.selector) }

  private static let table: [String: [BuiltIn]] = {
    var table: [String: [BuiltIn]] = [:]
    for (selector, builtIn) in spellings {
      table[selector, default: []].append(builtIn)
      let firstWord = String(selector.prefix { $0 != ":" })
      if firstWord != selector { table[firstWord, default: []].append(builtIn) }
    }
    return table
  }()
}
