import StoreDiagnostics
import Foundation
import Testing
import TestSupport

@testable import SQLiteAccess

@Suite struct NewFileTests {
  private let folder: TemporaryFolder
  private let target: String

  init() throws {
    folder = try TemporaryFolder()
    target = folder.path("new.sqlite")
  }

  /// A database isn't created if one of these files exists, even if it is a dangling symbolic link.
  @Test(arguments: [""] + DatabaseFile.companions, [true, false])
  func whatLiesThereIsInTheWay(suffix: String, isLink: Bool) throws {
    let taken = target + suffix
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: taken, withDestinationPath: "nowhere")
    } else {
      try folder.write("mine", to: "new.sqlite\(suffix)")
    }
    #expect(throws: DatabaseError.exists(path: LocalPath(taken))) {
      try NewFile(target: LocalPath(target))
    }
    #expect(try names() == ["new.sqlite\(suffix)"])
  }

  /// This includes files that are created while the file is filled.
  @Test(arguments: [""] + DatabaseFile.companions)
  func whatComesMeanwhileIsInTheWay(suffix: String) throws {
    let file = try NewFile(target: LocalPath(target))
    try folder.write("mine", to: "new.sqlite\(suffix)")
    #expect(throws: DatabaseError.exists(path: LocalPath(target + suffix))) { try file.publish() }
    #expect(throws: DatabaseError.exists(path: LocalPath(target + suffix))) {
      try file.publishForNow()
    }
    file.discard()
    #expect(try names() == ["new.sqlite\(suffix)"])
    #expect(try String(contentsOfFile: target + suffix, encoding: .utf8) == "mine")
  }

  @Test func nothingElseStays() throws {
    try NewFile(target: LocalPath(target)).publish()
    #expect(try names() == ["new.sqlite"])
  }

  @Test(arguments: [0o600, 0o640, 0o664])
  func aCopyKeepsTheMode(mode: Int) throws {
    try folder.write("", to: "original")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path("original"))
    try NewFile(target: LocalPath(target), like: LocalPath(folder.path("original"))).publish()
    let attributes = try FileManager.default.attributesOfItem(atPath: target)
    #expect(attributes[.posixPermissions] as? Int == mode)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }
}
