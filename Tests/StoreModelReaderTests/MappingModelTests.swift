import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

@Suite struct MappingModelTests {
  private func read(_ url: URL) throws -> MappingModelReading {
    try MappingModelReading.read(
      XMLSource(file: url.lastPathComponent, bytes: Array(try Data(contentsOf: url))))
  }

  /// `Fixtures/mapping/shop.xml` has one of every kind of expression.
  @Test func readsWhatAMappingModelCanSay() throws {
    let reading = try read(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/mapping/shop.xml"))
    #expect(reading.bundle == "Shop")
    let messages = reading.diagnostics.map(DiagnosticRenderer().render).joined()
    Golden.expect(reading.definition.summary + "\n" + messages, matches: "mapping/shop.txt")
    #expect(throws: DiagnosticFailure(reading.diagnostics)) { try reading.complete() }
  }

  @Test func refusesOtherFiles() throws {
    let error = #expect(throws: DiagnosticFailure.self) {
      try MappingModelReading.read(XMLSource(file: "x.xml", bytes: Array("<model/>".utf8)))
    }
    #expect(error?.diagnostics.map(\.code) == ["mapping-model.not-a-mapping-model"])
  }

  /// Entities of a document type stay unknown, so none can grow.
  @Test func readsNoEntitiesOfADocumentType() throws {
    let text = """
      <!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
      <database><object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath">&b;</attribute></object></database>
      """
    #expect(throws: (any Error).self) {
      try MappingModelReading.read(XMLSource(file: "x.xml", bytes: Array(text.utf8)))
    }
  }

  /// Bytes of a sound archive are changed one by one: it is read or refused.
  @Test func survivesBrokenArchives() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/mapping/shop.xml")
    let text = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(text.range(of: #"name="valueexpressiondata" type="binary">"#))
    let end = try #require(text.range(of: "<", range: start.upperBound..<text.endIndex))
    let base64 = String(text[start.upperBound..<end.lowerBound])
    let archive = try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
    for index in archive.indices {
      for change in [UInt8(0x01), 0x80, 0xFF] {
        var broken = archive
        broken[index] ^= change
        let changed = text.replacingCharacters(
          in: start.upperBound..<end.lowerBound, with: broken.base64EncodedString())
        _ = try MappingModelReading.read(XMLSource(file: "x.xml", bytes: Array(changed.utf8)))
      }
    }
  }

  static let corpus = Corpus.files(below: Corpus.models) { $0.lastPathComponent == "xcmapping.xml" }

  /// What the nine mapping models of the collection say beyond what is inferred, and what they leave
  /// to code.
  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func readsTheCollection() throws {
    #expect(Self.corpus.count == 9)
    var facts: [String] = []
    for file in Self.corpus {
      let reading = try read(file)
      let entities = reading.definition.entities
      let attributes = entities.flatMap(\.attributes).count
      let relationships = entities.flatMap(\.relationships).count
      let filters = entities.filter { $0.filter != nil }.count
      let codes = Set(reading.diagnostics.map(\.code)).sorted().joined(separator: " ")
      facts.append(
        "\(reading.bundle) \(entities.count) entities, \(attributes) values, \(relationships) paths, \(filters) filters, \(reading.diagnostics.count) missing \(codes)"
          .trimmingCharacters(in: .whitespaces))
    }
    #expect(
      facts.sorted().joined(separator: "\n") == """
        Accounts 5 entities, 2 values, 0 paths, 1 filters, 4 missing mapping-model.policy
        Accounts 6 entities, 2 values, 0 paths, 1 filters, 0 missing
        Advanced.EvolutionDemo.V1 1 entities, 1 values, 0 paths, 0 filters, 0 missing
        Advanced.EvolutionDemo.V1 1 entities, 2 values, 0 paths, 0 filters, 1 missing mapping-model.policy
        Moody 2 entities, 0 values, 0 paths, 0 filters, 1 missing mapping-model.policy
        Moody 2 entities, 1 values, 0 paths, 0 filters, 0 missing
        Moody 3 entities, 0 values, 0 paths, 0 filters, 0 missing
        Moody 3 entities, 0 values, 3 paths, 0 filters, 0 missing
        SampleModel 4 entities, 0 values, 4 paths, 0 filters, 3 missing mapping-model.policy
        """)
  }
}

extension MigrationDefinition {
  /// Every line with what it says, for a test to compare.
  var summary: String {
    var lines = ["\(from.meaning) → \(to.meaning)"]
    for entity in entities {
      lines.append(
        "\(entity.source?.meaning ?? "?") → \(entity.name.meaning)"
          + (entity.filter.map { " where \($0.meaning)" } ?? ""))
      lines += entity.attributes.map { "  \($0.name.meaning) = \($0.value?.meaning.format ?? "?")" }
      lines += entity.relationships.map { relationship in
        guard case .path(let path) = relationship.destinations else { return "?" }
        return "  \(relationship.name.meaning) → \(path.meaning.format)"
      }
    }
    return (lines + drops.map { "drop \($0.entity.meaning)" }).map { $0 + "\n" }.joined()
  }
}
