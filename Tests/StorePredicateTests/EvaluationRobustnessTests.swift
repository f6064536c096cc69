import Foundation
import StorePredicate
import TestSupport
import Testing

/// The evaluation of any tree returns a result or an error.
struct EvaluationRobustnessTests {
  /// Random trees, evaluated with an object that has a value for every key.
  @Test(arguments: Array(UInt64(1)...4))
  func anyTreeIsAnswered(seed: UInt64) {
    var random = RandomPredicate(seed: seed)
    var answers = (matches: 0, errors: 0)
    for _ in 0..<1_000 {
      let predicate = random.predicate(depth: 4)
      for nulls in PredicateEvaluator.NullLogic.allCases {
        var evaluator = PredicateEvaluator(nulls: nulls, variables: ["a": .object(Endless())])
        do throws(EvaluationError) {
          let isTrue = try evaluator.matches(predicate, .object(Endless()))
          let isFalse = try evaluator.matches(.not(predicate), .object(Endless()))
          // `random` can return different results.
          if !predicate.format.contains("random") { #expect(!(isTrue && isFalse)) }
          if nulls == .memory, !predicate.format.contains("random") {
            #expect(isTrue != isFalse, "seed \(seed): \(predicate.format)")
          }
          answers.matches += 1
        } catch {
          _ = error.diagnostic(in: PredicateText(predicate.format))
          answers.errors += 1
        }
      }
    }
    #expect(answers.matches > 60 && answers.errors > 60, "\(answers), seed \(seed)")
  }

  /// The first letter of a key determines its value.
  private struct Endless: PredicateObject {
    var objectID: ObjectID? { ObjectID(store: nil, entity: "Item", primaryKey: 1) }
    var entityName: String? { "Item" }

    func value(forKey key: String) -> EvaluatedValue? {
      switch key.first {
      case "a", "A": .object(Endless())
      case "n": .value(.string("é😀"))
      case "b": .value(.integer(.min))
      case "_": .set([.object(Endless()), .null])
      case "s": .list([.value(.integer(1)), .value(.double(.nan)), .null])
      case "f": .null
      case "g": .dictionary(["a": .value(.string("x"))])
      default: nil
      }
    }
  }

  /// Trees that are built in code can be deeper than the stack allows.
  @Test func depthHasABound() throws {
    var predicate = FormatPredicate.constant(true)
    var expression = FormatExpression.value(.integer(1))
    for _ in 0..<2_000 {
      predicate = .not(predicate)
      expression = FormatExpression(.negated(expression))
    }
    let comparison = FormatPredicate.comparison(FormatComparison(expression, .equal, expression))
    for deep in [predicate, comparison] {
      var evaluator = PredicateEvaluator(nulls: .memory)
      let error = try #require(throws: EvaluationError.self) {
        try evaluator.matches(deep, .null)
      }
      #expect(error.kind == .nestedTooDeeply(limit: 200))
    }
  }

  /// All predicates that can be parsed can be evaluated with half of a main thread's stack.
  @Test(arguments: [
    ("NOT ", "a == 1", ""), ("-", "a", " == 1"), ("{", "1", "}[0] == 1"), ("sum(", "1", ")"),
    ("TERNARY(TRUEPREDICATE, ", "1", ", 2)"), ("", "1", " + 1"), ("", "{1}", " UNION {1}"),
    ("SUBQUERY({1}, $x, ", "a == 1", ").@count == 0"),
  ])
  func parsedDepthIsEvaluated(opening: String, middle: String, closing: String) async throws {
    var deepest: FormatPredicate?
    for depth in 1...100 {
      let text =
        String(repeating: opening, count: depth) + middle + String(repeating: closing, count: depth)
      guard
        let predicate = (try? FormatPredicate(parsing: text))
          ?? (try? FormatPredicate(parsing: text + " == 1"))
      else { continue }
      deepest = predicate
    }
    let predicate = try #require(deepest)
    let result = await onSmallStack {
      var evaluator = PredicateEvaluator(nulls: .sql)
      return Result { try evaluator.matches(predicate, .dictionary(["a": .value(.integer(1))])) }
    }
    #expect(throws: Never.self) { try result.get() }
  }

  private func onSmallStack<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 4 * 1024 * 1024
      thread.start()
    }
  }
}
