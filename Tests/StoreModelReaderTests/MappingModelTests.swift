import Foundation
import SeededRandom
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

  /// `Fixtures/mapping/shop.xml` contains each kind of expression once.
  @Test func readsWhatAMappingModelCanSay() throws {
    let reading = try read(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/mapping/shop.xml"))
    #expect(reading.bundle == "Shop")
    let messages = reading.diagnostics.map(DiagnosticRenderer().render).joined()
    Golden.expect(reading.definition.summary + "\n" + messages, matches: "mapping/shop.txt")
    #expect(throws: DiagnosticError(reading.diagnostics)) { try reading.complete() }
  }

  @Test func refusesOtherFiles() throws {
    let error = #expect(throws: DiagnosticError.self) {
      try MappingModelReading.read(XMLSource(file: "x.xml", bytes: Array("<model/>".utf8)))
    }
    #expect(error?.diagnostics.map(\.code) == ["mapping-model.not-a-mapping-model"])
  }

  /// A mapping model with one relationship, and its errors.
  private func mapping(
    filter: String = "", sourceKeyPath: String
  ) throws -> (definition: MigrationDefinition, text: String) {
    let text = """
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">Shop.xcdatamodeld/Shop.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">Shop.xcdatamodeld/Shop 2.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z2"></relationship>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="sourcename" type="string">Person</attribute>
        <attribute name="destinationname" type="string">Customer</attribute>
        <attribute name="sourcefilterpredicatestring" type="string">\(filter)</attribute>
        <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" idrefs="z3"></relationship>
      </object>
      <object type="XDDEVRELATIONSHIPMAPPING" id="z3">
        <attribute name="sourcekeypath" type="string">\(sourceKeyPath)</attribute>
        <attribute name="name" type="string">address</attribute>
      </object>
      </database>

      """
    let source = XMLSource(file: "xcmapping.xml", bytes: Array(text.utf8))
    return (try MappingModelReading.read(source).complete(), text)
  }

  /// A relationship to the other destinations of the row.
  @Test func theSourceAloneIsTheRowItself() throws {
    let definition = try mapping(sourceKeyPath: "$source").definition
    #expect(
      definition.entities[0].relationships[0].destinations
        == .path(Written(FormatExpression(.selfObject))))
    let path = try mapping(sourceKeyPath: "$source.home.@distinctUnionOfSets.city").definition
    #expect(
      path.entities[0].relationships[0].destinations == .path(Written(.keyPath("home", "city"))))
  }

  /// An excerpt shows the text of the file, with carets under the affected part.
  @Test func anExcerptShowsTheFilesOwnText() throws {
    let definition = try mapping(
      filter: "kind &gt; 1", sourceKeyPath: "$source.home.ctiy"
    ).definition
    let entity = definition.entities[0]
    guard case .path(let written) = entity.relationships[0].destinations,
      case .keyPath(_, let steps) = written.meaning.kind
    else {
      Issue.record("no path")
      return
    }
    let mistake = DiagnosticMessage(.error, "x", "no city")
    #expect(
      DiagnosticRenderer().render(written.place.locate(mistake, at: steps[1].range)) == """
        xcmapping.xml:14:62: error: no city [x]
          $source.home.ctiy
                       ^^^^ in 'Customer.address'

        """)
    let filter = try #require(entity.filter)
    guard case .comparison(let comparison) = filter.meaning else {
      Issue.record("no comparison")
      return
    }
    #expect(
      DiagnosticRenderer().render(filter.place.locate(mistake, at: comparison.right.range)) == """
        xcmapping.xml:10:73: error: no city [x]
          kind > 1
                 ^ in entity 'Customer'

        """)
  }

  /// An archived expression isn't text, so the error shows the object and the content of the archive.
  @Test func anArchivedExpressionShowsItsObject() throws {
    let reading = try read(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/mapping/shop.xml"))
    let attributes = reading.definition.entities.flatMap(\.attributes)
    let loud = try #require(attributes.first { $0.name.meaning == "loud" }?.value)
    let shown = loud.place.locate(DiagnosticMessage(.error, "x", "no name"), at: loud.meaning.range)
    let excerpt = try #require(shown.excerpt)
    #expect(excerpt.text.hasPrefix("<object type=\"XDDEVATTRIBUTEMAPPING\""))
    #expect(excerpt.note == "in 'Customer.loud': uppercase:(name)")
    #expect(shown.place?.file == "shop.xml")
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

  /// Bytes of a valid archive are changed one by one. Each result is read or rejected.
  @Test func survivesBrokenArchives() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/mapping/shop.xml")
    let text = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(text.range(of: #"name="valueexpressiondata" type="binary">"#))
    let end = try #require(text.range(of: "<", range: start.upperBound..<text.endIndex))
    let base64 = String(text[start.upperBound..<end.lowerBound])
    let archive = try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
    for index in Soak.sample(of: Array(archive.indices), every: 3) {
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

  /// The parts of the nine mapping models of the corpus that can't be inferred, and the parts that require code.
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
  /// Every mapping with its meaning, for comparison in tests.
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
