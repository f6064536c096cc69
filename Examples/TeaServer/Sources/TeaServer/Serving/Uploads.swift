import Foundation
import Hummingbird
import NIOCore
import NIOFoundationEssentialsCompat
import StoreEngine

/// Uploads of many records in one request. The content type selects NDJSON, a JSON array or CSV.
struct Uploads: Sendable {
  /// The maximum size of a body in bytes.
  let limit: Int

  struct Answer: ResponseEncodable {
    var inserted: Int
  }

  /// Inserts all records of a body, or none of them.
  ///
  /// The body is written to a file first. The store is locked while records are inserted, and the duration of that lock
  /// must not depend on the speed of the client.
  ///
  /// - Throws: `HTTPError` with status 413 or 415, or `StoreError` with the line of each invalid record.
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
          unsupported content type '\(type ?? "")': \
          use application/x-ndjson, application/json or text/csv
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
