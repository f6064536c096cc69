import Foundation
import PredicateSQL
import SampleData
@testable import SQLiteAccess
import StoreModel
import StorePredicate
import Testing

/// The deepest and the longest predicates that can be parsed are checked, compiled and run on half of a main thread's
/// stack.
struct DeepPredicateTests {
  /// Each predicate matches the employees whose age is 31. SQLite's stack may be exhausted earlier, which it reports.
  @Test(arguments: [
    ("NOT NOT ", "age == 31", ""), ("(", "age == 31", ")"), ("NOT (NOT (", "age == 31", "))"),
    ("-(-", "age", ")"), ("(0 + ", "age", ")"), ("", "age", " + 0"), ("abs(", "age", ")"),
    ("TERNARY(name != nil, ", "age", ", 0)"), ("TERNARY(", "age == 31", ", 31, 0) == 31"),
    ("max(0, ", "age", ")"),
    ("(age == 31 OR ", "age == 31", ")"), ("(age == 31 AND ", "age == 31", ")"),
  ])
  func deepestText(opening: String, middle: String, closing: String) async throws {
    let texts = (1...100).map { depth in
      String(repeating: opening, count: depth) + middle + String(repeating: closing, count: depth)
    }
    let predicates = texts.compactMap { text in
      // If the innermost part is a value, the whole expression is compared.
      (try? FormatPredicate(parsing: text)) ?? (try? FormatPredicate(parsing: text + " == 31"))
    }
    #expect(predicates.count >= 19, "and not \(predicates.count)")
    let deepest = try #require(predicates.last)
    let result = await onSmallStack { try rows(of: deepest) }
    if case .failure(DatabaseError.tooComplex) = result { return }
    #expect(try result.get() == [2, 3])
  }

  @Test(arguments: [" AND ", " OR "])
  func longChain(joint: String) async throws {
    let text = Array(repeating: "age == 31", count: 5_000).joined(separator: joint)
    let predicate = try FormatPredicate(parsing: text)
    #expect(try await onSmallStack { try rows(of: predicate) }.get() == [2, 3])
  }

  private func rows(of predicate: FormatPredicate) throws -> [Int64?] {
    #expect(try FormatPredicate(parsing: predicate.format) == predicate)
    let store = try CompanyStore()
    let request = StoreFetchRequest(entity: "Employee", predicate: predicate, result: .objectIDs)
    let query = try request.sql(in: store.layout, storeUUID: CompanyStore.uuid)
    return try store.inside { try $0.rows(query.sql) }.map { row in
      guard case .integer(let key)? = row.first else { return nil }
      return key
    }
  }

  private func onSmallStack<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) async -> Result<Answer, any Error> {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Result { try body() }) }
      thread.stackSize = 4 * 1024 * 1024
      thread.start()
    }
  }
}
