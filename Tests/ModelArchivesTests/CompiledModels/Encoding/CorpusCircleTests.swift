import Foundation
import SeededRandom
import StoreLayout
import StoreModel
import StoreModelReader
import ModelTools
import TestSupport
import Testing

@testable import ModelArchives

/// Decompiling, reading, compiling and reading all available models returns the original models.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusCircleTests {
  @Test(arguments: Soak.sample(of: CorpusArchive.all, every: 4))
  func aCompiledModelComesBack(_ archive: CorpusArchive) throws {
    let model = try CompiledModel.decode(archive.bytes, name: "Model").model
    let circle = try Circle(from: model)
    #expect(circle.difference == nil)
    #expect(VersionHash.hashes(of: circle.read) == VersionHash.hashes(of: model))
    let differences = GraphDifference.between(
      try ArchiveGraph(EncodedModel(model, as: .store).bytes),
      try ArchiveGraph(EncodedModel(circle.read, as: .store).bytes))
    // XML always has one identifier, which can be empty. A model that was created by code doesn't have to have one.
    #expect(differences.allSatisfy { $0.place == "model/NSVersionIdentifiers/NS.objects" })
  }

  /// A model of Xcode is the same after it is compiled and decompiled, except for data that archives don't contain.
  /// When this is repeated, the model doesn't change.
  @Test func aModelOfXcodeComesBack() throws {
    let files = Corpus.files(below: Corpus.models) { $0.lastPathComponent == "contents" }
    #expect(files.count > 500)
    var others: [String: Int] = [:]
    for file in files {
      let source = XMLSource(file: file.path, bytes: Array(try Data(contentsOf: file)))
      let model = try ModelReading.read(source, name: "Model").model
      let once = try Circle(from: model)
      if let line = difference(Self.reduced(once.text), Self.reduced(once.textBehind)) {
        others[line.firstMatch(of: #/<[A-Za-z]+/#).map { "\($0.0)" } ?? line, default: 0] += 1
      }
      #expect(VersionHash.hashes(of: once.back) == VersionHash.hashes(of: model), "\(file.path)")
      #expect(try Circle(from: once.back).difference == nil, "\(file.path)")
    }
    // Differences: `=` for `==`, an index over one attribute, which makes it `indexed`, and the order of members and of
    // composites.
    #expect(
      others == ["<fetchRequest": 1, "<attribute": 2, "<memberEntity": 1, "<composite": 1])
  }

  /// Removes the data that archives don't contain: settings of generated Swift code, a renaming identifier that equals
  /// the name, the default class of entities, and the spelling of numbers.
  private static func reduced(_ text: String) -> String {
    let removed = [
      #" codeGenerationType="[a-z]+""#, #" usesScalarValueType="(YES|NO)""#,
      #" representedClassName="NSManagedObject""#,
    ]
    return removed.reduce(text) { text, pattern in
      text.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
    }.replacing(#/ name="([^"]+)"([^>]*) elementID="\1"/#) { " name=\"\($0.1)\"\($0.2)" }
      .replacing(#/defaultValueString="(-?[0-9]+)\.0"/#) { "defaultValueString=\"\($0.1)\"" }
  }
}

private struct Circle {
  let text: String
  let read: DataModel
  let back: DataModel
  let textBehind: String

  var difference: String? { ModelArchivesTests.difference(text, textBehind) }

  init(from model: DataModel) throws {
    text = try ModelXML.text(of: model)
    read = try ModelReading.read(XMLSource(file: "text", bytes: Array(text.utf8)), name: "Model")
      .model
    back = try CompiledModel.decode(EncodedModel(read, as: .file).bytes, name: "Model").model
    textBehind = try ModelXML.text(of: back)
  }
}

/// Returns the first lines that differ, or nil for equal texts.
private func difference(_ one: String, _ other: String) -> String? {
  guard one != other else { return nil }
  let lines = zip(one.split(separator: "\n"), other.split(separator: "\n"))
  return lines.first { $0 != $1 }.map { "\($0) ≠ \($1)" } ?? "one goes on"
}
