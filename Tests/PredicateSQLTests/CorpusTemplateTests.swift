import Foundation
import PredicateSQL
import SampleData
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreModelReader
import StorePredicate
import Testing
import TestSupport

/// Every fetch request of every real model compiles to a statement that SQLite accepts for the model's generated
/// tables.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusTemplateTests {
  /// Templates that remained in the model after the app removed the property. Core Data would raise an exception.
  private static let stale: Set<String> = ["fromBank", "downloadStateRaw", "unread"]

  @Test func everyTemplateCompiles() throws {
    var compiled: Set<String> = []
    for file in Corpus.files(below: Corpus.models, where: { $0.lastPathComponent == "contents" }) {
      let bytes = try Array(Data(contentsOf: file))
      let model: DataModel
      do {
        model = try ModelReading.read(XMLSource(file: file.path, bytes: bytes), name: "M").model
      } catch is any DiagnosableError {
        continue  // Tests of the reader cover invalid models.
      }
      let templates = model.templates + model.fetchedPropertyTemplates
      guard !templates.isEmpty else { continue }
      let layout = StoreLayout(model: model)
      let database = try MemoryDatabase()
      _ = try database.inside { connection in
        for statement in layout.statements { try connection.define(statement) }
      }
      for template in templates {
        let name = "\(template.name) of \(file.path)"
        do {
          let request = try fill(template, in: model)
          let query = try request.sql(in: layout)
          let rows = try database.inside { try $0.rows(query.sql) }
          #expect(rows.isEmpty || request.result == .count)
          compiled.insert(template.name)
        } catch let error as CheckErrors where error.errors.allSatisfy(Self.isStale) {
          continue
        } catch let error as any DiagnosableError {
          let text = error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
          Issue.record("\(name): \(text)")
        }
      }
    }
    #expect(compiled.count > 20)
    #expect(compiled.isSuperset(of: ["Palette.testFetchProperty", "Entity.yesBooleans"]))
  }

  private static func isStale(_ error: CheckError) -> Bool {
    guard case .unknownProperty(let name, _, let known) = error.kind else { return false }
    return stale.contains(name) && !known.contains(name)
  }

  /// Returns the request with a value of the right type for each variable.
  private func fill(
    _ template: FetchRequestTemplate, in model: DataModel
  ) throws -> StoreFetchRequest {
    let checked = try template.checked(in: model)
    let bindings = Dictionary(
      uniqueKeysWithValues: checked.variables.map { ($0.name, sample($0.type)) })
    return StoreFetchRequest(template, predicate: checked.predicate.substituting(bindings))
  }

  private func sample(_ type: ValueType) -> FormatExpression {
    switch type {
    case .any: .value(.string("x"))
    case .object(let entity):
      .value(.objectID(ObjectID(store: nil, entity: entity, primaryKey: 1)))
    case .entity: .value(.null)
    case .collection(let element): FormatExpression(.list([sample(element)]))
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64: .value(.integer(1))
      case .decimal, .double, .float: .value(.double(1.5))
      case .boolean: .value(.boolean(true))
      case .date: .value(.date(0))
      case .uuid: .value(.uuid(UUID()))
      case .binary: .value(.binary([1]))
      case .string, .uri, .undefined, .transformable, .objectID, .composite:
        .value(.string("x"))
      }
    }
  }
}
