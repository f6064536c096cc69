import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@testable import SQLiteAccess

@Suite struct FileStampTests {
  /// In the year 2445, which is more nanoseconds away than an Int64 holds.
  @Test func aTimeInTheFarFutureIsSettled() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "a")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 15_000_000_000)], ofItemAtPath: path)
    #expect(FileStamp(of: FilePath(path))?.isSettled == true)
  }

  @Test func aWriteJustNowIsNotSettled() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(try folder.write("", to: "a"))
    #expect(FileStamp(of: path)?.isSettled == false)
    usleep(30_000)
    #expect(FileStamp(of: path)?.isSettled == true)
  }
}
