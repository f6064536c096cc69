#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes predicates and expressions in the format language.
struct FormatWriter {
  private(set) var text = ""

  // MARK: Conditions

  mutating func write(_ predicate: FormatPredicate) {
    switch predicate {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): write(comparison)
    case .and(let members): write(members, joinedBy: "AND", ifEmpty: true)
    case .or(let members): write(members, joinedBy: "OR", ifEmpty: false)
    case .not(let negated):
      text += "NOT "
      writeMember(negated)
    }
  }

  private mutating func write(_ members: [FormatPredicate], joinedBy word: String, ifEmpty: Bool) {
    guard members.count != 1 else { return write(members[0]) }
    guard !members.isEmpty else { return write(.constant(ifEmpty)) }
    for (index, member) in members.enumerated() {
      if index > 0 { text += " \(word) " }
      writeMember(member)
    }
  }

  /// Writes a part of a condition. AND and OR are enclosed in parentheses, even if the precedence doesn't require them.
  private mutating func writeMember(_ predicate: FormatPredicate) {
    switch predicate {
    case .and, .or: inParentheses { $0.write(predicate) }
    case .constant, .comparison, .not: write(predicate)
    }
  }

  private mutating func write(_ comparison: FormatComparison) {
    if comparison.modifier != .direct { text += "\(comparison.modifier.rawValue) " }
    write(comparison.left)
    text += " \(comparison.operator.rawValue)"
    if !comparison.options.isEmpty { write(comparison.options) }
    text += " "
    write(comparison.right)
  }

  private mutating func write(_ options: FormatComparison.Options) {
    text += "["
    for (letter, option) in ComparisonTable.optionLetters where options.contains(option) {
      text.append(letter)
    }
    text += "]"
  }

  // MARK: Expressions

  mutating func write(_ expression: FormatExpression, bindingAtLeast floor: Int = 0) {
    guard precedence(of: expression) >= floor else {
      return inParentheses { $0.write(expression) }
    }
    switch expression.kind {
    case .constant(let value): write(value)
    case .selfObject: text += "SELF"
    case .variable(let name): text += "$" + FormatName.escaped(name)
    case .keyPath(let base, let steps): write(base, steps)
    case .list(let members): write(members, between: "{", "}")
    case .arithmetic(let symbol, let left, let right):
      write(left, .arithmetic(symbol), symbol.rawValue, right)
    case .set(let word, let left, let right): write(left, .set(word), word.rawValue, right)
    case .negated(let operand): writeNegated(operand)
    case .function(let function, let arguments):
      text += function.rawValue
      write(arguments, between: "(", ")")
    case .method, .cast, .ternary, .subquery: writeCall(expression.kind)
    case .element(let collection, let index): write(collection, index)
    }
  }

  private func precedence(of expression: FormatExpression) -> Int {
    switch expression.kind {
    case .arithmetic(let symbol, _, _): BinaryOperator.arithmetic(symbol).precedence
    case .set(let word, _, _): BinaryOperator.set(word).precedence
    // A number requires parentheses before a dot, which would be its decimal point, and can begin with a minus.
    case .negated, .constant(.integer), .constant(.double): BinaryOperator.unaryPrecedence
    default: BinaryOperator.postfixPrecedence
    }
  }

  /// Operators are left-associative, so an operator of equal precedence on the right requires parentheses.
  private mutating func write(
    _ left: FormatExpression, _ symbol: BinaryOperator, _ spelling: String,
    _ right: FormatExpression
  ) {
    write(left, bindingAtLeast: symbol.precedence)
    text += " \(spelling) "
    write(right, bindingAtLeast: symbol.precedence + 1)
  }

  private mutating func writeNegated(_ operand: FormatExpression) {
    text += "-"
    switch operand.kind {
    // A minus before digits would become part of the number.
    case .constant(.integer), .constant(.double): inParentheses { $0.write(operand) }
    default: write(operand, bindingAtLeast: BinaryOperator.unaryPrecedence)
    }
  }

  private mutating func write(_ base: FormatExpression, _ steps: [KeyPathStep]) {
    switch base.kind {
    case .selfObject: break
    // Without parentheses, the steps would become part of the inner path.
    case .keyPath: inParentheses { $0.write(base) }
    default: write(base, bindingAtLeast: BinaryOperator.postfixPrecedence)
    }
    for (index, step) in steps.enumerated() {
      if index > 0 || base.kind != .selfObject { text += "." }
      text += step.spelling
    }
  }

  private mutating func write(_ collection: FormatExpression, _ index: FormatIndex) {
    write(collection, bindingAtLeast: BinaryOperator.postfixPrecedence)
    text += "["
    switch index {
    case .first: text += "FIRST"
    case .last: text += "LAST"
    case .size: text += "SIZE"
    case .at(let position): write(position)
    }
    text += "]"
  }

  private mutating func writeCall(_ kind: FormatExpression.Kind) {
    switch kind {
    case .method(let receiver, let selector, let arguments):
      text += "FUNCTION("
      // A literal as the first argument would name a built-in function.
      if case .constant(.string) = receiver.kind {
        inParentheses { $0.write(receiver) }
      } else {
        write(receiver)
      }
      text += ", \(FormatName.quoted(selector))"
      for argument in arguments {
        text += ", "
        write(argument)
      }
    case .cast(let value, let type):
      text += "CAST("
      write(value)
      text += ", \"\(type.rawValue)\""
    case .ternary(let condition, let whenTrue, let whenFalse):
      text += "TERNARY("
      write(condition)
      text += ", "
      write(whenTrue)
      text += ", "
      write(whenFalse)
    case .subquery(let collection, let variable, let condition):
      text += "SUBQUERY("
      write(collection)
      text += ", $\(FormatName.escaped(variable)), "
      write(condition)
    default: preconditionFailure("only called for calls")
    }
    text += ")"
  }

  private mutating func write(
    _ members: [FormatExpression], between opening: String, _ closing: String
  ) {
    text += opening
    for (index, member) in members.enumerated() {
      if index > 0 { text += ", " }
      write(member)
    }
    text += closing
  }

  private mutating func inParentheses(_ body: (inout FormatWriter) -> Void) {
    text += "("
    body(&self)
    text += ")"
  }

  /// Writes a literal. Types without literals are written as a CAST of another literal.
  mutating func write(_ value: DataValue) {
    switch value {
    case .null: text += "nil"
    case .boolean(let flag): text += flag ? "YES" : "NO"
    case .integer(let number): text += number.description
    case .double(let number) where number.isFinite: text += number.description
    case .double(let number): appendCast("\"\(number)\"", to: "NSNumber")
    case .string(let string): text += FormatName.quoted(string)
    case .date(let seconds) where seconds.isFinite: appendCast(seconds.description, to: "NSDate")
    case .date(let seconds): appendCast("CAST(\"\(seconds)\", \"NSNumber\")", to: "NSDate")
    case .uuid(let uuid): appendCast("\"\(uuid.uuidString)\"", to: "NSUUID")
    case .binary(let bytes): appendCast("\"\(Data(bytes).base64EncodedString())\"", to: "NSData")
    case .objectID(let id):
      appendCast(FormatName.quoted(id.uri), to: Parser.objectIDType)
    }
  }

  private mutating func appendCast(_ literal: String, to type: String) {
    text += "CAST(\(literal), \"\(type)\")"
  }
}

/// Writes names and strings in a form that the lexer reads as the same names and strings.
enum FormatName {
  /// Returns a key of a key path, with `#` before a reserved word, and with escapes for characters that a name can't
  /// contain.
  static func key(_ name: String) -> String {
    // `#` requires a plain name, so keywords that contain hyphens are written with escapes.
    let isPlain = !name.utf8.contains(UInt8(ascii: "-"))
    if isPlain, let keyword = Keyword(spelling: name.utf8), keyword.isReserved { return "#" + name }
    return escaped(name)
  }

  /// Returns a name with escapes for characters that a name can't contain.
  static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if text.isEmpty ? scalar.startsName : scalar.continuesName {
        text.unicodeScalars.append(scalar)
      } else {
        text += escape(scalar)
      }
    }
    return text
  }

  /// Returns a string in double quotes, on one line.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": text += escape(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}
