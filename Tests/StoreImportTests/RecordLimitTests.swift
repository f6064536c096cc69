import SampleData
import StoreDiagnostics
import Testing

@testable import RecordFormats
@testable import StoreImport

/// A record is completely in memory, so its length is limited.
@Suite struct RecordLimitTests {
  /// Returns the reader's error for a JSON text, or nil. The pieces simulate a pipe.
  private func fault(_ text: String, limit: Int, pieces: [Int] = []) throws -> InputError? {
    var source = MemorySource(Array(text.utf8), name: "in", pieces: pieces)
    source.recordLimit = limit
    var records = ImportRecords(source, root: [])
    do {
      while try records.next() != nil {}
      return nil
    } catch let error as InputError {
      return error
    }
  }

  private func csvFault(_ text: String, limit: Int) throws -> InputError? {
    var source = MemorySource(Array(text.utf8), name: "in")
    source.recordLimit = limit
    var scanner = CSVScanner(source)
    do {
      while try scanner.next() != .end {}
      return nil
    } catch let error as InputError {
      return error
    }
  }

  private static let pieces = [[], Array(repeating: 1, count: 100), [7, 3, 11]]

  @Test(arguments: pieces)
  func aRecordThatIsTooLong(pieces: [Int]) throws {
    let text = "{\"a\": 1}\n  {\"a\": [1,\n 2]}\n{\"a\": 3}"
    #expect(try fault(text, limit: 14, pieces: pieces) == nil)
    let error = try #require(try fault(text, limit: 13, pieces: pieces))
    #expect(error.kind == .tooLong(limit: 13))
    #expect(error.place == SourcePlace(file: "in", line: 2, column: 3))
    #expect(try fault("[\(text.replacing("}\n", with: "},\n"))]", limit: 13)?.kind == error.kind)
  }

  /// The rest of the value isn't read.
  @Test func aValueThatIsMuchTooLong() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let error = try #require(try fault("{\"a\": \"\(long)\"}", limit: 100_000))
    #expect(error.kind == .tooLong(limit: 100_000))
    #expect(error.place == SourcePlace(file: "in", line: 1, column: 1))
  }

  @Test func csv() throws {
    let text = "a,b\n1,2\n\"x\ny\",3\n4,5\n"
    #expect(try csvFault(text, limit: 8) == nil)
    let error = try #require(try csvFault(text, limit: 7))
    #expect(error.kind == .tooLong(limit: 7))
    #expect(error.place == SourcePlace(file: "in", line: 3, column: 1))
  }

  /// Earlier versions compared each name of the header with all others.
  @Test func aHundredThousandColumns() throws {
    let names = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
    let source = MemorySource("\(names)\n\(String(repeating: ",", count: 99_999))\n")
    var records = CSVImportRecords(source, listColumns: [])
    let record = try #require(try records.next())
    guard case .object(let members) = record.content else {
      Issue.record("no object")
      return
    }
    #expect(members.count == 100_000)
  }
}
