import Hummingbird

/// The range of the requested rows: `?limit=20&offset=40`.
struct PageRange {
  static let largest = 1_000

  var limit: Int
  var offset: Int

  /// - Throws: `HTTPError` with status 400 for an invalid number or a number out of bounds.
  init(_ parameters: Parameters) throws {
    limit = try parameters.optional("limit") ?? 100
    offset = try parameters.optional("offset") ?? 0
    guard (1...Self.largest).contains(limit), offset >= 0 else {
      throw HTTPError(
        .badRequest, message: "'limit' must be 1 to \(Self.largest), and 'offset' at least 0")
    }
  }
}

/// The JSON of one page of rows, with the total number of rows.
struct Page<Row: Encodable & Sendable>: ResponseEncodable {
  var total: Int
  var rows: [Row]
}

extension Parameters {
  /// Returns the value of a parameter, or nil if the parameter is missing.
  ///
  /// - Throws: `HTTPError` with status 400 for an invalid value.
  func optional<T: LosslessStringConvertible>(_ name: String, as _: T.Type = T.self) throws -> T? {
    guard let text = get(name) else { return nil }
    guard let value = T(text) else {
      throw HTTPError(.badRequest, message: "invalid value '\(text)' for '\(name)'")
    }
    return value
  }
}
