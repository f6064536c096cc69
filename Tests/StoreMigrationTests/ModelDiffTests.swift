import StoreMigration
import StoreModelReader
import Testing

struct ModelDiffTests {
  private func reading(_ entities: String) throws -> ModelReading {
    try ModelReading.read(
      XMLSource(file: "M", bytes: Array("<model>\n\(entities)\n</model>".utf8)), name: "M")
  }

  /// Compares a diff line by line: subject, code, detail, effect, difficulty.
  private func expectDiff(
    _ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: () -> String
  ) throws {
    let diff = ModelDiff(from: try reading(old).model, to: try reading(new).model)
    let lines = diff.changes.map { change in
      let subject = [change.entity, change.name].compactMap { $0 }.joined(separator: ".")
      let wording = change.wording
      return "\(subject): \(wording.code): \(wording.detail)"
        + " [\(change.effect), \(change.difficulty.rawValue)]"
    }
    #expect(lines.joined(separator: "\n") == expected(), sourceLocation: sourceLocation)
  }

  /// Compares a diff of the attributes of an entity A.
  private func expectAttributes(
    _ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: () -> String
  ) throws {
    try expectDiff(
      "<entity name=\"A\">\(old)</entity>", "<entity name=\"A\">\(new)</entity>",
      sourceLocation: sourceLocation, expected)
  }

  @Test func whatAMigrationLosesAsFarAsTheModelsTell() throws {
    let old = """
      <entity name='A'><attribute name='x' attributeType='String'/><attribute name='y'/>
      <relationship name='bs' toMany='YES' destinationEntity='B' inverseName='a' inverseEntity='B'/></entity>
      <entity name='B'><attribute name='kept' attributeType='String' optional='YES'/>
      <relationship name='a' maxCount='1' destinationEntity='A' inverseName='bs' inverseEntity='A'/></entity>
      <entity name='C'><attribute name='z' attributeType='String'/></entity>
      """
    let new = """
      <entity name='A'><attribute name='x' attributeType='String'/></entity>
      <entity name='B'><attribute name='kept' attributeType='String' optional='YES'/></entity>
      """
    let diff = ModelDiff(from: try reading(old).model, to: try reading(new).model)
    #expect(diff.needsMigration)
    #expect(try diff.inferredMapping.possibleLosses() == ["C", "A.y", "B.a"])
    let same = ModelDiff(from: diff.source, to: diff.source)
    #expect(!same.needsMigration)
    #expect(try same.inferredMapping.possibleLosses().isEmpty)
  }

  @Test func equalModels() throws {
    try expectAttributes("<attribute name='x'/>", "<attribute name='x'/>") { "" }
  }

  @Test func entities() throws {
    try expectDiff(
      """
      <entity name='Old'><attribute name='x' attributeType='String'/></entity>
      <entity name='Gone'/><entity name='Base'/><entity name='Leaf' parentEntity='Base'/>
      """,
      """
      <entity name='New' elementID='Old' versionHashModifier='2' representedClassName='Item'>
      <attribute name='x' attributeType='String'/></entity>
      <entity name='Top' isAbstract='YES'/><entity name='Base' parentEntity='Top'/>
      <entity name='Leaf' isAbstract='YES' elementID='Blade'>
      <userInfo><entry key='k' value='v'/></userInfo></entity>
      """
    ) {
      """
      Base: entity.parent: parent: none → Top [hash, structure]
      Gone: entity.removed: removed, with its rows [hash, removal]
      Leaf: entity.element-id: elementID: none → Blade [none, setting]
      Leaf: entity.identifier-mismatch: renaming identifiers differ ('Leaf' → 'Blade'), so Core Data drops the rows [none, setting]
      Leaf: entity.parent: parent: Base → none [hash, structure]
      Leaf: entity.abstract: abstract [hash, structure]
      Leaf: entity.user-info: user info: 'k' [none, nothing]
      New: entity.renamed: renamed from 'Old' [hash, rename]
      New: entity.hash-modifier: version hash modifier: none → 2 [hash, setting]
      New: entity.class: class: none → Item [none, nothing]
      Top: entity.added: added, abstract [hash, addition]
      """
    }
  }

  @Test func renamesBehindANewNameOfTheSameKind() throws {
    try expectAttributes(
      "<attribute name='title' attributeType='String' optional='YES'/>",
      """
      <attribute name='name' attributeType='String' optional='YES' elementID='title'/>
      <attribute name='title' attributeType='String' optional='YES' elementID='title2'/>
      """
    ) {
      """
      A.name: attribute.renamed: renamed from 'title' [hash, rename]
      A.title: attribute.added: added: String, optional; its elementID 'title2' has no counterpart [hash, addition]
      """
    }
  }

  /// The version hashes don't contain renaming identifiers.
  @Test func exchangedNamesDemandNoMigration() throws {
    try expectAttributes(
      """
      <attribute name='first' attributeType='String' optional='YES'/>
      <attribute name='last' attributeType='String' optional='YES'/>
      """,
      """
      <attribute name='first' attributeType='String' optional='YES' elementID='last'/>
      <attribute name='last' attributeType='String' optional='YES' elementID='first'/>
      """
    ) {
      """
      A.first: attribute.renamed: renamed from 'last' [none, rename]
      A.last: attribute.renamed: renamed from 'first' [none, rename]
      """
    }
  }

  @Test func aRelationshipTakesTheNameOfARenamedAttribute() throws {
    try expectDiff(
      "<entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>",
      """
      <entity name='A'><attribute name='y' attributeType='String' optional='YES' elementID='x'/>
      <relationship name='x' optional='YES' maxCount='1' destinationEntity='A'/></entity>
      """
    ) {
      """
      A.y: attribute.renamed: renamed from 'x' [hash, rename]
      A.x: relationship.added: added: to-one A, optional [hash, addition]
      """
    }
  }

  @Test func differingIdentifiersOfOneName() throws {
    try expectAttributes(
      "<attribute name='x' attributeType='String' elementID='one'/>",
      "<attribute name='x' attributeType='String'/>"
    ) {
      """
      A.x: attribute.element-id: elementID: one → none [none, setting]
      A.x: attribute.identifier-mismatch: renaming identifiers differ ('one' → 'x'), so Core Data drops the values [none, setting]
      """
    }
  }

  @Test func addedAndRemovedAttributes() throws {
    try expectAttributes(
      "<attribute name='gone' attributeType='Date' optional='YES'/>",
      """
      <attribute name='a' attributeType='String' optional='YES'/>
      <attribute name='b' attributeType='Boolean' defaultValueString='NO'/>
      <attribute name='c' attributeType='Integer 16'/>
      <attribute name='d' attributeType='String' transient='YES' elementID='lost'/>
      """
    ) {
      """
      A.gone: attribute.removed: removed: Date, optional [hash, removal]
      A.a: attribute.added: added: String, optional [hash, addition]
      A.b: attribute.added: added: Boolean, required, default false [hash, addition]
      A.c: attribute.added: added: Integer 16, required, without a default [hash, beyond inference]
      A.d: attribute.added: added: String, required, transient; its elementID 'lost' has no counterpart [none, addition]
      """
    }
  }

  @Test func changedAttributes() throws {
    try expectAttributes(
      """
      <attribute name='a' attributeType='Integer 16'/>
      <attribute name='b' attributeType='String' optional='YES'/>
      <attribute name='c' attributeType='String' optional='YES'/>
      <attribute name='d' attributeType='String' defaultValueString='x' maxValueString='10'/>
      <attribute name='e' attributeType='Boolean' defaultValueString='NO'/>
      <attribute name='f' attributeType='Binary' optional='YES'/>
      <attribute name='g' attributeType='Transformable' optional='YES'/>
      <attribute name='h' attributeType='String' optional='YES' transient='YES'/>
      """,
      """
      <attribute name='a' attributeType='Integer 64' optional='YES'/>
      <attribute name='b' attributeType='String'/>
      <attribute name='c' attributeType='String' defaultValueString=''/>
      <attribute name='d' attributeType='String' defaultValueString='y' minValueString='1' indexed='YES'/>
      <attribute name='e2' attributeType='Integer 32' defaultValueString='0' elementID='e'/>
      <attribute name='f' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES' versionHashModifier='1'/>
      <attribute name='g' attributeType='Transformable' optional='YES' valueTransformerName='T' customClassName='C'/>
      <attribute name='h' attributeType='String' optional='YES'/>
      """
    ) {
      """
      A.a: attribute.type: Integer 16 → Integer 64 [hash, beyond inference]
      A.a: attribute.optional: required → optional [hash, setting]
      A.b: attribute.required: optional → required, without a default [hash, beyond inference]
      A.c: attribute.required: optional → required, default "" [hash, setting]
      A.c: attribute.default: default: none → "" [none, setting]
      A.d: attribute.default: default: "x" → "y" [none, setting]
      A.d: attribute.validation: allowed: to 10 → from 1 [none, setting]
      A.d: attribute.indexed: indexed [schema, setting]
      A.e2: attribute.renamed: renamed from 'e' [hash, rename]
      A.e2: attribute.type: Boolean → Integer 32 [hash, beyond inference]
      A.f: attribute.hash-modifier: version hash modifier: none → 1 [hash, setting]
      A.f: attribute.external: stored externally [hash, setting]
      A.g: attribute.transformer: transformer: none → T [none, setting]
      A.g: attribute.class: class: none → C [none, nothing]
      A.h: attribute.stored: transient → stored [hash, structure]
      """
    }
  }

  /// The version hash of a derived attribute only depends on its expression.
  @Test func derivedAttributes() throws {
    let items =
      "<relationship name='items' toMany='YES' optional='YES' deletionRule='Nullify' destinationEntity='A'/>"
    func derived(_ type: String, _ expression: String) -> String {
      "\(items)<attribute name='n' optional='YES' derived='YES' attributeType='\(type)' derivationExpression='\(expression)'/>"
    }
    try expectAttributes(derived("Integer 32", "items.@count"), derived("Integer 64", "n")) {
      """
      A.n: attribute.type: Integer 32 → Integer 64 [schema, beyond inference]
      A.n: attribute.derivation: derived from: items.@count → n [hash, setting]
      """
    }
  }

  @Test func attributesInTheHierarchy() throws {
    try expectDiff(
      """
      <entity name='P'><attribute name='down' attributeType='String'/></entity>
      <entity name='C' parentEntity='P'><attribute name='up' attributeType='String'/></entity>
      """,
      """
      <entity name='P'><attribute name='up' attributeType='String' optional='YES'/></entity>
      <entity name='C' parentEntity='P'><attribute name='down' attributeType='String'/></entity>
      """
    ) {
      """
      C.down: attribute.moved: declared by: P → C [hash, structure]
      C.up: attribute.moved: declared by: C → P [hash, structure]
      C.up: attribute.optional: required → optional [hash, setting]
      P.down: attribute.removed: removed: String, required, without a default [hash, removal]
      P.up: attribute.added: added: String, optional [hash, addition]
      """
    }
  }

  @Test func relationships() throws {
    func one(_ name: String, _ more: String, to entity: String = "B") -> String {
      "<relationship name='\(name)' maxCount='1' deletionRule='Nullify' destinationEntity='\(entity)' \(more)/>"
    }
    func many(_ name: String, _ more: String, to entity: String = "B") -> String {
      "<relationship name='\(name)' toMany='YES' optional='YES' deletionRule='Cascade' destinationEntity='\(entity)' \(more)/>"
    }
    let rest = "<entity name='B'/><entity name='B2' parentEntity='B'/><entity name='X'/>"
    try expectDiff(
      """
      <entity name='A'>\(one("a", "optional='YES'"))\(one("b", ""))\(many("c", ""))
      \(one("d", "optional='YES'"))\(one("e", "optional='YES'"))
      \(one("f", "optional='YES'", to: "B2"))\(one("gone", "optional='YES'"))
      <attribute name='h' attributeType='String'/></entity>\(rest)
      """,
      """
      <entity name='A'>\(many("a", ""))\(one("b", "optional='YES' indexed='YES'"))
      \(many("c", "ordered='YES' maxCount='5'"))\(one("d", "optional='YES'", to: "X"))
      \(one("e", "optional='YES'", to: "B2"))\(one("f", "optional='YES'"))
      \(one("g", "")) \(one("h", "optional='YES'"))</entity>\(rest)
      """
    ) {
      """
      A.gone: relationship.removed: removed: to-one B, optional [hash, removal]
      A.a: relationship.cardinality: to-one → to-many [hash, structure]
      A.a: relationship.delete-rule: delete rule: Nullify → Cascade [none, setting]
      A.b: relationship.optional: required → optional [hash, setting]
      A.b: relationship.indexed: indexed [none, setting]
      A.c: relationship.cardinality: to-many → ordered to-many [hash, structure]
      A.c: relationship.counts: count: 0 to default → 0 to 5 [hash, setting]
      A.d: relationship.destination: destination: B → X, an unrelated entity [hash, beyond inference]
      A.e: relationship.destination: destination: B → B2, a subentity [hash, structure]
      A.f: relationship.destination: destination: B2 → B, a parent entity [hash, structure]
      A.g: relationship.added: added: to-one B, required [hash, addition]
      A.h: relationship.was-attribute: was an attribute [hash, beyond inference]
      """
    }
  }

  @Test func bothSidesOfARenamedRelationship() throws {
    func pair(_ name: String, _ id: String, _ entity: String, _ entityID: String) -> String {
      """
      <entity name='A'><relationship name='\(name)' \(id) toMany='YES' optional='YES' \
      deletionRule='Nullify' destinationEntity='\(entity)' inverseName='a' inverseEntity='\(entity)'/></entity>
      <entity name='\(entity)' \(entityID)><relationship name='a' optional='YES' maxCount='1' \
      deletionRule='Nullify' destinationEntity='A' inverseName='\(name)' inverseEntity='A'/></entity>
      """
    }
    try expectDiff(
      pair("items", "", "Item", ""),
      pair("things", "elementID='items'", "Thing", "elementID='Item'")
    ) {
      """
      A.things: relationship.renamed: renamed from 'items' [hash, rename]
      A.things: relationship.destination: destination: Item → Thing, the same entity renamed [hash, rename]
      Thing: entity.renamed: renamed from 'Item' [hash, rename]
      Thing.a: relationship.inverse: inverse: items → things, the same relationship renamed [hash, setting]
      """
    }
  }

  @Test func indexesAndConstraints() throws {
    let attributes =
      "<attribute name='x' attributeType='String'/><attribute name='y' attributeType='String'/>"
    func index(_ name: String, _ property: String, _ order: String = "ascending") -> String {
      "<fetchIndex name='\(name)'><fetchIndexElement property='\(property)' type='Binary' order='\(order)'/></fetchIndex>"
    }
    try expectAttributes(
      """
      \(attributes)\(index("i", "x"))\(index("gone", "x"))
      <uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint></uniquenessConstraints>
      """,
      """
      \(attributes)\(index("i", "x", "descending"))\(index("new", "y"))
      <compoundIndexes><compoundIndex><index value='x'/><index value='y'/></compoundIndex></compoundIndexes>
      <uniquenessConstraints><uniquenessConstraint><constraint value='x'/><constraint value='y'/></uniquenessConstraint></uniquenessConstraints>
      """
    ) {
      """
      A: index.removed: index removed: gone (x) [schema, setting]
      A: index.changed: index: i (x) → i (x descending) [schema, setting]
      A: index.added: index added: new (y) [schema, setting]
      A: index.added: index added: x, y [schema, setting]
      A: constraint.removed: no longer unique: x [hash, setting]
      A: constraint.added: now unique: x, y [hash, setting]
      """
    }
  }

  @Test func templatesAndConfigurations() throws {
    try expectDiff(
      """
      <entity name='A'/><entity name='B'/><fetchRequest name='gone' entity='A'/>
      <fetchRequest name='t' entity='A' predicateString='SELF == nil'/>
      <configuration name='c'><memberEntity name='A'/></configuration>
      <composite name='k'><attribute name='x' attributeType='String'/></composite>
      """,
      """
      <entity name='A'/><entity name='B'/><fetchRequest name='new' entity='A'/>
      <fetchRequest name='t' entity='B' predicateString='SELF != nil' fetchLimit='3'/>
      <configuration name='c'><memberEntity name='B'/></configuration>
      <composite name='k'><attribute name='x' attributeType='Date'/></composite>
      """
    ) {
      """
      k: composite.changed: changed: x [schema, beyond inference]
      gone: template.removed: removed [none, nothing]
      new: template.added: added [none, nothing]
      t: template.changed: changed: entity, predicate, limit [none, nothing]
      c: configuration.members: with B, without A [none, nothing]
      """
    }
  }

  /// A removed entity or property resembles a new one without a renaming identifier.
  @Test func likelyRenames() throws {
    let columns =
      "<attribute name='id' attributeType='String'/><attribute name='n' attributeType='Date'/>"
    try expectDiff(
      """
      <entity name='MastoNote'>\(columns)</entity>
      <entity name='A'><attribute name='listId' attributeType='String' optional='YES'/>
      <attribute name='size' attributeType='Double' optional='YES'/></entity>
      """,
      """
      <entity name='Note'>\(columns)</entity>
      <entity name='A'><attribute name='listID' attributeType='String' optional='YES'/>
      <attribute name='sizes' attributeType='String' optional='YES'/></entity>
      """
    ) {
      """
      A.listId: attribute.removed: removed: String, optional [hash, removal]
      A.size: attribute.removed: removed: Double, optional [hash, removal]
      A.listID: attribute.added: added: String, optional; may be 'listId' renamed without an elementID [hash, addition]
      A.sizes: attribute.added: added: String, optional [hash, addition]
      MastoNote: entity.removed: removed, with its rows [hash, removal]
      Note: entity.added: added; may be 'MastoNote' renamed without an elementID [hash, addition]
      """
    }
  }
}
