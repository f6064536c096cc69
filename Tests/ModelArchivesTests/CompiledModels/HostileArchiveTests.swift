@testable import ModelArchives
import SeededRandom
import StoreDiagnostics
import TestSupport
import Testing

/// A model may come from anybody.
struct HostileArchiveTests {
  /// The fault of an archive, with the numbers of objects left out.
  private func fault(_ change: (inout SampleArchive) -> Void) -> String? {
    var archive = SampleArchive.pets
    change(&archive)
    do {
      _ = try CompiledModel.decode(archive.bytes(), name: "Pets")
      return nil
    } catch {
      return error.fault.reason.replacing(/\[[0-9]+\]/, with: "[n]")
    }
  }

  @Test func namesThatLeadNowhere() {
    #expect(
      fault { $0.addRelationship("Dog", "home", to: "House") }
        == "'$objects[n]._NSDestinationEntityName' is 'House', expected an entity of the model")
    #expect(
      fault { $0.addRelationship("Dog", "friend", to: "Person", inverse: "dog") }
        == "'$objects[n].NSInverseRelationship' is 'dog', expected a relationship of 'Person'")
    #expect(
      fault {
        let tuple = $0.builder.list([$0.builder.text("nme")])
        $0.setEntityValue("Person", "NSUniqueTuples", $0.builder.list([tuple]))
      } == "'$objects[n]' is 'nme', expected a property of 'Person'")
    #expect(
      fault {
        $0.addProperty("Dog", "x", $0.builder.object("_NSPropertyDescriptionProxy", []))
      }
        == "'$objects[n]' is a proxy of 'x', expected the property, which no ancestor of 'Dog' has")
  }

  /// In one entity, and in two that share a table.
  @Test(arguments: ["Cat", "Dog"])
  func namesThatLookAlike(_ other: String) {
    let fault = fault {
      $0.addEntity("Animal")
      $0.addEntity("Cat", parent: "Animal")
      $0.addEntity("Lion", parent: "Animal")
      $0.addAttribute(other == "Dog" ? "Dog" : "Lion", "caf\u{E9}")
      $0.addAttribute(other, "cafe\u{301}")
    }
    #expect(fault?.contains("which looks like") == true)
    #expect(fault?.contains("U+0065 U+0301") == true)
  }

  @Test func wrongClassesAndCodes() {
    #expect(
      fault { $0.addAttribute("Dog", "x", type: 12) }
        == "'$objects[n].NSAttributeType' is 12, expected the number of a type")
    #expect(
      fault { $0.addProperty("Dog", "x", $0.builder.object("NSArray", [])) }
        == "'$objects[n]' is an object of class 'NSArray', expected a property")
    #expect(
      fault { $0.addRelationship("Dog", "x", to: "Dog", [("NSDeleteRule", .integer(9))]) }
        == "'$objects[n].NSDeleteRule' is 9, expected the number of a delete rule")
    #expect(
      fault { $0.setEntityValue("Dog", "NSSuperentity", $0.builder.text("Person")) }
        == "'$objects[n].NSSuperentity' is a string, expected an object")
  }

  @Test func entitiesThatAreTheirOwnAncestors() {
    #expect(
      fault {
        $0.setEntityValue("Dog", "NSSuperentity", $0.reference("Person"))
        $0.setEntityValue("Person", "NSSuperentity", $0.reference("Dog"))
      } == "'$objects[n].NSSuperentity' is nested more than 100 levels deep")
  }

  @Test func predicatesInCircles() {
    #expect(
      fault {
        let circle = $0.builder.reserve()
        let list = $0.builder.list([.reference(circle)])
        $0.builder.object(
          "NSCompoundPredicate",
          [("NSCompoundPredicateType", .integer(0)), ("NSSubpredicates", list)], at: circle)
        $0.addAttribute(
          "Dog", "x", [("NSDerivationExpression", $0.ternary(.reference(circle)))],
          className: "NSDerivedAttributeDescription")
      } == "'$objects[n]' is nested more than 64 levels deep")
  }

  /// Each level uses the next one twice: as many nodes as 2 to the power of 40.
  @Test func predicatesThatDouble() {
    #expect(
      fault {
        var part = $0.comparison($0.itself(), 4, $0.constant(.integer(1)))
        for _ in 0..<40 { part = $0.compound(1, [part, part]) }
        // Its limit concerns the whole archive, although no hash depends on a validation.
        $0.addAttribute("Dog", "x", [("NSValidationPredicates", $0.builder.list([part]))])
      } == "its objects refer to each other too often")
  }

  @Test func theErrorNamesTheModel() throws {
    do {
      _ = try CompiledModel.decode([1, 2, 3], name: "Shop 2")
      Issue.record("no error")
    } catch {
      #expect(
        DiagnosticRenderer().render(error.diagnostics[0]) == """
          error: the compiled model 'Shop 2' can't be read: it isn't a complete keyed archive [model.compiled-damaged]
            help: check whether the file is complete, or use the model from which it was compiled

          """)
    }
  }

  /// Bytes of sound archives are changed: each is read or refused. `ARCHIVE_SEEDS=1-100000` for more.
  @Test func survivesChangedBytes() {
    var archive = SampleArchive.pets
    let sources = [archive.bytes()] + CorpusArchive.all.prefix(8).map(\.bytes)
    for seed in Seeds.named("ARCHIVE_SEEDS", otherwise: 1...400) {
      var generator = SeededGenerator(seed: seed)
      var bytes = generator.pick(sources)
      for _ in 0...generator.below(8) {
        bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
      }
      if generator.below(8) == 0 { bytes.removeLast(generator.below(bytes.count)) }
      do {
        _ = try CompiledModel.decode(bytes, name: "Pets")
      } catch {
        #expect(!error.fault.reason.isEmpty)
      }
    }
  }
}
