import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

@Suite struct MigrationDefinitionTests {
  private func read(_ xml: String) throws -> MigrationDefinition {
    try MigrationDefinition(reading: XMLSource(file: "M.xml", bytes: Array(xml.utf8)))
  }

  @Test func readsEverythingThatADefinitionCanSay() throws {
    let definition = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- People become customers. -->
      <migration from="Shop 2" to="Shop 3">
        <entity name="Customer" source="Person" where="kind == 'c'">
          <attribute name="fullName" value="uppercase(lastName)" default="'?'"/>
          <attribute name="rank" default="0"/>
          <relationship name="address" path="home"/>
          <relationship name="city" match="name == $source.cityName"/>
        </entity>
        <entity name="Product"/>
        <drop entity="Log"/>
        <drop entity="Log" where="level &lt; 3"/>
        <drop entity="Person" property="note"/>
        <sql when="before">
          UPDATE ZPERSON SET ZKIND = 'c' WHERE ZKIND &lt;&gt; 'e'
        </sql>
        <sql when="after"><![CDATA[DELETE FROM ZLOG WHERE ZLEVEL < 3]]></sql>
      </migration>
      """)
    let customer = EntityDefinition(
      name: Written("Customer"), source: Written("Person"),
      filter: Written(try FormatPredicate(parsing: "kind == 'c'")),
      attributes: [
        AttributeDefinition(
          name: Written("fullName"),
          value: Written(try FormatExpression(parsing: "uppercase(lastName)")),
          fallback: Written(.value(.string("?")))),
        AttributeDefinition(name: Written("rank"), fallback: Written(.value(.integer(0)))),
      ],
      relationships: [
        RelationshipDefinition(name: Written("address"), .path(Written(.keyPath("home")))),
        RelationshipDefinition(
          name: Written("city"),
          .matching(Written(try FormatPredicate(parsing: "name == $source.cityName")))),
      ])
    let expected = MigrationDefinition(
      from: Written("Shop 2"), to: Written("Shop 3"),
      entities: [customer, EntityDefinition(name: Written("Product"))],
      drops: [
        DropDefinition(entity: Written("Log")),
        DropDefinition(
          entity: Written("Log"), filter: Written(try FormatPredicate(parsing: "level < 3"))),
        DropDefinition(entity: Written("Person"), property: Written("note")),
      ],
      statements: [
        StatementDefinition(
          .before, Written("UPDATE ZPERSON SET ZKIND = 'c' WHERE ZKIND <> 'e'")),
        StatementDefinition(.after, Written("DELETE FROM ZLOG WHERE ZLEVEL < 3")),
      ])
    #expect(definition == expected)
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/migration")
  static let names = Corpus.files(below: folder) { $0.pathExtension == "xml" }
    .map { $0.deletingPathExtension().lastPathComponent }

  /// `Fixtures/migration/NAME.xml` gives the diagnostics in `Fixtures/migration/NAME.txt`.
  @Test(arguments: names) func explainsEveryMistake(name: String) throws {
    let url = Self.folder.appendingPathComponent("\(name).xml")
    let source = XMLSource(file: "\(name).xml", bytes: try Array(Data(contentsOf: url)))
    do {
      let definition = try MigrationDefinition(reading: source)
      Issue.record("read without an error: \(definition)")
    } catch let error as any DiagnosableError {
      let text = error.diagnostics.map(DiagnosticRenderer().render).joined()
      Golden.expect(text, matches: "migration/\(name).txt")
    }
  }
}
