import StoreCore
import StoreModel
import StorePredicate

/// Texts that a regular expression matches, numbered from 0. Not all matches are included: for example, a quantifier
/// without a maximum has a limited number of repetitions.
///
/// `init` returns nil for unsupported expressions, such as look-around, back references and nested sets. Callers must
/// match each text against the expression again, because anchors are ignored.
struct PatternText: Hashable, Sendable {
  indirect enum Node: Hashable, Sendable {
    case set([UInt32])
    case sequence([Node])
    case choice([Node])
    case repetition(Node, Int, Int)
  }

  private let root: Node
  /// The number of texts, at most `ValueDomain.limit`. A text counts twice if it can be generated in two ways.
  let count: UInt64

  /// The number of additional repetitions for a quantifier without a maximum.
  private static let slack = 6

  /// Returns nil if the expression isn't supported or doesn't match any text.
  init?(_ pattern: String, length: ClosedRange<Int>) {
    // Long texts require more repetitions.
    var parser = PatternParser(pattern, slack: max(Self.slack, min(length.lowerBound, 1_000)))
    guard let root = parser.pattern() else { return nil }
    self.root = root
    count = root.count
    if count == 0 { return nil }
  }

  func text(_ number: UInt64) -> String {
    var (rest, text) = (number % count, String.UnicodeScalarView())
    root.append(&rest, to: &text)
    return String(text)
  }
}

extension PatternText.Node {
  var count: UInt64 {
    switch self {
    case .set(let scalars): UInt64(scalars.count)
    case .sequence(let parts): parts.reduce(1) { ValueDomain.product($0, $1.count) }
    case .choice(let parts): parts.reduce(0) { min(ValueDomain.limit, $0 + $1.count) }
    case .repetition(let part, let least, let most):
      (least...most).reduce(0) { min(ValueDomain.limit, $0 + ValueDomain.power(part.count, $1)) }
    }
  }

  /// Appends the text for the number's lowest digit in base `count`, and removes this digit from the number. The last
  /// part of a sequence uses the lowest digit, so that consecutive numbers differ at the end of the text.
  fileprivate func append(_ number: inout UInt64, to text: inout String.UnicodeScalarView) {
    switch self {
    case .set(let scalars):
      let digit = number % UInt64(scalars.count)
      number /= UInt64(scalars.count)
      if let scalar = Unicode.Scalar(scalars[Int(digit)]) { text.append(scalar) }
    case .sequence(let parts):
      var pieces: [String.UnicodeScalarView] = []
      for part in parts.reversed() {
        var piece = String.UnicodeScalarView()
        part.append(&number, to: &piece)
        pieces.append(piece)
      }
      for piece in pieces.reversed() { text.append(contentsOf: piece) }
    case .choice(let parts):
      let count = self.count
      var digit = number % count
      number /= count
      for part in parts {
        guard digit >= part.count else { return part.append(&digit, to: &text) }
        digit -= part.count
      }
    case .repetition(let part, let least, let most):
      let count = self.count
      var digit = number % count
      number /= count
      for times in least...most {
        let size = ValueDomain.power(part.count, times)
        guard digit >= size else {
          return PatternText.Node.sequence(Array(repeating: part, count: times)).append(
            &digit, to: &text)
        }
        digit -= size
      }
    }
  }
}

/// The rules of a text: its pattern, and its length in UTF-16 units, like in Core Data.
struct TextRules: Sendable {
  let length: ClosedRange<Int>
  /// The pattern, if the model has one and it is supported.
  let pattern: PatternText?
  let matcher: TextMatcher?
  /// Contradictory bounds, or a pattern for which no texts can be generated.
  let fault: Issue?

  enum Issue: Hashable, Sendable {
    case length(Int, Int)
    case pattern(String)
  }

  init(_ attribute: AttributeDescription) {
    var (low, high) = (0, Int.max >> 1)
    if case .integer(let least)? = attribute.validation.minimum { low = Int(max(0, least)) }
    if case .integer(let most)? = attribute.validation.maximum { high = Int(max(0, most)) }
    let length = low...max(low, high)
    let isText = attribute.type == .string || attribute.type == .uri
    let text = isText ? attribute.validation.pattern : nil
    self.length = length
    matcher = text.flatMap { TextMatcher(rule: $0) }
    pattern = matcher == nil ? nil : text.flatMap { PatternText($0, length: length) }
    if low > high {
      fault = .length(low, high)
    } else {
      fault = matcher == nil || pattern != nil ? nil : text.map(Issue.pattern)
    }
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
