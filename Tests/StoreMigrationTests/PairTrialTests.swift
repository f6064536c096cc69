import Foundation
import StoreDiagnostics
import StoreModel
import StoreSeeding
import StorePredicate
import TestSupport
import Testing

@testable import StoreMigration

/// The verdict on a pair of versions, depending on which rows can be migrated.
struct PairTrialTests {
  private func model(
    _ version: String, unique: [[String]] = [], _ attributes: AttributeDescription...
  )
    -> DataModel
  {
    DataModel(
      name: version,
      entities: [
        EntityDescription(name: "Item", attributes: attributes, uniquenessConstraints: unique)
      ])
  }

  private func attribute(
    _ type: AttributeType, isOptional: Bool = true, default value: DataValue? = nil
  ) -> AttributeDescription {
    AttributeDescription(name: "x", type: type, isOptional: isOptional, defaultValue: value)
  }

  private func result(
    _ old: DataModel, _ new: DataModel, _ change: (inout ModelMapping) -> Void = { _ in }
  ) throws -> PairTrial.Result {
    var mapping = MappingInference.infer(ModelPairing(from: old, to: new))
    change(&mapping)
    let folder = try TemporaryFolder()
    let result = try PairTrial(
      of: old, by: [mapping], names: (old.name, new.name), sample: .init(rows: 40, seed: 1)
    ).run(in: LocalPath(folder.url.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    return result
  }

  private let text = AttributeType.string

  @Test func rowsThatGetThroughAreProved() throws {
    let result = try result(
      model("1", attribute(text)),
      model("2", attribute(text, isOptional: false, default: .string("none"))))
    #expect(result.verdict == .proved)
    #expect(result.rows == 40)
    #expect(result.report?.rowsProved == 40)
    #expect(result.problems == [])
  }

  /// Some sample rows can be migrated and others can't, and the result reports both.
  @Test(arguments: [
    AttributeType.integer16, .boolean, .double, .decimal, .date, .uuid, .uri, .float,
  ])
  func textThatConverts(_ type: AttributeType) throws {
    let result = try result(
      model("1", attribute(.string)), model("2", attribute(type, isOptional: false)))
    let codes = result.problems.map(\.code)
    #expect(result.verdict == .conditional)
    #expect(codes.first == "migrate.missing-value")
    // Any string is a URI.
    #expect(codes.contains("migrate.inconvertible") == (type != .uri))
    #expect(result.report?.rowsProved == 40)
  }

  @Test(arguments: [
    (AttributeType.integer64, AttributeType.boolean), (.double, .integer16),
    (.integer32, .integer16),
    (.double, .float),
  ]) func numbersThatFit(_ old: AttributeType, _ new: AttributeType) throws {
    let result = try result(model("1", attribute(old)), model("2", attribute(new)))
    #expect(result.verdict == .conditional)
    #expect(result.problems.map(\.code) == ["migrate.inconvertible"])
  }

  @Test func valuesThatAreUnique() throws {
    let result = try result(
      model("1", attribute(.integer16)), model("2", unique: [["x"]], attribute(.integer16)))
    #expect(result.verdict == .conditional || result.verdict == .proved)
    let words = try self.result(
      model("1", attribute(.boolean)), model("2", unique: [["x"]], attribute(.boolean)))
    #expect(words.problems.map(\.code) == ["migrate.duplicates"])
  }

  /// A later step can have requirements for a value that an earlier step copies.
  @Test func demandsReachBack() {
    let models = [
      model("1", attribute(text)), model("2", attribute(text)),
      model("3", unique: [["x"]], attribute(.integer16, isOptional: false)),
    ]
    let mappings = zip(models, models.dropFirst()).map {
      MappingInference.infer(ModelPairing(from: $0, to: $1))
    }
    #expect(
      SeedDemands(of: mappings)["Item", "x"]
        == .init(isRequired: true, isUnique: true, type: .integer16))
  }

  @Test func whatStopsEveryRowIsRefused() throws {
    let missing = try result(model("1"), model("2", attribute(text, isOptional: false)))
    #expect(missing.verdict == .refused)
    #expect(missing.problems.map(\.code) == ["migrate.missing-value"])
    let type = try result(model("1", attribute(.binary)), model("2", attribute(.date)))
    #expect(type.verdict == .refused)
    #expect(type.report == nil)
  }

  /// The result of a definition's expressions and filters depends on the values of rows.
  @Test(arguments: [
    ("uppercase:(x)", true), ("TERNARY(n > 0, 'some', nil)", true),
    ("CAST(nil, 'NSString')", false),
  ])
  func whatADefinitionAsksOfRowsIsConditional(_ value: String, gets: Bool) throws {
    let number = AttributeDescription(name: "n", type: .integer64)
    let old = model("1", attribute(text), number)
    let new = model("2", attribute(text, isOptional: false), number)
    let typed = try old.value(value, of: "Item", as: .string)
    let result = try result(old, new) {
      $0.entities[0].attributes["x"] = AttributeOrigin(.expression(typed))
    }
    #expect(result.verdict == (gets ? .conditional : .refused), "\(result.problems)")
    #expect(result.problems.map(\.code) == ["migrate.missing-value"])
    #expect((result.report?.rowsProved ?? 0 > 0) == gets)
    #expect(gets ? (1..<40).contains(result.rows) : result.rows == 40)
  }

  @Test func whatGoesWrongFails() throws {
    let optional = attribute(text)
    let broken = try result(model("1", optional), model("2", optional, note)) {
      $0.definition = DefinedParts(after: [Written("UPDATE ZITEM SET ZNOBODY = 1")])
    }
    #expect(broken.verdict == .failed)
    #expect(broken.problems.first?.message.contains("ZNOBODY") == true)
    // The proof doesn't cover the definition's SQL, but verify detects the damage.
    let spoilt = try result(model("1", optional), model("2", optional, note)) {
      $0.definition = DefinedParts(after: [Written("UPDATE ZITEM SET Z_ENT = 7 WHERE Z_PK < 4")])
    }
    #expect(spoilt.verdict == .failed)
    #expect(spoilt.problems.map(\.code) == ["verify.wrong-entity"])
    #expect(spoilt.report != nil)
  }

  private let note = AttributeDescription(name: "note", type: .string, isOptional: true)
}
