import StoreDiagnostics
import StoreModel
import StoreModelReader
import Testing

/// Models that are designed to take a long time. Each is either read quickly or rejected with the exceeded limit.
struct HostileModelTests {
  private func diagnostics(_ children: String) -> [DiagnosticMessage] {
    let source = XMLSource(file: "contents", bytes: Array("<model>\(children)</model>".utf8))
    do {
      return try ModelReading.read(source, name: "Test").diagnostics
    } catch let error as any DiagnosableError {
      return error.diagnostics
    } catch {
      return [DiagnosticMessage(.error, "test", "\(error)")]
    }
  }

  private func chain(_ count: Int, firstParent: String = "") -> String {
    (0..<count).map { number in
      let parent = number == 0 ? firstParent : #" parentEntity="E\#(number - 1)""#
      return #"<entity name="E\#(number)"\#(parent)/>"#
    }.joined()
  }

  @Test func inheritanceOfFiveThousandLevels() {
    #expect(diagnostics(chain(101)).isEmpty)
    let found = diagnostics(chain(5000))
    #expect(found.map(\.code) == ["model.too-deep"])
    #expect(found.map(\.message) == ["'E101' has more than 100 ancestors"])
  }

  @Test func aCircleOfFiveThousandEntities() {
    #expect(
      diagnostics(chain(50, firstParent: #" parentEntity="E49""#)).map(\.code) == [
        "model.parent-cycle"
      ])
    #expect(
      diagnostics(chain(5000, firstParent: #" parentEntity="E4999""#)).map(\.code) == [
        "model.too-deep"
      ])
  }

  private func composite(_ number: Int, members: Int) -> String {
    let attributes = (0..<members).map {
      "<attribute name='a\($0)' attributeType='Composite' composite='C\(number + 1)'/>"
    }
    return "<composite name='C\(number)'>\(attributes.joined())</composite>"
  }

  /// Composites that contain each other, from the outermost or from the innermost one. Then composites with two members
  /// of the next one.
  @Test func compositesWithoutEnd() {
    let end = "<attribute name='a' attributeType='String'/></composite>"
    for numbers in [Array(0..<10_000), (0..<10_000).reversed()] {
      let chain = numbers.map { composite($0, members: 1) }.joined()
      let found = diagnostics(chain + "<composite name='C10000'>" + end)
      #expect(
        !found.isEmpty && found.prefix(1000).allSatisfy { $0.code == "model.composite-too-large" })
    }
    let double = (0..<15).map { composite($0, members: 2) }.joined()
    #expect(
      diagnostics(double + "<composite name='C15'>" + end).map(\.code) == [
        "model.composite-too-large"
      ])
    let small = (0..<10).map { composite($0, members: 2) }.joined()
    #expect(diagnostics(small + "<composite name='C10'>" + end).isEmpty)
  }

  @Test func aHundredThousandAttributesOnAnElement() {
    func element(_ count: Int) -> String {
      "<entity name='E' " + (1..<count).map { "x\($0)='='" }.joined(separator: " ") + "/>"
    }
    #expect(diagnostics(element(1000)).allSatisfy { $0.code == "model.unknown-attribute" })
    let found = diagnostics(element(100_000))
    #expect(found.map(\.code) == ["xml.too-many-attributes"])
    #expect(found.map(\.message) == ["an element has more than 1000 attributes"])
    // An unclosed quote in a comment doesn't hide the following text.
    #expect(
      diagnostics("<!-- <it's -->" + element(100_000)).map(\.code) == ["xml.too-many-attributes"])
  }

  @Test func fiftyThousandMistakesOnALine() {
    let entity = (0..<50_000).map { "<attribute name='é\($0)' attributeType='Strin'/>" }.joined()
    let found = diagnostics("<entity name='E'>\(entity)</entity>")
    #expect(found.count == 1001)
    #expect(found.last?.message == "'contents' has 49000 more issues; at most 1000 are listed")
    // <model><entity name='E'><attribute name='é0' attributeType='Strin'/>
    #expect(found.first?.place == SourcePlace(file: "contents", line: 1, column: 61))
    // Each attribute is 44 columns wide up to the tenth, 45 up to the hundredth, and 46 after that. The name has three
    // digits.
    let column = 61 + 2 + 10 * 44 + 90 * 45 + 899 * 46
    #expect(found[999].place == SourcePlace(file: "contents", line: 1, column: column))
  }

  /// Warnings above the limit are omitted, but errors aren't.
  @Test func anErrorBehindThousandsOfWarnings() {
    let warnings = (0..<2000).map { "<entity name='E\($0)' x='1'/>" }.joined()
    let found = diagnostics(warnings + "<entity/>")
    #expect(found.filter { $0.severity == .error }.map(\.code) == ["model.missing-attribute"])
    #expect(found.last?.message == "'contents' has 1000 more issues; at most 1000 are listed")
  }

  @Test func valuesOfTenThousandCharacters() {
    let (a, b) = (String(repeating: "a", count: 10_000), String(repeating: "b", count: 10_000))
    let found = diagnostics(
      "<entity name='\(a)'/><entity name='E' parentEntity='\(b)'><attribute name='x' attributeType='\(a)'/></entity>"
    )
    #expect(found.map(\.code) == ["model.unknown-entity", "model.unknown-word"])
    for diagnostic in found {
      #expect((diagnostic.excerpt?.text.utf8.count ?? 0) <= 400)
    }
  }

  /// The errors are located in the decoded text, in which an entity is one character.
  @Test func aPredicateOfManyMistakesOnALongLine() throws {
    let count = 2000
    let predicate = (0..<count).map { "a\($0) == &quot;x&quot;" }.joined(separator: " AND ")
    let source = XMLSource(
      file: "contents",
      bytes: Array(
        "<model><entity name='E'/><fetchRequest name='f' entity='E' predicateString='\(predicate)'/></model>"
          .utf8))
    let model = try ModelReading.read(source, name: "Test").model
    let template = try #require(model.templates.first)
    let error = #expect(throws: (any Error).self) { try template.checked(in: model) }
    let found = (error as? any DiagnosableError)?.diagnostics ?? []
    #expect(found.count == count)
    #expect(found.first?.place?.column == 77)
    let rendered = found.map(DiagnosticRenderer().render)
    #expect(rendered.allSatisfy { $0.utf8.count < 2000 })
  }
}
