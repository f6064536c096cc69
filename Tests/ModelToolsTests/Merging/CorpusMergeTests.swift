import Foundation
import ModelTools
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// Merges of model files in real repositories.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusMergeTests {
  /// If git merges correctly, the merge has the same bytes. If git reports a conflict, the merge doesn't.
  @Test func modelsMerge() throws {
    var (cleanForGit, stopsGit, conflicts) = (0, 0, [String]())
    var differing: [String: [String]] = [:]
    for merge in try CorpusMerge.all() where !merge.isCurrentVersion {
      let (result, git) = (try merge.result(), try merge.git())
      if git.isClean {
        cleanForGit += 1
        #expect(result.bytes == git.bytes, "\(merge.name)")
      } else {
        stopsGit += 1
      }
      guard result.conflicts.isEmpty else {
        conflicts.append(merge.name)
        continue
      }
      let differences = try Self.differences(
        from: merge.model(result.bytes), to: merge.model(merge.merged))
      if !differences.isEmpty { differing[merge.name] = differences }
    }
    #expect(cleanForGit == 20)
    #expect(stopsGit == 16)
    #expect(conflicts == [])
    #expect(differing == Self.choices)
  }

  /// Merges in which people took one side's file or line, and lost a change of the other side that didn't conflict.
  private static let choices = [
    // They took the other side's file and dropped our side's additions.
    "artsy__energy/b16f0ecf5e-fed901": ["- Album", "- AlbumDelete", "- AlbumEdit"],
    // Ours removed an entity and theirs left it unchanged. They kept it.
    "nightscout__Trio/0af26f813e-d4f57e": ["+ DeletedGlucoseStored"],
    // Ours set the renaming identifier of 'messages' to its own name, and they dropped it.
    "wireapp__wire-ios-data-model/fd19d56e36-508e18": ["- Conversation"],
  ]

  /// Returns the entities that differ between two models, with `-` if the second one has less than the first.
  private static func differences(from one: DataModel, to other: DataModel) -> [String] {
    guard one != other else { return [] }
    let changed = one.entities.filter { entity in !other.entities.contains(entity) }.map(\.name)
    let added = other.entities.map(\.name).filter { name in
      !one.entities.contains { $0.name == name }
    }
    return changed.map { "- \($0)" } + added.map { "+ \($0)" }
  }

  /// Git reports a conflict for each of them. The merge takes the later version.
  @Test func currentVersionsMerge() throws {
    var renumbered: [String] = []
    for merge in try CorpusMerge.all() where merge.isCurrentVersion {
      let result = FileMerge(
        path: LocalPath(merge.path), base: merge.base, ours: merge.ours, theirs: merge.theirs
      ).result(MergeLabels()).merge
      #expect(result.conflicts.isEmpty, "\(merge.name)")
      #expect(try !merge.git().isClean, "\(merge.name)")
      if try ModelBundle.currentVersion(declaredIn: result.bytes)
        != ModelBundle.currentVersion(declaredIn: merge.merged)
      {
        renumbered.append(merge.name)
      }
    }
    // Both sides had created versions, and people created another one from both.
    #expect(
      renumbered == [
        "wireapp__wire-ios-data-model/9a3a0f4c6e-dfaec4",
        "wireapp__wire-ios-data-model/f8eb0b46a7-dfaec4",
        "wireapp__wire-ios-data-model/fd19d56e36-dfaec4",
      ])
  }

  /// Splitting and joining every model of the collection doesn't change it.
  @Test func everyModelIsKept() throws {
    let files = Corpus.files(below: Corpus.models) { $0.lastPathComponent == "contents" }
    #expect(files.count > 500)
    for file in files {
      let bytes = try Array(Data(contentsOf: file))
      #expect(try ModelText(file: file.path, bytes: bytes).bytes == bytes, "\(file.path)")
    }
  }
}

/// A merge in the corpus.
struct CorpusMerge {
  let name: String
  let path: String
  let base: [UInt8]
  let ours: [UInt8]
  let theirs: [UInt8]
  /// The result that people committed.
  let merged: [UInt8]
  private let folder: URL

  var isCurrentVersion: Bool { path.hasSuffix(".xccurrentversion") }

  static func all() throws -> [CorpusMerge] {
    try Corpus.files(below: Corpus.root.appendingPathComponent("merges")) {
      $0.lastPathComponent == "path"
    }.map { try CorpusMerge($0.deletingLastPathComponent()) }
  }

  private init(_ folder: URL) throws {
    func bytes(_ name: String) throws -> [UInt8] {
      try Array(Data(contentsOf: folder.appendingPathComponent("\(name).xml")))
    }
    self.folder = folder
    name = folder.pathComponents.suffix(2).joined(separator: "/")
    path = try String(contentsOf: folder.appendingPathComponent("path"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    base = try bytes("base")
    ours = try bytes("ours")
    theirs = try bytes("theirs")
    merged = try bytes("merged")
  }

  func result() throws -> ModelMerge.Result {
    ModelMerge(
      base: try ModelText(file: "base", bytes: base),
      ours: try ModelText(file: "ours", bytes: ours),
      theirs: try ModelText(file: "theirs", bytes: theirs)
    ).result(as: path, MergeLabels())
  }

  /// Returns git's merge of the text.
  func git() throws -> (bytes: [UInt8], isClean: Bool) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = folder
    process.arguments = ["git", "merge-file", "-p", "ours.xml", "base.xml", "theirs.xml"]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return (bytes, process.terminationStatus == 0)
  }

  /// Returns the model that a file contains.
  func model(_ bytes: [UInt8]) throws -> DataModel {
    try ModelReading.read(XMLSource(file: path, bytes: bytes), name: "M").model
  }
}
