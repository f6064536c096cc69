import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreEngine

@Suite struct DraftFolderTests {
  private let folder: TemporaryFolder
  private let target: FilePath

  init() throws {
    folder = try TemporaryFolder()
    target = FilePath(folder.path("S.sqlite"))
  }

  private func names(_ path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
  }

  private var taken: DatabaseError { .exists(path: FilePath(folder.path(".S_SUPPORT"))) }

  @Test func aFinishedFolderHasNoMark() throws {
    let draft = try NewFile(target: target)
    let files = try DraftFolder(beside: draft)
    #expect(try names(".S_SUPPORT") == [".storetool-draft"])
    try folder.write("value", to: ".S_SUPPORT/_EXTERNAL_DATA/a")
    files.finish()
    #expect(try names(".S_SUPPORT") == ["_EXTERNAL_DATA"])
    draft.discard()
  }

  @Test func aFolderWithoutValuesGoes() throws {
    let draft = try NewFile(target: target)
    try DraftFolder(beside: draft).finish()
    draft.discard()
    #expect(try names() == [])
  }

  @Test func anotherProcessKeepsItsFolder() throws {
    let first = try NewFile(target: target)
    let files = try DraftFolder(beside: first)
    let second = try NewFile(target: target)
    #expect(throws: taken) { try DraftFolder(beside: second) }
    #expect(try names(".S_SUPPORT") == [".storetool-draft"])
    withExtendedLifetime(files) {}
  }

  /// With the draft that its mark names.
  @Test func anAbandonedFolderGoes() throws {
    let abandoned = try NewFile(target: target)
    try folder.write("\(abandoned.path.name)", to: ".S_SUPPORT/.storetool-draft")
    try folder.write("old", to: ".S_SUPPORT/_EXTERNAL_DATA/0E984725-C51C-4BF4-9960-E1C80E27ABA0")
    let draft = try NewFile(target: target)
    let files = try DraftFolder(beside: draft)
    #expect(try names() == [".S_SUPPORT", "\(draft.path.name)"])
    #expect(try names(".S_SUPPORT") == [".storetool-draft"])
    files.discard()
    draft.discard()
    #expect(try names() == [])
  }

  /// A mark must not make anybody remove another file.
  @Test(arguments: ["S.sqlite", "other", "../other", ""])
  func onlyADraftGoesWithTheFolder(named name: String) throws {
    try folder.write("mine", to: "other")
    try folder.write(name, to: ".S_SUPPORT/.storetool-draft")
    let draft = try NewFile(target: target)
    try DraftFolder(beside: draft).discard()
    draft.discard()
    #expect(try names() == ["other"])
  }

  /// Killed before it had its mark.
  @Test func anEmptyFolderGoes() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(".S_SUPPORT"), withIntermediateDirectories: false)
    let draft = try NewFile(target: target)
    try DraftFolder(beside: draft).discard()
    draft.discard()
    #expect(try names() == [])
  }

  @Test func aFolderWithoutAMarkStays() throws {
    try folder.write("mine", to: ".S_SUPPORT/_EXTERNAL_DATA/a")
    let draft = try NewFile(target: target)
    #expect(throws: taken) { try DraftFolder(beside: draft) }
    draft.discard()
    #expect(try names(".S_SUPPORT/_EXTERNAL_DATA") == ["a"])
  }
}
