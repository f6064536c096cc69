import Hummingbird

/// Which rows of an answer are wanted: `?limit=20&offset=40`.
struct PageRange {
  static let largest = 1_000

  var limit: Int
  var offset: Int

  /// - Throws: `HTTPError` with 400 for what is no number, or out of bounds.
  init(_ parameters: Parameters) throws {
    limit = try parameters.optional("limit") ?? 100
    offset = try parameters.optional("offset") ?? 0
    guard (1...Self.largest).contains(limit), offset >= 0 else {
      throw HTTPError(
        .badRequest, message: "'limit' is between 1 and \(Self.largest), 'offset' not below 0")
    }
  }
}

/// A part of the rows that a request asks for, and how many there are in all.
struct Page<Row: Encodable & Sendable>: ResponseEncodable {
  var total: Int
  var rows: [Row]
}

extension Parameters {
  /// - Throws: `HTTPError` with 400 for a value that can't be read.
  func optional<T: LosslessStringConvertible>(_ name: String, as _: T.Type = T.self) throws -> T? {
    guard let text = get(name) else { return nil }
    guard let value = T(text) else {
      throw HTTPError(.badRequest, message: "'\(text)' is no value of '\(name)'")
    }
    return value
  }
}
