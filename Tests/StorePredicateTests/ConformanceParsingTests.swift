import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct ConformanceParsingTests {
  /// Predicates that are rejected intentionally.
  private static let refused: [String: String] = [
    "npredicate-037": "assignment of a variable has no effect that any source describes",
    "cappuccino-019": "a key named by a variable, which Apple's grammar does not have",
    "-023": "UTI-CONFORMS-TO needs the system's type registry",
    "realm-swift-030": "@K is a typing mistake for %K, and no collection operator",
    "realm-swift-051": "ANYKEY has a meaning only for Spotlight",
    "realm-swift-445": "@allValues belongs to Realm's maps",
    "libs-base-023": "an argument without a placeholder: Apple ignores it",
    "foundation-017": "an argument without a placeholder: Apple ignores it",
  ]

  /// Printed forms that differ from Apple's for the same text.
  private static let printedByOthers: Set<String> = [
    "libs-base-034", "libs-base-058",  // GNUstep
    "restkit-003",  // after substitution
  ]

  @Test func casesParseAsExpected() throws {
    let cases = try ConformanceCase.all()
    #expect(cases.count > 800)
    for test in cases {
      do {
        let predicate = try test.parse()
        #expect(Self.refused[test.id] == nil, Comment(rawValue: test.id))
        if case .status("parse_error") = test.expected {
          Issue.record("\(test.id) should not parse: \(test.predicate)")
        }
        #expect(
          try FormatPredicate(parsing: predicate.format) == predicate, Comment(rawValue: test.id))
      } catch {
        if case .status("parse_error") = test.expected { continue }
        if Self.refused[test.id] != nil { continue }
        Issue.record("\(test.id): \(test.predicate)\n\(error)")
      }
    }
  }

  /// The output of Apple's `predicateFormat` in Apple's tests.
  @Test func printsAsApplePrints() throws {
    for test in try ConformanceCase.all() {
      guard let expected = test.expectedFormat, !Self.printedByOthers.contains(test.id)
      else { continue }
      #expect(try test.parse().format == expected, Comment(rawValue: test.id))
    }
  }
}
