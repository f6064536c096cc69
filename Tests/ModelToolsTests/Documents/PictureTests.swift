import ModelTools
import StoreModel
import TestSupport
import Testing

/// Complete diagrams of sample models, and of models with hostile names.
struct PictureTests {
  private let library = ModelDiagram(of: SampleModel.library)

  @Test func mermaidIsAsRecorded() {
    Golden.expect(MermaidDiagram(library).text, matches: "Library.mmd")
    Golden.expect(MermaidDiagram(ModelDiagram(of: SampleModel.odd)).text, matches: "Odd.mmd")
  }

  @Test func placedPictureIsAsRecorded() throws {
    let frames = [
      "Medium": try #require(EditorFrame(x: -63, y: -18, width: 128, height: 103)),
      "Book": try #require(EditorFrame(x: -63, y: 150, width: 128, height: 103)),
      "Loan": try #require(EditorFrame(x: 160, y: -18, width: 128, height: 103)),
    ]
    let picture = PlacedDiagram(library, title: "Library 2", frames: frames)
    Golden.expect(picture.text, matches: "Library.svg")
    let odd = PlacedDiagram(
      ModelDiagram(of: SampleModel.odd), title: SampleModel.odd.name, frames: [:])
    Golden.expect(odd.text, matches: "Odd.svg")
  }

  @Test func changesAreAsRecorded() {
    let diagram = ModelDiagram(of: SampleModel.library, changes: SampleModel.libraryChanges)
    Golden.expect(MermaidDiagram(diagram).text, matches: "Changes.mmd")
    Golden.expect(
      PlacedDiagram(diagram, title: "Library 2", frames: [:]).text, matches: "Changes.svg")
  }

  @Test func mermaidFollowsItsGrammar() {
    for diagram in SampleModel.diagrams {
      #expect(MermaidGrammar.mistakes(in: MermaidDiagram(diagram).text) == [])
    }
  }

  /// The grammar check rejects invalid texts.
  @Test(arguments: [
    "classDiagram\n  class note\n", "classDiagram\n  A -- B\n",
    "classDiagram\n  class A {\n    b{c\n  }\n", "classDiagram\n  class A[\"b\"c\"]\n",
    "classDiagram\n  class A\n  A --> A : b: c\n", "classDiagram\n  class A {\n",
  ])
  func grammarRefuses(_ text: String) {
    #expect(MermaidGrammar.mistakes(in: text) != [])
  }

  @Test(.enabled(if: OtherPrograms.mermaid != nil, "\(OtherPrograms.mermaidAbsence)"))
  func mermaidItselfReadsThem() throws {
    let texts = SampleModel.diagrams.map { MermaidDiagram($0).text }
    #expect(try OtherPrograms.mistakesByMermaid(in: texts) == "")
    #expect(try OtherPrograms.mistakesByMermaid(in: ["classDiagram\n  class note\n"]) != "")
  }
}

/// The entities near an entity.
struct NeighborhoodTests {
  private let library = ModelDiagram(of: SampleModel.library)

  @Test(arguments: [
    (["Stamp"], 0, ["Stamp"]), (["Stamp"], 1, ["Loan", "Stamp"]),
    (["Stamp"], 2, ["Loan", "Medium", "Stamp"]),
    (["Stamp"], 3, ["Book", "Loan", "Medium", "Stamp", "Size"]),
    (["Book"], 1, ["Book", "Medium"]), (["Book", "Stamp"], 0, ["Book", "Stamp"]),
  ])
  func hasWhatIsNear(_ names: [String], _ depth: Int, _ expected: [String]) throws {
    let part = try library.around(names, depth: depth)
    #expect(part.boxes.map(\.name) == expected)
    #expect(
      part.lines.allSatisfy {
        part.boxes.indices.contains($0.start.box) && part.boxes.indices.contains($0.end.box)
      })
  }

  @Test func namesTheNearestEntity() {
    do {
      _ = try library.around(["Bok"], depth: 1)
      Issue.record("there is no Bok")
    } catch {
      #expect(error == .unknownEntity("Bok", known: ["Book", "Loan", "Medium", "Stamp"]))
    }
  }

  /// A composite isn't an entity.
  @Test func takesEntitiesOnly() {
    #expect(throws: ModelLookupError.self) { try library.around(["Size"], depth: 1) }
  }

  @Test func relationshipThatLeadsAwayStaysInSight() throws {
    let text = MermaidDiagram(try library.around(["Loan"], depth: 0)).text
    #expect(
      text == """
        classDiagram
          class Loan {
            until Date
            medium → Medium 1
            stamps → Stamp 2..5
            others → Loan «fetched»
          }

        """)
  }
}
