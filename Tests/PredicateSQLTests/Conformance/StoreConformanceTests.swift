import StoreDiagnostics
import StorePredicate
import Testing
import TestSupport

/// Runs every case of the corpus with a model in a store that contains its rows, and compares the results.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct StoreConformanceTests {
  /// Cases that read the contents of a Transformable, which a store can't do. They are refused and not counted.
  private static let insideTransformable: Set<String> = [
    "predicatekit-022", "predicatekit-023", "predicatekit-027", "predicatekit-028",
  ]

  @Test func storesGiveTheExpectedRows() throws {
    let datasets = try Dataset.all()
    let cases = try ConformanceCase.all().filter { $0.kind == .eval && $0.store == true }
    #expect(cases.count > 400)
    var stores: [String: DatasetStore] = [:]
    var failed: [String: String] = [:]
    var opaque: Set<String> = []
    for test in cases {
      let name = try #require(test.dataset)
      let dataset = try #require(datasets[name])
      let store = try stores[name] ?? DatasetStore(dataset)
      stores[name] = store
      switch Self.outcome(of: test, in: dataset, store) {
      case .asExpected: break
      case .insideTransformable: opaque.insert(test.id)
      case .other(let what): failed[test.id] = what
      }
    }
    for (id, difference) in failed.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(id): \(difference)")
    }
    #expect(opaque == Self.insideTransformable)
  }

  private enum Result {
    case asExpected
    case insideTransformable
    case other(String)
  }

  private static func outcome(
    of test: ConformanceCase, in dataset: Dataset, _ store: DatasetStore
  ) -> Result {
    let text = "\(test.predicate) \(test.args ?? [])"
    do {
      let values = (test.variables ?? [:]).mapValues {
        Self.expression($0.formatArgument(in: dataset))
      }
      let predicate = try test.parse(in: dataset).substituting(values)
      let found = try store.names(predicate, of: test.entity ?? "")
      switch test.expectedSql ?? test.expected {
      case .rows(let rows) where rows.sorted() == found.sorted(): return .asExpected
      case .rows(let rows): return .other("\(text): expected \(rows), found \(found)")
      case .status(let status): return .other("\(text): expected \(status), found \(found)")
      }
    } catch let error as any DiagnosableError {
      if error.diagnostics.contains(where: { $0.code == "predicate.inside-transformable" }) {
        return .insideTransformable
      }
      if case .status("eval_error") = test.expectedSql ?? test.expected { return .asExpected }
      let messages = error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
      return .other("\(text): \(messages)")
    } catch {
      return .other("\(text): \(error)")
    }
  }

  private static func expression(_ argument: FormatArgument) -> FormatExpression {
    switch argument {
    case .value(let value): FormatExpression(.constant(value))
    case .list(let members): FormatExpression(.list(members.map(expression)))
    case .expression(let expression): expression
    }
  }
}
