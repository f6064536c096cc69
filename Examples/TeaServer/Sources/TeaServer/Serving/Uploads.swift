import Foundation
import Hummingbird
import NIOCore
import NIOFoundationEssentialsCompat
import StoreEngine
import StoreModel

/// Many records in one request: NDJSON, a JSON array or CSV, by the content type.
struct Uploads: Sendable {
  /// In bytes.
  let limit: Int

  struct Answer: ResponseEncodable {
    var inserted: Int
  }

  /// Inserts all records of a body, or none.
  ///
  /// The body goes to a file first: the store is locked while records are inserted, and that must not depend on how
  /// fast a client sends.
  ///
  /// - Throws: `HTTPError` with 413 or 415; `StoreError` with the line of each wrong record.
  func insert<Object: StoredObject>(
    _ request: Request, as _: Object.Type, into store: PersistentStore
  ) async throws -> Answer {
    let format = try format(of: request)
    let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try await write(request.body, to: file)
    let outcome = try await store.batchInsert(
      contentsOf: file.path, format: format, into: Object.entityName, author: "upload")
    return Answer(inserted: outcome.inserted)
  }

  private func format(of request: Request) throws -> RecordFormat {
    let media = request.headers[.contentType].flatMap(MediaType.init)
    switch media.map({ "\($0.type)/\($0.subType)" }) {
    case "application/x-ndjson", "application/json": return .json
    case "text/csv": return .csv
    case let type:
      throw HTTPError(
        .unsupportedMediaType,
        message: """
          \(type ?? "no content type"): upload application/x-ndjson, application/json or text/csv
          """)
    }
  }

  private func write(_ body: RequestBody, to file: URL) async throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var size = 0
    for try await buffer in body {
      size += buffer.readableBytes
      guard size <= limit else { throw HTTPError(.contentTooLarge) }
      try handle.write(contentsOf: Data(buffer: buffer))
    }
  }
}
