import SQLiteAccess
import StoreDiagnostics
import StorePredicate

/// The SQL functions for tests of one text against another, with Unicode's folding of case and diacritics.
extension TextMatcher.Test {
  var functionName: String {
    switch self {
    case .equal: "TEXT_EQUALS"
    case .contains: "TEXT_CONTAINS"
    case .beginsWith: "TEXT_BEGINS"
    case .endsWith: "TEXT_ENDS"
    case .like: "TEXT_LIKE"
    case .matches: "TEXT_MATCHES"
    }
  }

  /// The pattern of a test, which is folded or compiled once per statement and kept as an object.
  private final class Pattern {
    let matcher: TextMatcher

    init(_ matcher: TextMatcher) {
      self.matcher = matcher
    }
  }

  func call(_ call: FunctionCall) {
    guard !call.isNull(at: 0), !call.isNull(at: 1) else { return call.returnNull() }
    // SQLite checks for an interruption only after many rows, and each row can take a second here.
    if self == .matches, Cancellation.ofProcess.isRequested { return call.interrupt() }
    let pattern: Pattern
    do throws(TextMatcher.InvalidPattern) {
      pattern = try call.prepared(at: 1) { () throws(TextMatcher.InvalidPattern) in
        let text = call.text(at: 1) ?? ""
        return Pattern(try TextMatcher(self, text, options: call.options(at: 2)))
      }
    } catch {
      return call.fail("'\(error.pattern)' isn't a regular expression")
    }
    do throws(TextMatcher.ExcessiveWork) {
      let isMatch = try call.withText(at: 0) { text throws(TextMatcher.ExcessiveWork) in
        try pattern.matcher.matches(text)
      }
      call.answer(.integer(isMatch ? 1 : 0))
    } catch {
      call.fail("\(error.message); \(TextMatcher.ExcessiveWork.help)")
    }
  }
}

/// `TEXT_COMPARE`: the order of two texts after folding, by code point.
enum TextOrder {
  static let name = "TEXT_COMPARE"

  static func call(_ call: FunctionCall) {
    guard let left = call.text(at: 0), let right = call.text(at: 1) else {
      return call.returnNull()
    }
    let folding = TextFolding(call.options(at: 2))
    let (first, second) = (folding.folded(left), folding.folded(right))
    let order = first == second ? 0 : (first.lexicographicallyPrecedes(second) ? -1 : 1)
    call.answer(.integer(Int64(order)))
  }
}

extension FunctionCall {
  /// Returns the options for the letters `c` and `d` of an argument.
  fileprivate func options(at index: Int) -> FormatComparison.Options {
    let letters = text(at: index) ?? ""
    var options: FormatComparison.Options = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }
}
