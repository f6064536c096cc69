import StoreModel
import StorePredicate

/// What a text must be: its length in UTF-16 units, which is how Core Data counts, and its pattern.
struct TextRules: Sendable {
  let length: ClosedRange<Int>
  /// Where the model asks for one that texts can be made for.
  let pattern: PatternText?
  let matcher: TextMatcher?
  /// Bounds that no text keeps to, or a pattern of a kind that no text can be made for.
  let fault: Issue?

  enum Issue: Hashable, Sendable {
    case length(Int, Int)
    case pattern(String)
  }

  init(_ attribute: Attribute) {
    var (low, high) = (0, Int.max >> 1)
    if case .integer(let least)? = attribute.validation.minimum { low = Int(max(0, least)) }
    if case .integer(let most)? = attribute.validation.maximum { high = Int(max(0, most)) }
    var fault: Issue? = low > high ? .length(low, high) : nil
    length = low...max(low, high)
    guard let text = attribute.validation.pattern,
      attribute.type == .string || attribute.type == .uri
    else {
      (pattern, matcher, self.fault) = (nil, nil, fault)
      return
    }
    do throws(TextMatcher.InvalidPattern) {
      matcher = try TextMatcher(.matches, text, options: [])
    } catch {
      // Such a pattern is asked of nobody: see `ValueRules`.
      (pattern, matcher, self.fault) = (nil, nil, fault)
      return
    }
    pattern = PatternText(text, length: length)
    if pattern == nil { fault = fault ?? .pattern(text) }
    self.fault = fault
  }

  func allows(_ text: String) -> Bool {
    guard length.contains(text.utf16.count) else { return false }
    guard let matcher else { return true }
    do throws(TextMatcher.ExcessiveWork) {
      return try matcher.matches(text)
    } catch {
      return false
    }
  }
}
