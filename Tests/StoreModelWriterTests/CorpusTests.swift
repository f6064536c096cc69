import Foundation
import ModelHashing
import StoreModel
import StoreModelReader
import StoreModelWriter
import TestSupport
import Testing

/// Read, written and read again a model is the same; and its text nearly what Xcode wrote.
struct CorpusTests {
  private static let ownModels: [URL] = {
    let models = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Models")
    return Corpus.files(below: models, where: isModel)
  }()

  private static let all: [URL] =
    Corpus.isPresent ? Corpus.files(below: Corpus.models, where: isModel) : []

  private static func isModel(_ file: URL) -> Bool { file.lastPathComponent == "contents" }

  @Test(arguments: ownModels)
  func ownModelIsTheSame(_ file: URL) throws {
    try expectSame(file)
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func everyModelIsTheSame() throws {
    #expect(Self.all.count > 500)
    for file in Self.all { try expectSame(file) }
  }

  private func expectSame(_ file: URL) throws {
    let bytes = try Array(Data(contentsOf: file))
    let model = try ModelReading.read(XMLSource(file: file.path, bytes: bytes), name: "M").model
    let text = try ModelXML.text(of: model)
    let again = try ModelReading.read(
      XMLSource(file: file.path, bytes: Array(text.utf8)), name: "M")
    #expect(again.model.withoutPlaces == model.withoutPlaces, "\(file.path)")
    #expect(VersionHash.hashes(of: again.model) == VersionHash.hashes(of: model), "\(file.path)")
    try dump(text, file)
  }
}
func dump(_ text: String, _ file: URL) throws {
  let out = URL(
    fileURLWithPath: "/tmp/h2/dump/" + file.path.replacingOccurrences(of: "/", with: "|"))
  try text.write(to: out, atomically: false, encoding: .utf8)
}
