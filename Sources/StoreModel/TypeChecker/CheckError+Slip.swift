import StorePredicate

// The checker sees a tree. What its writer meant shows in the text: a word without quotes is a key path, a date
// without them a subtraction.
extension CheckError {
  /// What was probably meant, where the text around the error shows it.
  func slip(in text: String) -> String? {
    let (bytes, range) = (Array(text.utf8), self.range.range)
    guard range.upperBound <= bytes.count else { return nil }
    let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
    let found = String(decoding: bytes[range], as: UTF8.self)
    let after = String(decoding: bytes[range.upperBound...], as: UTF8.self)
    switch kind {
    case .unknownProperty(let name, _, _) where before.hasSuffix("."):
      return Self.operators[name.lowercased()].map { Self.advice(for: $0, behind: before) }
    case .unknownProperty where Self.endsWithOperator(before) && !after.hasPrefix("."):
      return "text stands in quotes: \"\(found)\""
    case .mismatch(_, .attribute(.date)) where Self.looksLikeDate(found):
      return "dates stand in quotes: \"\(found)\""
    case .notAnObject(_, _, let attribute?):
      guard let path = Self.keyPath(before: before) else { return nil }
      return "or compare an attribute of it: \(path).\(attribute) == \(found)"
    default: return nil
    }
  }

  /// What other languages call the collection operators.
  private static let operators = [
    "count": "@count", "size": "@count", "length": "@count", "sum": "@sum", "avg": "@avg",
    "average": "@avg", "min": "@min", "max": "@max",
  ]

  /// - Parameter before: the text up to the dot.
  private static func advice(for function: String, behind before: String) -> String {
    let path = String(
      before.reversed().prefix { $0.isLetter || $0.isNumber || "._".contains($0) }.reversed())
    return function == "@count"
      ? "the number of members is \(path)@count" : "of a member's values: \(path)\(function).price"
  }

  private static let words = Set(
    Comparison.Operator.allCases.map(\.rawValue).filter { $0.first?.isLetter == true })

  /// Whether what follows is compared with what stands before.
  private static func endsWithOperator(_ text: String) -> Bool {
    let text = text.trimmingSuffix { $0.isWhitespace }
    guard let last = text.last else { return false }
    if "=<>".contains(last) { return true }
    // A member of a list in braces.
    if "{,".contains(last), let brace = text.lastIndex(of: "{") {
      return !text[brace...].contains("}")
    }
    // Options stand behind an operator: CONTAINS[cd].
    let bracket = last == "]" ? text.lastIndex(of: "[") : nil
    let bare = bracket.map { text[..<$0] } ?? text
    return words.contains(bare.trimmingPrefixToLastWord().uppercased())
  }

  private static func looksLikeDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].count == 4 && (1...2).contains(parts[1].count)
      && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
  }

  /// The key path that an equality compares, the left side of which the text ends with.
  private static func keyPath(before text: String) -> String? {
    let left = text.trimmingSuffix { $0.isWhitespace || "=!".contains($0) }
    let path = left.reversed().prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    return path.isEmpty || left.count == text.count ? nil : String(path.reversed())
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ isLeftOut: (Character) -> Bool) -> Substring {
    var rest = Substring(self)
    while let last = rest.last, isLeftOut(last) { rest = rest.dropLast() }
    return rest
  }

  fileprivate func trimmingPrefixToLastWord() -> String {
    String(trimmingSuffix { $0.isWhitespace }.reversed().prefix { $0.isLetter }.reversed())
  }
}
