import Foundation
import TestSupport
import Testing

@testable import StorePredicate

/// Every predicate that was found in real code and in real models.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusParsingTests {
  @Test func predicatesOfRealCode() throws {
    let file = Corpus.root.appendingPathComponent("predicates/wild.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 100)
    for line in lines { expectRoundTrip(String(line)) }
  }

  @Test func predicatesOfRealModels() throws {
    let texts = try Corpus.table("fetch-requests.tsv").compactMap { $0["predicateString"] }
      .filter { !$0.isEmpty }
    #expect(texts.count > 60)
    for text in texts { expectRoundTrip(text) }
  }

  /// Parses with an invented argument for every placeholder.
  private func expectRoundTrip(_ text: String) {
    let arguments = Lexer.tokens(of: text).compactMap { token -> FormatArgument? in
      guard case .placeholder(let placeholder) = token.kind else { return nil }
      switch placeholder {
      case .object, .string: return "text"
      case .keyPath: return "some.key"
      case .integer: return 7
      case .double: return 1.5
      case .character: return "c"
      }
    }
    do {
      let predicate = try FormatPredicate(parsing: text, arguments: arguments)
      #expect(try FormatPredicate(parsing: predicate.format) == predicate, Comment(rawValue: text))
    } catch {
      Issue.record("\(text)\n\(error)")
    }
  }
}
