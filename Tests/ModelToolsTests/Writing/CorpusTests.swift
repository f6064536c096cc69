import Foundation
import SeededRandom
import StoreLayout
import StoreModel
import StoreModelReader
import ModelTools
import TestSupport
import Testing

/// A model is unchanged after it is read, written and read again, and its text nearly equals Xcode's.
struct CorpusTests {
  private static let ownModels: [URL] = {
    let models = BuiltCommand.repository.appendingPathComponent("Models")
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
    for file in Soak.sample(of: Self.all, every: 4) { try expectSame(file) }
  }

  private func expectSame(_ file: URL) throws {
    let bytes = try Array(Data(contentsOf: file))
    let model = try ModelReading.read(XMLSource(file: file.path, bytes: bytes), name: "M").model
    let text = try ModelXML.text(of: model)
    let again = try ModelReading.read(
      XMLSource(file: file.path, bytes: Array(text.utf8)), name: "M")
    #expect(again.model.withoutPlaces == model.withoutPlaces, "\(file.path)")
    #expect(VersionHash.hashes(of: again.model) == VersionHash.hashes(of: model), "\(file.path)")
  }

  /// The files of Xcode 10 and later contain the same lines as ours, except for data that a `DataModel` doesn't contain
  /// and for defaults with another spelling, such as `0` for a Boolean's `NO`. The order differs in a few files.
  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func textIsAsXcodeWroteIt() throws {
    var (lines, otherDefaults, otherOrder) = (0, 0, 0)
    for file in Self.all {
      let bytes = try Array(Data(contentsOf: file))
      let text = String(decoding: bytes, as: UTF8.self)
      guard Self.toolsVersion(of: text) >= 14000 else { continue }
      let model = try ModelReading.read(XMLSource(file: file.path, bytes: bytes), name: "M").model
      let own = Self.heldLines(of: text)
      let ours = Self.heldLines(of: try ModelXML.text(of: model))
      let (ownPlain, oursPlain) = (own.map(Self.plain), ours.map(Self.plain))
      #expect(ownPlain.sorted() == oursPlain.sorted(), "\(file.path)")
      lines += own.count
      let written = Set(ours)
      otherDefaults += own.count { !written.contains($0) }
      otherOrder += ownPlain == oursPlain ? 0 : 1
    }
    #expect(lines > 40_000)
    #expect(otherDefaults < 600)
    #expect(otherOrder <= 5)
  }

  private static func toolsVersion(of text: String) -> Int {
    guard let match = text.firstMatch(of: #/lastSavedToolsVersion="(\d+)/#) else { return 0 }
    return Int(match.1) ?? 0
  }

  /// Returns the lines without tools, the diagram, empty user info, synchronization flags and empty names.
  private static func heldLines(of text: String) -> [String] {
    let removed = [
      "(?s)<model [^>]*>", "(?s)\n    <elements>.*</elements>", "\\s*<userInfo/>",
      " (syncable|storedInTruthFile)=\"YES\"", " (valueTransformerName|representedClassName)=\"\"",
    ]
    let rest = removed.reduce(text) { text, pattern in
      text.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
    }
    let closed = rest.replacingOccurrences(
      of: "(?m)^( *<(attribute|relationship|entity) .*\")>\\s*</\\2>", with: "$1/>",
      options: .regularExpression)
    return closed.split(whereSeparator: \.isNewline).map(String.init)
  }

  private static func plain(_ line: String) -> String {
    line.replacing(#/ defaultValueString="[^"]*"/#, with: "")
  }
}
