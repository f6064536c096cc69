import Foundation
import ModelTools
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// Every real model has a diagram that other programs accept.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusPictureTests {
  /// The distinct models, with the positions of their entities in the diagram.
  private static let readings: [ModelReading] = {
    var seen: Set<Data> = []
    return Corpus.files(below: Corpus.models) { $0.lastPathComponent == "contents" }
      .compactMap { file in
        guard let data = try? Data(contentsOf: file), seen.insert(data).inserted else {
          return nil
        }
        return try? ModelReading.read(
          XMLSource(file: file.path, bytes: Array(data)), name: file.lastPathComponent)
      }
  }()

  @Test func thereAreEnough() {
    #expect(Self.readings.count > 480)
    #expect(Self.readings.count { !$0.frames.isEmpty } > 430)
  }

  /// One of eight models. `PICTURES=all` selects all of them, which takes a minute or two.
  private static var some: [ModelReading] {
    let takesAll = ProcessInfo.processInfo.environment["PICTURES"] == "all"
    return readings.enumerated().filter { takesAll || $0.offset % 8 == 0 }.map(\.element)
  }

  @Test func mermaidFollowsItsGrammar() {
    for reading in Self.some {
      let text = MermaidDiagram(ModelDiagram(of: reading.model)).text
      #expect(MermaidGrammar.mistakes(in: text) == [])
    }
  }

  @Test(.enabled(if: OtherPrograms.mermaid != nil, "\(OtherPrograms.mermaidAbsence)"))
  func mermaidItselfReadsThem() throws {
    let texts = Self.some.map { MermaidDiagram(ModelDiagram(of: $0.model)).text }
    #expect(try OtherPrograms.mistakesByMermaid(in: texts) == "")
  }

  /// Boxes don't overlap, and the text is XML.
  @Test func placedPicturesAreXML() throws {
    for reading in Self.readings where !reading.frames.isEmpty {
      let picture = PlacedDiagram(
        ModelDiagram(of: reading.model), title: "M", frames: reading.frames)
      #expect(picture.overlaps == 0)
      let bytes = Array(picture.text.utf8)
      #expect(try XMLReader.read(XMLSource(file: "M.svg", bytes: bytes)).name == "svg")
    }
  }
}
