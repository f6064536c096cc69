/// The answer of a condition. Memory's logic knows two of them, SQL's all three.
enum Truth: Hashable, Sendable {
  case no
  case unknown
  case yes

  init(_ isTrue: Bool) {
    self = isTrue ? .yes : .no
  }

  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .no: .yes
    case .unknown: .unknown
    case .yes: .no
    }
  }

  static func && (left: Truth, right: Truth) -> Truth {
    if left == .no || right == .no { return .no }
    return left == .yes && right == .yes ? .yes : .unknown
  }

  static func || (left: Truth, right: Truth) -> Truth { !(!left && !right) }
}
