import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

/// Predicates and derivations in model XML. Carets point into the file.
struct PredicateTests {
  private func read(_ lines: String) throws -> ModelReading {
    let source = XMLSource(file: "contents", bytes: Array("<model>\n\(lines)\n</model>".utf8))
    return try ModelReading.read(source, name: "Test")
  }

  @Test func templatesAreParsed() throws {
    let reading = try read(
      #"""
      <entity name="E"/>
      <fetchRequest name="all" entity="E" predicateString=""/>
      <fetchRequest name="byName" entity="E" predicateString="a &gt; 5 AND name == &quot;x&quot;"/>
      """#)
    let (all, byName) = (reading.model.templates[0], reading.model.templates[1])
    #expect(all.predicateText == nil)
    #expect(all.faults.isEmpty)
    #expect(byName.predicate == (try FormatPredicate(parsing: #"a > 5 AND name == "x""#)))
    #expect(byName.predicateText?.context == "in fetch request 'byName'")
    #expect(reading.diagnostics.isEmpty)
  }

  /// These errors don't prevent reading the model.
  @Test func faultsOfTemplatesPointIntoTheFile() throws {
    let reading = try read(
      #"""
      <entity name="Person">
        <fetchedProperty name="twins">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Person" predicateString="a =="/>
        </fetchedProperty>
      </entity>
      <fetchRequest name="one" entity="Persn" predicateString="a &gt;&gt; &quot;é&quot; &amp;&amp; b ! 1"/>
      <fetchRequest name="two" predicateString="a == 1" fetchLimit="many" resultType="3"/>
      """#)
    let fetched = reading.model.entities[0].fetchedProperties[0].request
    let faults = (reading.model.templates + [fetched]).map { $0.faults }
    let text = faults.joined().map(DiagnosticRenderer().render).joined(separator: "\n")
    Golden.expect(text, matches: "valid/template-faults.txt")
    #expect(
      reading.model.templates.map(\.predicate) == [nil, try FormatPredicate(parsing: "a == 1")])
    #expect(reading.diagnostics.isEmpty)
  }

  @Test func derivationsAreParsed() throws {
    let reading = try read(
      #"""
      <entity name="E">
        <attribute name="a" attributeType="Integer 64" derived="YES" derivationExpression="b.@count"/>
        <attribute name="d" attributeType="Date" derived="YES" derivationExpression="now()"/>
        <attribute name="i" attributeType="Date" derivationExpression="now()"/>
        <attribute name="s" attributeType="String" derived="YES" derivationExpression="canonical:(x.y)"/>
      </entity>
      """#)
    let derivations = reading.model.entities[0].attributes.map(\.derivation)
    #expect(
      derivations == [
        try FormatExpression(parsing: "b.@count"), try FormatExpression(parsing: "now()"), nil,
        try FormatExpression(parsing: "canonical:(x.y)"),
      ])
    #expect(reading.diagnostics.map(\.code) == ["model.idle-derivation"])
  }
}
