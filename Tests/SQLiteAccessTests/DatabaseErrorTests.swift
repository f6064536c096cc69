import SQLiteAccess
import StoreDiagnostics
import Testing

struct DatabaseErrorTests {
  /// SQLITE_NOMEM and SQLITE_IOERR_NOMEM: nothing of it is our mistake.
  @Test(arguments: [7, 10 | 12 << 8] as [Int32])
  func tooLittleMemoryIsNoBug(_ code: Int32) {
    let path = "Todo.sqlite"
    let error = DatabaseError(code: code, message: "out of memory", path: FilePath(path))
    #expect(error == .outOfMemory(path: FilePath(path)))
    #expect(error.diagnostics.map(\.cause) == [.inputOutput])
  }
}
