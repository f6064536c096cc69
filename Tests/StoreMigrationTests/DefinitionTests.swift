import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreMigration

@Suite struct DefinitionTests {
  /// Returns a summary of the mappings whose source or target is one of the entities.
  private func summary(_ xml: String, of names: Set<String>) throws -> String {
    try Shop.mapping(xml).entities
      .filter { names.contains($0.source) || names.contains($0.target) }
      .map(\.summary).joined(separator: "\n")
  }

  @Test func linesLieOverWhatIsInferred() throws {
    let text = try summary(
      """
      <entity name="Customer" source="Person" where="kind == 'c'">
        <attribute name="fullName" value="firstName + ' ' + lastName" default="'?'"/>
        <attribute name="rank" value="points"/>
        <attribute name="note" value="nil"/>
        <attribute name="source" default="'Shop 2'"/>
        <relationship name="address" path="home"/>
        <relationship name="city" match="name == $source.cityName"/>
      </entity>
      """, of: ["Person"])
    #expect(
      text == """
        Person → Customer where kind == "c"
          fullName = FUNCTION(FUNCTION(firstName, "stringByAppendingString:", " "), "stringByAppendingString:", lastName) ?? string("?")
          isActive = nil ?? boolean(true)
          rank = attribute points
          source = nil ?? string("Shop 2")
          address → relationship home
          city → rows where name == $source.cityName
        """)
  }

  @Test func severalSourcesMergeAndSeveralTargetsSplit() throws {
    let text = try summary(
      """
      <entity name="Customer" source="Person" where="kind == 'c'"/>
      <entity name="Employee" source="Person" where="kind == 'e'"/>
      <entity name="Partner" source="Supplier"/>
      <entity name="Partner" source="Dealer"><attribute name="name" value="title"/></entity>
      """, of: ["Employee", "Partner"])
    #expect(
      text == """
        Person → Employee where kind == "e"
        Supplier → Partner
        Dealer → Partner
          name = attribute title
        """)
  }

  /// Two columns become rows: the same pair of entities is mapped twice, with different conditions.
  @Test func columnsBecomeRows() throws {
    let text = try summary(
      """
      <entity name="Customer" source="Person"/>
      <entity name="Phone" source="Person" where="phone != nil">
        <attribute name="number" value="phone"/>
        <relationship name="customer" path="SELF"/>
      </entity>
      <entity name="Phone" source="Person" where="mobile != nil">
        <attribute name="number" value="mobile"/>
        <relationship name="customer" path="$source"/>
      </entity>
      """, of: ["Phone"])
    #expect(
      text == """
        Person → Phone where phone != nil
          number = attribute phone
          customer → SELF
        Person → Phone where mobile != nil
          number = attribute mobile
          customer → SELF
        """)
  }

  @Test func aLineHoldsForSubentities() throws {
    let text = try summary(
      """
      <entity name="Party" where="note != 'test'">
        <attribute name="source" default="'Shop 2'"/>
      </entity>
      <entity name="Partner" source="Supplier"/>
      <entity name="Employee" source="Person" where="kind == 'e'">
        <attribute name="source" default="'staff'"/>
      </entity>
      """, of: ["Supplier", "Person"])
    #expect(
      text == """
        Supplier → Partner where note != "test"
          source = nil ?? string("Shop 2")
        Person → Employee where kind == "e"
          source = nil ?? string("staff")
        """)
  }

  @Test func dropsRowsAndValues() throws {
    let mapping = try Shop.mapping(
      """
      <drop entity="City"/>
      <drop entity="Log" where="level &lt; 3"/>
      <drop entity="Party" property="note"/>
      """)
    #expect(!mapping.entities.contains { $0.source == "City" })
    let log = mapping.entities.first { $0.source == "Log" }
    #expect(log?.summary == "Log → Log where TERNARY(level < 3, 1, 0) == 0")
    #expect(
      mapping.definition?.allowedLosses == [
        "City", "Log", "Party.note", "Person.note", "Supplier.note", "Dealer.note",
      ])
  }

  /// The inverse isn't inferred, because it would contradict the definition.
  @Test func theOtherSideFollows() throws {
    let text = try summary(
      """
      <entity name="Customer" source="Person"/>
      <entity name="Address"><relationship name="customers" path="nil"/></entity>
      <entity name="Order"><relationship name="customer" path="buyer"/></entity>
      """, of: ["Order"])
    #expect(text == "Order → Order\n  customer → relationship buyer")
  }

  @Test func keepsStatementsInOrder() throws {
    let mapping = try Shop.mapping(
      """
      <sql when="after">UPDATE ZLOG SET ZLEVEL = 1</sql>
      <sql when="before">DELETE FROM ZLOG; DELETE FROM ZCITY</sql>
      <sql when="after">ANALYZE</sql>
      """)
    #expect(mapping.definition?.before == [Written("DELETE FROM ZLOG; DELETE FROM ZCITY")])
    #expect(
      mapping.definition?.after == [Written("UPDATE ZLOG SET ZLEVEL = 1"), Written("ANALYZE")])
    #expect(!mapping.isInferred)
  }

  /// Migrates a filled store with merges, splits, drops, and values and relationships of every kind.
  @Test func aFilledStoreMigrates() throws {
    let mapping = try Shop.mapping(
      """
      <entity name="Party"><attribute name="source" default="'Shop 2'"/></entity>
      <entity name="Customer" source="Person" where="points &gt; 0">
        <attribute name="fullName" value="firstName + ' ' + lastName" default="'?'"/>
        <attribute name="rank" value="1"/>
        <relationship name="address" path="home"/>
        <relationship name="city" match="name == $source.cityName"/>
      </entity>
      <entity name="Employee" source="Person" where="NOT points &gt; 0 OR points == nil"/>
      <entity name="Partner" source="Supplier"/>
      <entity name="Partner" source="Dealer"><attribute name="name" value="title"/></entity>
      <entity name="Order">
        <attribute name="placedOn" value="nil"/>
        <attribute name="number" value="CAST(number, 'NSString')"/>
        <attribute name="status" default="'new'"/>
        <attribute name="total" default="0"/>
        <relationship name="customer" path="buyer"/>
      </entity>
      <entity name="Log"><attribute name="payload" value="nil"/></entity>
      <entity name="Address"><attribute name="street" default="'?'"/></entity>
      """)
    let outcome = try PlanTrial(mapping.source).migrate(to: mapping.target, by: mapping)
    #expect(outcome.problems.isEmpty)
    #expect(outcome.failures == [])
  }

  /// Conditions that are checked against an entity are compiled for the rows of its sub-entities.
  @Test func conditionsOfAnEntityHoldForRowsBelowIt() throws {
    func model(_ attributes: AttributeDescription...) -> DataModel {
      let note = AttributeDescription(name: "note", type: .string, isOptional: true)
      return DataModel(
        name: "M",
        entities: [
          EntityDescription(name: "Party", isAbstract: true, attributes: [note] + attributes),
          EntityDescription(name: "Supplier", parent: "Party"),
        ])
    }
    let pairing = ModelPairing(
      from: model(),
      to: model(AttributeDescription(name: "source", type: .string, isOptional: true)))
    let definition = try Shop.definition(
      """
      <migration from="1" to="2">
        <entity name="Party" where="note == nil OR note != 'x'">
          <attribute name="source" value="note + '!'"/>
        </entity>
        <drop entity="Party" where="note == 'y'"/>
      </migration>
      """)
    let mapping = try MappingInference.infer(pairing, with: definition)
    let trial = try PlanTrial(pairing.source, rows: 12)
    _ = try Store.open(LocalPath(trial.path), .writing).write {
      try $0.run(
        """
        UPDATE ZPARTY SET ZNOTE = \
        CASE Z_PK WHEN 1 THEN 'x' WHEN 2 THEN 'y' WHEN 3 THEN 'z' END
        """)
    }
    let outcome = try trial.migrate(to: pairing.target, by: mapping)
    #expect(outcome.failures == [])
    #expect(try trial.integer("SELECT count(*) FROM ZPARTY") == 10)
    #expect(try trial.integer("SELECT count(*) FROM ZPARTY WHERE Z_PK < 3") == 0)
    #expect(try trial.integer("SELECT max(Z_PK) FROM ZPARTY WHERE ZSOURCE = 'z!'") == 3)
  }

  /// The mapping models of the collection fit the models that they belong to.
  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func mappingModelsFitTheirModels() throws {
    let files = Corpus.files(below: Corpus.models) { $0.lastPathComponent == "xcmapping.xml" }
    var fitting = 0
    for file in files {
      let reading = try MappingModelReading.read(
        XMLSource(file: file.path, bytes: Array(try Data(contentsOf: file))))
      let names = (reading.definition.from.meaning, reading.definition.to.meaning)
      let repository =
        Corpus.models.path + "/"
        + file.path.dropFirst(Corpus.models.path.count + 1).prefix { $0 != "/" }
      let bundle = try ModelBundle.find(at: repository).first {
        $0.name == reading.bundle && $0.hasVersion(named: names.0) && $0.hasVersion(named: names.1)
      }
      guard let bundle else { continue }
      let pairing = ModelPairing(
        from: try bundle.version(named: names.0).read().model,
        to: try bundle.version(named: names.1).read().model)
      do {
        _ = try MappingInference.infer(pairing, with: reading.definition)
        fitting += 1
      } catch {
        let text = error.diagnostics.map(DiagnosticRenderer().render).joined()
        Issue.record("\(file.path):\n\(text)")
      }
    }
    // Two mapping models are for versions that are missing from the collection.
    #expect(fitting == 7)
  }

  static let names = Corpus.files(below: Shop.fixtures.appendingPathComponent("definition")) {
    $0.pathExtension == "xml"
  }.map { $0.deletingPathExtension().lastPathComponent }

  /// The definition `Fixtures/definition/NAME.xml` causes the diagnostics in `Fixtures/definition/NAME.txt`.
  @Test(arguments: names) func explainsEveryMistake(name: String) throws {
    let url = Shop.fixtures.appendingPathComponent("definition/\(name).xml")
    let xml = try String(contentsOf: url, encoding: .utf8)
    let definition = try Shop.definition(xml, file: "\(name).xml")
    let error = #expect(throws: DiagnosticError.self) {
      try MappingInference.infer(Shop.pairing(), with: definition)
    }
    let text = error?.diagnostics.map(DiagnosticRenderer().render).joined() ?? ""
    Golden.expect(text, matches: "definition/\(name).txt")
  }
}
