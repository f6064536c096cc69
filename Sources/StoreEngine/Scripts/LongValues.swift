import StoreSQL

/// Puts values that make a statement too long into a table of their own, piece by piece:
///
///     INSERT INTO storetool_value (k, v) VALUES (1, x'0a0b…')
///     UPDATE storetool_value SET v = CAST(v || x'0c0d…' AS BLOB) WHERE k = 1
///     UPDATE ZITEM SET ZIMAGE = (SELECT v FROM storetool_value WHERE k = 1) WHERE …
struct LongValues {
  static let table = ScratchTables.prefix + "value"

  /// Of a statement as text.
  let limit: Int
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// What has to run before the first of the others.
  static let creation: SQL = """
    CREATE TABLE \(name: table) (k INTEGER PRIMARY KEY, v)
    """

  /// The statement within the limit, behind those that store its values; nil where its values are not what makes it long.
  mutating func shorten(_ sql: SQL) -> [SQL]? {
    var segments = sql.segments
    var stored: [SQL] = []
    while SQL(segments: segments).literalText.utf8.count > limit {
      guard let (place, value) = Self.longest(of: segments) else { return nil }
      count += 1
      let key = SQL.value(.integer(Int64(count)))
      stored += storing(value, key)
      let reading: SQL = "(SELECT v FROM \(name: Self.table) WHERE k = \(key))"
      segments.replaceSubrange(place...place, with: reading.segments)
    }
    return stored + [SQL(segments: segments)]
  }

  /// A value that is longer than what would stand in its place.
  private static func longest(of segments: [SQL.Segment]) -> (Int, SQLiteValue)? {
    let sizes = segments.enumerated().compactMap { place, segment -> (Int, SQLiteValue, Int)? in
      guard case .value(let value) = segment, value.isLong else { return nil }
      return (place, value, value.literal.utf8.count)
    }
    return sizes.max { $0.2 < $1.2 }.map { ($0.0, $0.1) }
  }

  private func storing(_ value: SQLiteValue, _ key: SQL) -> [SQL] {
    let table = SQL.name(Self.table)
    return value.pieces(limit - 200).enumerated().map { number, piece -> SQL in
      if number == 0 { return "INSERT INTO \(table) (k, v) VALUES (\(key), \(value: piece))" }
      // Bytes that are put together are a text until they are told otherwise.
      guard case .blob = piece else {
        return "UPDATE \(table) SET v = v || \(value: piece) WHERE k = \(key)"
      }
      return "UPDATE \(table) SET v = CAST(v || \(value: piece) AS BLOB) WHERE k = \(key)"
    }
  }
}

extension SQLiteValue {
  fileprivate var isLong: Bool {
    switch self {
    case .text(let text): text.utf8.count > 500
    case .blob(let bytes): bytes.count > 500
    case .null, .integer, .real: false
    }
  }

  /// In parts whose literals have so many bytes at most.
  fileprivate func pieces(_ limit: Int) -> [SQLiteValue] {
    switch self {
    case .null, .integer, .real: return [self]
    case .blob(let bytes):
      let size = max(1, (limit - 3) / 2)
      return stride(from: 0, to: bytes.count, by: size).map { start in
        .blob(Array(bytes[start..<min(start + size, bytes.count)]))
      }
    case .text(let text):
      var pieces: [SQLiteValue] = []
      var piece = String.UnicodeScalarView()
      var size = 2
      for scalar in text.unicodeScalars {
        // A NUL is written as " || char(0) || " between two texts.
        let length =
          scalar == "'" ? 2 : scalar == "\0" ? 18 : String(scalar).utf8.count
        if size + length > limit, !piece.isEmpty {
          pieces.append(.text(String(piece)))
          (piece, size) = (String.UnicodeScalarView(), 2)
        }
        piece.append(scalar)
        size += length
      }
      return pieces + [.text(String(piece))]
    }
  }
}
