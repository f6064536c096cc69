import Foundation
import StoreDiagnostics
import StoreEngine
import StoreImport
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Import and export of records.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct ImportAPITests {
  private static let teams = """
    {"name": "Tigers", "players": [{"name": "Ann"}, {"name": "Bo"}]}
    {"name": "Lions", "players": []}
    """

  /// The pieces of a text, of a few bytes each.
  private func pieces(_ text: String) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: 7) {
        continuation.yield(Array(bytes[start..<min(start + 7, bytes.count)]))
      }
      continuation.finish()
    }
  }

  private func league() async throws -> SampleStore { try await SampleStore("League") }

  private func text(_ bytes: ExportedBytes) async throws -> String {
    String(decoding: try await all(bytes).joined(), as: UTF8.self)
  }

  @Test func nestedRecordsFromBytes() async throws {
    let sample = try await league()
    let notes = ProgressNotes()
    let result = try await sample.store.importRecords(
      from: pieces(Self.teams), settings: ImportSettings(entity: "Team"), progress: notes.note)
    #expect(result.records == 2)
    #expect(result.inserted == ["Team": 2, "Player": 2])
    #expect(notes.all.last == BatchProgress(rows: 2, total: 2))
    #expect(
      try sample.rows(
        "SELECT p.ZNAME, t.ZNAME FROM ZPLAYER p JOIN ZTEAM t ON p.ZTEAM = t.Z_PK ORDER BY 1")
        == ["Ann|Tigers", "Bo|Tigers"])
  }

  @Test func filesThatReferToEachOther() async throws {
    let sample = try await league()
    let teams = try sample.folder.write(Self.teams, to: "teams.ndjson")
    let settings = ImportSettings(entity: "Team", conflictPolicy: .update)
    try await sample.store.importRecords(contentsOf: [teams], settings: settings)
    let changed = try sample.folder.write(
      "name,points\nTigers,9\nBears,1\n", to: "changes.csv")
    let result = try await sample.store.importRecords(contentsOf: [changed], settings: settings)
    #expect(result.inserted == ["Team": 1] && result.updated == ["Team": 1])
    #expect(try sample.rows("SELECT ZPOINTS FROM ZTEAM WHERE ZNAME = 'Tigers'") == ["9"])
  }

  @Test func anErrorHasItsLocation() async throws {
    let sample = try await league()
    let before = try sample.content()
    let file = try sample.folder.write(
      "{\"name\": \"Tigers\"}\n{\"name\": 3, \"points\": \"x\"}\n", to: "teams.ndjson")
    let error = try await failure {
      try await sample.store.importRecords(
        contentsOf: [file], settings: ImportSettings(entity: "Team"))
    }
    #expect(error?.reason == .invalidData)
    #expect(error?.diagnostics.first?.place?.file == file)
    #expect(error?.diagnostics.first?.place?.line == 2)
    let missing = try await failure {
      try await sample.store.importRecords(contentsOf: [sample.folder.path("missing.json")])
    }
    #expect(missing?.reason == .notFound)
    var settings = ImportSettings(entity: "Team")
    settings.mapping = ["nam": "title"]
    let mapping = try await failure {
      try await sample.store.importRecords(contentsOf: [file], settings: settings)
    }
    #expect(mapping?.reason == .invalidRequest)
    settings.mapping = [:]
    settings.dateFormat = "QQQ"
    let format = try await failure {
      try await sample.store.importRecords(contentsOf: [file], settings: settings)
    }
    #expect(format?.reason == .invalidRequest)
    #expect(try sample.content() == before)
  }

  private struct Broken: Error {}

  @Test func anErrorOfTheSequenceIsRethrown() async throws {
    let sample = try await league()
    let before = try sample.content()
    let bytes = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array(#"{"name": "Tigers"}"#.utf8))
      continuation.finish(throwing: Broken())
    }
    await #expect(throws: Broken.self) {
      try await sample.store.importRecords(
        from: bytes, settings: ImportSettings(entity: "Team"))
    }
    #expect(try sample.content() == before)
  }

  @Test func aCancelledImportChangesNothing() async throws {
    let sample = try await league()
    let before = try sample.content()
    let barrier = Barrier()
    let (bytes, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    for number in 1...2_000 { continuation.yield(Array("{\"name\": \"\(number)\"}\n".utf8)) }
    let task = Task {
      try await sample.store.importRecords(
        from: bytes, settings: ImportSettings(entity: "Team"), progress: barrier.hold)
    }
    await barrier.isReached()
    task.cancel()
    barrier.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.content() == before)
    #expect(
      try await sample.store.importRecords(
        from: pieces(Self.teams), settings: ImportSettings(entity: "Team")
      ).records == 2)
  }

  // MARK: Export

  @Test(arguments: [ExportFormat.ndjson, .json]) func whatIsExportedIsImported(
    _ format: ExportFormat
  ) async throws {
    let sample = try await league()
    try await sample.store.importRecords(
      from: pieces(Self.teams), settings: ImportSettings(entity: "Team"))
    let path = sample.folder.path("all.\(format.rawValue)")
    let result = try await sample.store.export(as: format, to: path)
    #expect(result.rows == 4 && result.required == [:] && result.omitted == [:])
    #expect(
      try await text(sample.store.exportedBytes(as: format))
        == String(contentsOfFile: path, encoding: .utf8))
    let other = try await league()
    #expect(
      try await other.store.importRecords(contentsOf: [path]).inserted == ["Team": 2, "Player": 2])
    let players = "SELECT p.ZNAME, t.ZNAME FROM ZPLAYER p JOIN ZTEAM t ON p.ZTEAM = t.Z_PK"
    #expect(try other.rows(players).sorted() == sample.rows(players).sorted())
  }

  @Test func chosenRows() async throws {
    let sample = try await league()
    try await sample.store.importRecords(
      from: pieces(Self.teams), settings: ImportSettings(entity: "Team"))
    let request = ExportRequest(["Team"], predicate: try matching("name == 'Tigers'"))
    let csv = try await text(sample.store.exportedBytes(request, as: .csv))
    #expect(csv.split(separator: "\n").count == 2)
    let path = sample.folder.path("teams.ndjson")
    let result = try await sample.store.export(request, to: path)
    #expect(result.rows == 1 && result.omitted == ["Team.players": 2])
    let exists = try await failure { try await sample.store.export(request, to: path) }
    #expect(exists?.reason == .exists)
    let itself = try await failure {
      try await sample.store.export(to: sample.path, replacesExisting: true)
    }
    #expect(itself?.reason == .exists)
    #expect(try await sample.store.export(to: path, replacesExisting: true).rows == 4)
    let several = try await failure {
      for try await _ in sample.store.exportedBytes(as: .csv) {}
    }
    #expect(several?.reason == .invalidData)
    let unknown = try await failure {
      try await sample.store.export(ExportRequest(["Taem"]), to: sample.folder.path("x"))
    }
    #expect(unknown?.reason == .invalidRequest)
    #expect(FileManager.default.fileExists(atPath: sample.folder.path("x")) == false)
  }

  @Test(arguments: ["WAL", "DELETE"]) func aLoopThatEndsEarlyReleasesTheStore(
    _ journal: String
  ) async throws {
    let sample = try await SampleStore.items(40_000)
    try await sample.store.close()
    _ = try sample.rows("PRAGMA journal_mode = \(journal)")
    let store = try await PersistentStore.open(
      sample.path, schema: TodoModel.self, options: .init(lockTimeout: .seconds(30)))
    for try await bytes in store.exportedBytes() {
      #expect(bytes.count > 10_000)
      if journal == "WAL" { try await store.create(Item(name: "during")) }
      break
    }
    try await store.create(Item(name: "after"))
    let task = Task {
      for try await _ in store.exportedBytes() { withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try await store.create(Item(name: "after"))
    try await store.close()
    let error = try await failure { for try await _ in store.exportedBytes() {} }
    #expect(error?.reason == .closed)
  }

  /// The task is cancelled between two pieces, and the iterator exists longer. With a rollback journal, the writer waits
  /// for the end of the export.
  @Test func aCancelledExportReleasesTheStore() async throws {
    let sample = try await SampleStore.items(40_000)
    try await sample.store.close()
    _ = try sample.rows("PRAGMA journal_mode = DELETE")
    let store = try await PersistentStore.open(
      sample.path, schema: TodoModel.self, options: .init(lockTimeout: .seconds(30)))
    let task = Task {
      var pieces = store.exportedBytes().makeAsyncIterator()
      _ = try await pieces.next()
      withUnsafeCurrentTask { $0?.cancel() }
      let isCancelled: Bool
      do {
        isCancelled = try await pieces.next() == nil
      } catch {
        isCancelled = error is CancellationError
      }
      #expect(isCancelled)
      // Another task isn't cancelled.
      try await Task { _ = try await store.create(Item(name: "after")) }.value
      withExtendedLifetime(pieces) {}
    }
    try await task.value
    try await store.close()
  }

  /// The file at the path of an open store is now another store. Its rows have other object IDs.
  @Test func aReplacedStoreIsNotExported() async throws {
    let (sample, other) = (try await SampleStore.items(1), try await SampleStore.items(2))
    try await other.store.close()
    for suffix in ["", "-wal", "-shm"] {
      let file = sample.path + suffix
      if FileManager.default.fileExists(atPath: file) {
        try FileManager.default.removeItem(atPath: file)
      }
    }
    try FileManager.default.copyItem(atPath: other.path, toPath: sample.path)
    let path = sample.folder.path("items.ndjson")
    let error = try await failure { try await sample.store.export(to: path) }
    #expect(error?.reason == .locked)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aCancelledExportLeavesNoFile() async throws {
    let sample = try await SampleStore.items(40_000)
    let barrier = Barrier()
    let path = sample.folder.path("items.ndjson")
    let task = Task { try await sample.store.export(to: path, progress: barrier.hold) }
    await barrier.isReached()
    task.cancel()
    barrier.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        .allSatisfy { !$0.contains("items") })
  }
}
