import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore

@Suite struct DraftFolderTests {
  private let folder: TemporaryFolder
  private let target: LocalPath

  init() throws {
    folder = try TemporaryFolder()
    target = LocalPath(folder.path("S.sqlite"))
  }

  private func names(_ path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
  }

  private var taken: DatabaseError { .exists(path: LocalPath(folder.path(".S_SUPPORT"))) }

  @Test func aFinishedFolderHasNoMark() throws {
    let files = try DraftFolder(beside: target)
    #expect(try names(".S_SUPPORT") == [".storetool-draft"])
    try folder.write("value", to: ".S_SUPPORT/_EXTERNAL_DATA/a")
    files.finish()
    #expect(try names(".S_SUPPORT") == ["_EXTERNAL_DATA"])
  }

  @Test func aFolderWithoutValuesGoes() throws {
    try DraftFolder(beside: target).finish()
    #expect(try names() == [])
  }

  @Test func anotherProcessKeepsItsFolder() throws {
    let files = try DraftFolder(beside: target)
    #expect(throws: taken) { try DraftFolder(beside: target) }
    #expect(try names(".S_SUPPORT") == [".storetool-draft"])
    withExtendedLifetime(files) {}
  }

  @Test func anAbandonedFolderGoes() throws {
    try folder.write("", to: ".S_SUPPORT/.storetool-draft")
    try folder.write("old", to: ".S_SUPPORT/_EXTERNAL_DATA/0E984725-C51C-4BF4-9960-E1C80E27ABA0")
    let files = try DraftFolder(beside: target)
    #expect(try names() == [".S_SUPPORT"])
    #expect(try names(".S_SUPPORT") == [".storetool-draft"])
    files.discard()
    #expect(try names() == [])
  }

  /// The process was killed before it created the mark.
  @Test func anEmptyFolderGoes() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(".S_SUPPORT"), withIntermediateDirectories: false)
    try DraftFolder(beside: target).discard()
    #expect(try names() == [])
  }

  @Test func aFolderWithoutAMarkStays() throws {
    try folder.write("mine", to: ".S_SUPPORT/_EXTERNAL_DATA/a")
    #expect(throws: taken) { try DraftFolder(beside: target) }
    #expect(try names(".S_SUPPORT/_EXTERNAL_DATA") == ["a"])
  }
}
