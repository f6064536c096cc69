/// A function that can be called by name, and the node that the call becomes.
enum BuiltIn: Hashable, Sendable {
  case function(Function)
  /// `add:to:(a, b)` is `a + b`.
  case arithmetic(ArithmeticOperator)
  /// `castObject:toType:`
  case cast
  /// `objectFrom:withIndex:`
  case element

  /// How many arguments it takes. Functions over a collection take its members one by one too.
  var arity: ClosedRange<Int> {
    switch self {
    case .function(let function): function.arity
    case .arithmetic, .cast, .element: 2...2
    }
  }

  /// All the functions that `name` may mean: by selector (`modulus:by:`), or by its first word alone
  /// (`modulus`), where the number of arguments tells them apart.
  static func named(_ name: String) -> [BuiltIn] { table[name] ?? [] }

  static var selectors: [String] {
    all.map(\.selector)
  }

  private static let all: [(selector: String, builtIn: BuiltIn)] =
    Function.allCases.map { ($0.rawValue, .function($0)) } + [
      ("add:to:", .arithmetic(.add)), ("from:subtract:", .arithmetic(.subtract)),
      ("multiply:by:", .arithmetic(.multiply)), ("divide:by:", .arithmetic(.divide)),
      ("raise:toPower:", .arithmetic(.power)), ("bitwiseAnd:with:", .arithmetic(.bitwiseAnd)),
      ("bitwiseOr:with:", .arithmetic(.bitwiseOr)), ("bitwiseXor:with:", .arithmetic(.bitwiseXor)),
      ("leftshift:by:", .arithmetic(.shiftLeft)), ("rightshift:by:", .arithmetic(.shiftRight)),
      ("castObject:toType:", .cast), ("objectFrom:withIndex:", .element),
      // The name of the collection operator and of SQL.
      ("avg:", .function(.average)),
    ]

  private static let table: [String: [BuiltIn]] = {
    var table: [String: [BuiltIn]] = [:]
    for (selector, builtIn) in all {
      table[selector, default: []].append(builtIn)
      let firstWord = String(selector.prefix { $0 != ":" })
      if firstWord != selector { table[firstWord, default: []].append(builtIn) }
    }
    return table
  }()
}
