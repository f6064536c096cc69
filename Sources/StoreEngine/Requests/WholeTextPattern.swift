import Foundation

/// A model's validation pattern: an ICU regular expression that must match the whole text.
struct WholeTextPattern: @unchecked Sendable {
  let text: String
  // Immutable and documented as safe to use from several threads.
  private let expression: NSRegularExpression

  /// Nil when the model's pattern is no regular expression: then it cannot be asked for.
  init?(_ text: String) {
    self.text = text
    do {
      expression = try NSRegularExpression(pattern: "\\A(?:\(text))\\z")
    } catch {
      return nil
    }
  }

  func matches(_ candidate: String) -> Bool {
    let whole = NSRange(candidate.startIndex..., in: candidate)
    return expression.firstMatch(in: candidate, range: whole) != nil
  }
}
