import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import Testing

/// Unusual models of real apps can be read. The name of each test describes the feature, and the test checks the
/// warnings.
struct SurvivalTests {
  /// Reads the children of a model, and returns the codes of the warnings.
  private func read(_ children: String) throws -> (model: DataModel, warnings: [String]) {
    let text = "<model userDefinedModelVersionIdentifier=\"\">\(children)</model>"
    let source = XMLSource(file: "contents", bytes: Array(text.utf8))
    let reading = try ModelReading.read(source, name: "Test")
    return (reading.model, reading.diagnostics.map(\.code))
  }

  /// Reads the only attribute of an entity.
  private func attribute(_ xml: String) throws -> (AttributeDescription, warnings: [String]) {
    let (model, warnings) = try read(#"<entity name="E"><attribute name="a" \#(xml)/></entity>"#)
    return (try #require(model.entity(named: "E")?.attributes.first), warnings)
  }

  /// Returns the codes of the errors that prevent reading a model.
  private func errors(_ children: String) -> [String] {
    do {
      _ = try read(children)
      return []
    } catch let error as any DiagnosableError {
      return error.diagnostics.filter { $0.severity == .error }.map(\.code)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func emptyModel() throws {
    let (model, warnings) = try read("")
    #expect(model.entities.isEmpty)
    #expect(model.versionIdentifiers == [""])
    #expect(warnings.isEmpty)
  }

  @Test func entityWithoutClass() throws {
    let (model, warnings) = try read(
      #"<entity name="E"/><entity name="F" representedClassName=""/>"#)
    #expect(model.entities.map(\.className) == [nil, nil])
    #expect(warnings.isEmpty)
  }

  @Test func attributeWithoutTypeIsUndefined() throws {
    let stored = try attribute(#"optional="YES""#)
    #expect(stored.0.type == .undefined)
    #expect(stored.warnings == ["model.attribute-without-type"])
    let transient = try attribute(#"transient="YES""#)
    #expect(transient.0.isTransient)
    #expect(transient.warnings.isEmpty)
  }

  @Test(arguments: [
    ("Integer 64", "NO", DataValue.integer(0), ["model.odd-default"]),
    ("Integer 16", "YES", .integer(1), ["model.odd-default"]),
    ("Integer 32", "0.0", .integer(0), []),
    ("Integer 16", "40000", nil, ["model.odd-default"]),
    ("Integer 64", "9223372036854775807", .integer(.max), []),
    ("Integer 64", "1.5", nil, ["model.odd-default"]),
    ("Integer 64", "1e400", nil, ["model.odd-default"]),
    ("Boolean", "NO", .boolean(false), []),
    ("Boolean", "YES", .boolean(true), []),
    ("Boolean", "0", .boolean(false), []),
    ("Boolean", "0.0", .boolean(false), []),
    ("Boolean", "2", .boolean(true), ["model.odd-default"]),
    ("Double", "0", .double(0), []),
    ("Double", "nan", nil, ["model.odd-default"]),
    ("Float", "0.1", .double(Double(Float(0.1))), []),
    ("Decimal", "0.0", .double(0), []),
    ("Decimal", "30", .integer(30), []),
    ("String", "", .string(""), []),
    ("UUID", "empy", nil, ["model.odd-default"]),
    ("Binary", "", nil, []),
    ("Date", "2013-04-23 12:00:00 +0000", nil, ["model.odd-default"]),
  ])
  func defaultValue(type: String, text: String, value: DataValue?, warnings: [String]) throws {
    let found = try attribute(#"attributeType="\#(type)" defaultValueString="\#(text)""#)
    #expect(found.0.defaultValue == value)
    #expect(found.warnings == warnings)
  }

  @Test func dateDefaultTakesTheInterval() throws {
    let found = try attribute(
      #"attributeType="Date" defaultDateTimeInterval="-3600" defaultValueString="0""#)
    #expect(found.0.defaultValue == .date(-3600))
    #expect(found.warnings.isEmpty)
  }

  @Test func dateBoundsTakeTheInterval() throws {
    let found = try attribute(
      """
      attributeType="Date" minDateTimeInterval="284000400" minValueString="2010-01-01 01:00:00" \
      maxDateTimeInterval="602395200" maxValueString="12/5/2014"
      """)
    let validation = AttributeDescription.Validation(
      minimum: .date(284_000_400), maximum: .date(602_395_200))
    #expect(found.0.validation == validation)
    #expect(found.warnings.isEmpty)
  }

  @Test func boundsOfAStringAreLengths() throws {
    let found = try attribute(
      #"attributeType="String" minValueString="1" maxValueString="80" regularExpressionString="\A.+""#
    )
    let validation = AttributeDescription.Validation(
      minimum: .integer(1), maximum: .integer(80), pattern: #"\A.+"#)
    #expect(found.0.validation == validation)
  }

  @Test func emptyTransformerAndLoneDotClass() throws {
    let found = try attribute(
      #"attributeType="Transformable" valueTransformerName="" customClassName=".""#)
    #expect(found.0.valueTransformer == nil)
    #expect(found.0.customClassName == ".")
    #expect(found.warnings.isEmpty)
  }

  private func ends(_ first: String, _ second: String) throws -> (DataModel, warnings: [String]) {
    let (model, warnings) = try read(
      """
      <entity name="A"><relationship name="x" deletionRule="Nullify" \(first)/></entity>
      <entity name="B"><relationship name="y" deletionRule="Nullify" \(second)/>
        <relationship name="z" maxCount="1" destinationEntity="A" inverseName="x" inverseEntity="A"/>
      </entity>
      """)
    return (model, warnings)
  }

  @Test func missingInverse() throws {
    let (model, warnings) = try read(
      #"<entity name="A"><relationship name="x" maxCount="1" destinationEntity="A"/></entity>"#)
    #expect(model.entities[0].relationships[0].inverse == nil)
    #expect(warnings == ["model.no-inverse"])
  }

  @Test func asymmetricInverse() throws {
    let (model, warnings) = try ends(
      #"destinationEntity="B" inverseName="y" inverseEntity="B""#,
      #"destinationEntity="A" inverseName="x" inverseEntity="A" toMany="YES""#)
    #expect(warnings == ["model.asymmetric-inverse"])
    #expect(model.entity(named: "B")?.relationships.map(\.inverse) == ["x", "x"])
  }

  @Test func inverseWithoutInverseOfItsOwn() throws {
    let (_, warnings) = try ends(
      #"destinationEntity="B" inverseName="y" inverseEntity="B""#, #"destinationEntity="A""#)
    #expect(
      warnings == ["model.asymmetric-inverse", "model.no-inverse", "model.asymmetric-inverse"])
  }

  @Test func relationshipThatIsItsOwnInverse() throws {
    let (model, warnings) = try read(
      """
      <entity name="User"><relationship name="friends" toMany="YES" destinationEntity="User" \
      inverseName="friends" inverseEntity="User"/></entity>
      """)
    #expect(model.entities[0].relationships[0].inverse == "friends")
    #expect(warnings == ["model.own-inverse"])
  }

  @Test func inverseDeclaredByTheDestinationsParent() throws {
    let (model, warnings) = try read(
      """
      <entity name="Owner"><relationship name="pets" toMany="YES" destinationEntity="Dog" \
      inverseName="owner" inverseEntity="Pet"/></entity>
      <entity name="Pet"><relationship name="owner" maxCount="1" destinationEntity="Owner" \
      inverseName="pets" inverseEntity="Owner"/></entity>
      <entity name="Dog" parentEntity="Pet"/>
      """)
    let pets = try #require(model.entity(named: "Owner")?.relationships.first)
    #expect(model.inverse(of: pets)?.declaredBy.name == "Pet")
    #expect(warnings.isEmpty)
  }

  @Test func inverseEntityThatIsNotTheDestination() throws {
    let (model, warnings) = try read(
      """
      <entity name="A"><relationship name="b" maxCount="1" destinationEntity="B" inverseName="a" \
      inverseEntity="A"/></entity>
      <entity name="B"><relationship name="a" maxCount="1" ordered="YES" destinationEntity="A" \
      inverseName="b" inverseEntity="B"/></entity>
      """)
    #expect(warnings == ["model.inverse-entity", "model.ordered-to-one", "model.inverse-entity"])
    #expect(model.entities[1].relationships[0].cardinality == .toOne)
  }

  @Test func requiredToManyToTheEntityItself() throws {
    let (model, warnings) = try read(
      """
      <entity name="Node">
        <relationship name="parent" optional="YES" minCount="1" maxCount="1" \
      destinationEntity="Node" inverseName="children" inverseEntity="Node"/>
        <relationship name="children" toMany="YES" minCount="1" ordered="YES" \
      destinationEntity="Node" inverseName="parent" inverseEntity="Node"/>
      </entity>
      """)
    let node = try #require(model.entity(named: "Node"))
    #expect(node.relationships.map(\.cardinality) == [.toMany(ordered: true), .toOne])
    #expect(node.relationships.map(\.isOptional) == [false, true])
    #expect(node.relationships.map(\.minimumCount) == [1, 1])
    #expect(node.relationships.map(\.maximumCount) == [nil, 1])
    #expect(warnings.isEmpty)
  }

  @Test(arguments: ["nothing", "E", "58EE245C-0000-4000-8000-000000000000"])
  func renamingIdentifier(identifier: String) throws {
    let (model, warnings) = try read(
      """
      <entity name="E" elementID="\(identifier)">
        <attribute name="a" attributeType="String" elementID="\(identifier)"/>
      </entity>
      """)
    #expect(model.entities[0].renamingIdentifier == identifier)
    #expect(model.entities[0].attributes[0].renamingIdentifier == identifier)
    #expect(warnings.isEmpty)
  }

  @Test func emptyUserInfo() throws {
    let (model, warnings) = try read(#"<entity name="E"><userInfo/></entity>"#)
    #expect(model.entities[0].userInfo.isEmpty)
    #expect(warnings.isEmpty)
  }

  @Test func repeatedKeysAndMembers() throws {
    let (model, warnings) = try read(
      """
      <entity name="E"><userInfo><entry key="k" value="1"/><entry key="k" value="2"/></userInfo>
      </entity>
      <configuration name="C"><memberEntity name="E"/><memberEntity name="E"/></configuration>
      """)
    #expect(model.entities[0].userInfo == ["k": "2"])
    #expect(model.configurations[0].entities == ["E"])
    #expect(warnings == ["model.repeated-key", "model.repeated-member"])
  }

  @Test func indexNamedLikeAProperty() throws {
    let (model, warnings) = try read(
      """
      <entity name="E"><attribute name="cid" attributeType="String"/>
      <fetchIndex name="cid"><fetchIndexElement property="cid" type="Binary" order="descending"/>
      </fetchIndex></entity>
      """)
    let index = FetchIndex(name: "cid", elements: [.init(.property("cid"), isAscending: false)])
    #expect(model.entities[0].indexes == [index])
    #expect(warnings.isEmpty)
  }

  @Test func upperCasePropertyNames() throws {
    let found = try read(
      #"<entity name="lower"><attribute name="ProfileID" attributeType="UUID"/></entity>"#)
    #expect(found.model.entities[0].attributes[0].name == "ProfileID")
    #expect(found.warnings.isEmpty)
  }

  @Test func rawGreaterSignInAPredicate() throws {
    let (model, _) = try read(
      #"<entity name="E"/><fetchRequest name="r" entity="E" predicateString="a > 5"/>"#)
    #expect(model.templates[0].predicateText?.text == "a > 5")
  }

  @Test func duplicateNames() {
    #expect(errors(#"<entity name="E"/><entity name="E"/>"#) == ["model.duplicate-name"])
  }

  /// Composed and decomposed é look the same and have different bytes.
  @Test func refusesNamesThatDifferOnlyInForm() {
    let xml = "<entity name=\"Caf\u{E9}\"/><entity name=\"Cafe\u{301}\"/>"
    #expect(errors(xml) == ["model.twin-name"])
  }

  @Test func namesThatDifferInCaseOnly() throws {
    let (model, warnings) = try read(
      """
      <entity name="Item"><attribute name="name" attributeType="String"/>
      <attribute name="Name" attributeType="String"/></entity><entity name="ITEM"/>
      """)
    #expect(model.entities.map(\.name) == ["ITEM", "Item"])
    #expect(warnings == ["model.same-but-for-case", "model.same-but-for-case"])
  }

  /// The name identifies an element without elementID.
  @Test(arguments: [
    (#"<attribute name="a" elementID="x" attributeType="String"/>"#, 1),
    (#"<attribute name="x" attributeType="String"/>"#, 1),
    (#"<attribute name="x" elementID="y" attributeType="String"/>"#, 0),
  ])
  func sharedRenamingIdentifiers(other: String, count: Int) throws {
    let (_, warnings) = try read(
      """
      <entity name="E"><attribute name="b" elementID="x" attributeType="String"/>\(other)</entity>
      """)
    #expect(warnings == Array(repeating: "model.same-identifier", count: count))
  }

  @Test func entitiesThatShareARenamingIdentifier() throws {
    let (_, warnings) = try read(#"<entity name="E" elementID="F"/><entity name="F"/>"#)
    #expect(warnings == ["model.same-identifier"])
  }

  @Test func namesBeyondASCII() throws {
    let (model, warnings) = try read(
      """
      <entity name="Größe"><attribute name="名前" attributeType="String"/>
      <attribute name="😀" attributeType="String"/></entity>
      """)
    #expect(model.entities[0].name == "Größe")
    #expect(model.entities[0].attributes.map(\.name) == ["名前", "😀"])
    #expect(warnings.isEmpty)
  }

  @Test func rTreeAndExpressionIndexes() throws {
    let (model, warnings) = try read(
      """
      <entity name="E"><attribute name="lat" attributeType="Double"/>
      <fetchIndex name="spot"><fetchIndexElement property="lat" type="RTree" order="ascending"/>
      </fetchIndex><fetchIndex name="lower"><fetchIndexElement expression="lowercase:(lat)" \
      expressionType="String" type="Binary" order="ascending"/></fetchIndex></entity>
      """)
    #expect(
      model.entities[0].indexes == [
        FetchIndex(name: "spot", elements: [.init(.property("lat"), kind: .rTree)]),
        FetchIndex(name: "lower", elements: [.init(.expression("lowercase:(lat)", type: .string))]),
      ])
    #expect(warnings.isEmpty)
  }

  @Test func spotlightDisplayNameAndObjectIDType() throws {
    let (model, warnings) = try read(
      """
      <entity name="E" coreSpotlightDisplayNameExpression="a">
      <attribute name="a" attributeType="ObjectID" spotlightIndexingEnabled="YES"/></entity>
      """)
    #expect(model.entities[0].attributes[0].type == .objectID)
    #expect(model.entities[0].attributes[0].isIndexedBySpotlight)
    #expect(warnings.isEmpty)
  }

  @Test func unknownWordsAreWarnings() throws {
    let source = XMLSource(
      file: "contents",
      bytes: Array(#"<model><entity name="E" isAbstrakt="YES"/><entty name="F"/></model>"#.utf8))
    let reading = try ModelReading.read(source, name: "Test")
    let text = reading.diagnostics.map(DiagnosticRenderer().render).joined()
    #expect(
      text == """
        contents:1:25: warning: the unknown attribute 'isAbstrakt' of 'entity' is ignored \
        [model.unknown-attribute]
          <model><entity name="E" isAbstrakt="YES"/><entty name="F"/></model>
                                  ^^^^^^^^^^
          help: did you mean 'isAbstract'?
        contents:1:44: warning: the unknown element 'entty' in 'model' is ignored \
        [model.unknown-element]
          <model><entity name="E" isAbstrakt="YES"/><entty name="F"/></model>
                                                     ^^^^^
          help: did you mean 'entity'?

        """)
  }
}
