import SQLiteAccess
import StoreDiagnostics
import StorePredicate

/// Tests of one text against another, with Unicode's folding of case and diacritics.
enum TextTest: String, CaseIterable {
  case equals = "TEXT_EQUALS"
  case contains = "TEXT_CONTAINS"
  case begins = "TEXT_BEGINS"
  case ends = "TEXT_ENDS"
  case like = "TEXT_LIKE"
  case matches = "TEXT_MATCHES"

  private var test: TextMatcher.Test {
    switch self {
    case .equals: .equal
    case .contains: .contains
    case .begins: .beginsWith
    case .ends: .endsWith
    case .like: .like
    case .matches: .matches
    }
  }

  /// The pattern of a test, which is folded or compiled once per statement and kept as an object.
  private final class Pattern {
    let matcher: TextMatcher

    init(_ matcher: TextMatcher) {
      self.matcher = matcher
    }
  }

  static func call(_ function: TextTest) -> (FunctionCall) -> Void {
    { call in
      guard !call.isNull(at: 0), !call.isNull(at: 1) else { return call.returnNull() }
      // SQLite checks for an interruption only after many rows, and each row can take a second here.
      if function == .matches, Cancellation.ofProcess.isRequested { return call.interrupt() }
      let pattern: Pattern
      do throws(TextMatcher.InvalidPattern) {
        pattern = try call.prepared(at: 1) { () throws(TextMatcher.InvalidPattern) in
          let text = call.text(at: 1) ?? ""
          return Pattern(try TextMatcher(function.test, text, options: call.options(at: 2)))
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
  fileprivate func options(at index: Int) -> Comparison.Options {
    let letters = text(at: index) ?? ""
    var options: Comparison.Options = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }
}
