import StoreDiagnostics
import Foundation
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// External values behind symbolic links may belong to other programs. They are neither read nor removed, and this is
/// reported.
@Suite struct LinkedValueTests {
  private let graph: GraphStore
  private let name = ExternalFiles.named
  private let later = Date().timeIntervalSince1970 + 7200

  /// Creates a thing whose photo is in an external file.
  init() throws {
    graph = try GraphStore()
    try graph.importing(#"{"$entity": "Thing", "key": "a"}"#)
    try graph.store.close()
    try graph.file.edit("UPDATE ZTHING SET ZPHOTO = \(ExternalFiles.value(name))")
  }

  /// Creates another store's folder, with the file of this store's value and a file that this store doesn't reference.
  private func others() throws -> String {
    for file in [name, ExternalFiles.orphan] {
      try graph.file.folder.write("other", to: "other/.Other_SUPPORT/_EXTERNAL_DATA/\(file)")
    }
    return graph.file.folder.path("other/.Other_SUPPORT")
  }

  private var othersFiles: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: graph.file.folder.path("other/.Other_SUPPORT/_EXTERNAL_DATA")
      ).sorted()
    }
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Replaces the folder of values, or its parent, with a link to the other store's folder.
  private func linkFolder(_ isOuter: Bool) throws {
    let others = try others()
    let outer = graph.file.folder.path(".Graph_SUPPORT")
    if isOuter {
      try link(outer, to: others)
    } else {
      try FileManager.default.createDirectory(atPath: outer, withIntermediateDirectories: false)
      try link(outer + "/_EXTERNAL_DATA", to: others + "/_EXTERNAL_DATA")
    }
  }

  private func store() throws -> Store { try Store.open(LocalPath(graph.file.path), .writing) }

  private func codes(_ findings: [StoreFinding]) -> [String] {
    findings.map(\.code).filter { $0 != "verify.wrong-sum" }
  }

  // MARK: Folders

  @Test(arguments: [true, false])
  func repairLeavesTheFilesOfALinkedFolder(_ isOuter: Bool) throws {
    try linkFolder(isOuter)
    let outcome = try store().repair(in: graph.layout, now: later)
    #expect(outcome.repaired == [])
    #expect(codes(outcome.remaining) == ["verify.linked-folder"])
    #expect(try othersFiles == [ExternalFiles.orphan, name])
  }

  @Test(arguments: [true, false])
  func deletingLeavesTheFilesOfALinkedFolder(_ isOuter: Bool) throws {
    try linkFolder(isOuter)
    let store = try store()
    let plan = try BatchDelete(entity: "Thing").plan(in: graph.layout)
    #expect(try store.dryRunOfDeletion(plan, in: graph.layout).files == 0)
    let outcome = try store.delete(plan, in: graph.layout)
    #expect(outcome.files == 0)
    #expect(outcome.filesLeft == [name])
    let link = store.link(toValue: name)
    #expect(link?.hasSuffix(isOuter ? "_SUPPORT" : "_EXTERNAL_DATA") == true)
    #expect(try othersFiles == [ExternalFiles.orphan, name])
  }

  @Test(arguments: [true, false])
  func aLinkedFolderIsNotRead(_ isOuter: Bool) throws {
    try linkFolder(isOuter)
    try expectNotRead(["verify.linked-folder"])
  }

  @Test func aBackupOfALinkedFolderIsRefused() throws {
    try linkFolder(true)
    let link = graph.file.folder.path(".Graph_SUPPORT")
    #expect(throws: StoreLayoutError.linkedValues(path: LocalPath(link))) {
      try store().backUp(to: LocalPath(graph.file.folder.path("Copy.sqlite")))
    }
    #expect(!FileManager.default.fileExists(atPath: graph.file.folder.path("Copy.sqlite")))
  }

  /// The folder of the copy's values may be a link too.
  @Test func aBackupGoesThroughNoLink() throws {
    let files = try ExternalFiles(of: graph)
    try files.put(name)
    let others = try others()
    try link(graph.file.folder.path(".Copy_SUPPORT"), to: others)
    try FileManager.default.removeItem(atPath: others + "/_EXTERNAL_DATA")
    let taken = LocalPath(graph.file.folder.path(".Copy_SUPPORT"))
    #expect(throws: DatabaseError.exists(path: taken)) {
      try store().backUp(to: LocalPath(graph.file.folder.path("Copy.sqlite")))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: others) == [])
  }

  // MARK: Files

  @Test func aLinkedFileIsNotReadAndNotRemoved() throws {
    let files = try ExternalFiles(of: graph)
    let secret = try graph.file.folder.write("secret", to: "secret.txt")
    try link("\(graph.store.externalDataFolder)/\(name)", to: secret)
    try expectNotRead(["verify.linked-file"])
    #expect(
      codes(try store().repair(in: graph.layout, now: later).remaining) == ["verify.linked-file"])
    let plan = try BatchDelete(entity: "Thing").plan(in: graph.layout)
    #expect(try store().delete(plan, in: graph.layout).filesLeft == [name])
    #expect(try files.names == [name])
    #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
  }

  @Test func aBackupOfALinkedFileIsRefused() throws {
    _ = try ExternalFiles(of: graph)
    let link: LocalPath = "\(graph.store.externalDataFolder)/\(name)"
    try self.link("\(link)", to: graph.file.path)
    #expect(throws: StoreLayoutError.linkedValues(path: link)) {
      try store().backUp(to: LocalPath(graph.file.folder.path("Copy.sqlite")))
    }
  }

  /// Reading a FIFO would block until another process writes to it.
  @Test func aFIFOIsNotRead() throws {
    _ = try ExternalFiles(of: graph)
    #expect(mkfifo("\(graph.store.externalDataFolder)/\(name)", 0o644) == 0)
    try expectNotRead(["verify.missing-file"])
  }

  @Test func aHardLinkIsAFile() throws {
    let files = try ExternalFiles(of: graph)
    let own = try graph.file.folder.write("x", to: "own")
    try FileManager.default.linkItem(
      atPath: own, toPath: "\(graph.store.externalDataFolder)/\(name)")
    let reopened = try GraphStore(reopening: graph)
    #expect(try reopened.exported(["Thing"]).contains(#""photo":"eA==""#))
    let plan = try BatchDelete(entity: "Thing").plan(in: graph.layout)
    #expect(try reopened.store.delete(plan, in: graph.layout).files == 1)
    #expect(try files.names == [])
  }

  private func expectNotRead(
    _ findings: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let reopened = try GraphStore(reopening: graph)
    let error = #expect(throws: ExternalValueMissing.self, sourceLocation: sourceLocation) {
      try reopened.exported(["Thing"])
    }
    #expect(error?.problem != .missing, sourceLocation: sourceLocation)
    let unread = UnreadValues()
    let folder = ExternalFolder(path: graph.store.externalDataFolder, counting: unread)
    #expect(try folder.read(name) == nil, sourceLocation: sourceLocation)
    #expect(unread.counts == .init(notFollowed: 1), sourceLocation: sourceLocation)
    let found = try reopened.store.verify(in: graph.layout)
    #expect(codes(found) == findings, sourceLocation: sourceLocation)
  }

  // MARK: Names

  /// Reading, checking and deleting agree on what is a file name.
  @Test(arguments: [
    ("00", true), ("", true), ("00414243", true), ("41", false), ("414200", false),
  ])
  func aNameEndsWithItsValueOrANul(_ end: String, _ isName: Bool) throws {
    let files = try ExternalFiles(of: graph)
    try files.put(name)
    let hex = name.utf8.map { String($0, radix: 16) }.joined()
    try graph.file.edit("UPDATE ZTHING SET ZPHOTO = x'02\(hex)\(end)'")
    let reopened = try GraphStore(reopening: graph)
    #expect((try? reopened.exported(["Thing"])) != nil || !isName)
    if !isName {
      #expect(throws: ExternalValueMissing.self) { try reopened.exported(["Thing"]) }
    }
    let found = codes(try reopened.store.verify(in: graph.layout))
    // A file isn't orphaned if a damaged value may be its name.
    #expect(found == (isName ? [] : ["verify.missing-file"]))
    let plan = try BatchDelete(entity: "Thing").plan(in: graph.layout)
    let deleted = try reopened.store.delete(plan, in: graph.layout)
    #expect(deleted.files == (isName ? 1 : 0))
    #expect(deleted.filesLeft == [])
    #expect(try files.names == (isName ? [] : [name]))
  }
}
