import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@testable import SQLiteAccess

@Suite struct FileStampTests {
  /// The modification time is a whole number of seconds.
  private func stamp(modified: Int) throws -> FileStamp? {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "a")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: TimeInterval(modified))], ofItemAtPath: path)
    return FileStamp(of: LocalPath(path))
  }

  /// The year 2445, whose distance in nanoseconds exceeds an Int64.
  @Test func aTimeInTheFarFutureIsSettled() throws {
    #expect(try stamp(modified: 15_000_000_000)?.isSettled() == true)
  }

  @Test(arguments: [(0, false), (10, false), (19, false), (21, true), (999, true)])
  func aWriteIsSettledAfterTwentyMilliseconds(_ age: Int, _ isSettled: Bool) throws {
    let now = FileStatus.Time(seconds: 1_700_000_000, nanoseconds: age * 1_000_000)
    #expect(try stamp(modified: 1_700_000_000)?.isSettled(now: now) == isSettled)
  }

  @Test func theNextSecondCounts() throws {
    let now = FileStatus.Time(seconds: 1_700_000_001, nanoseconds: 0)
    #expect(try stamp(modified: 1_700_000_000)?.isSettled(now: now) == true)
  }
}
