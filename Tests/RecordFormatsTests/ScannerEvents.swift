import RecordFormats
import SampleData
import SQLiteAccess

/// The events of a scanner for a text, one per line: the token, its text and its offset.
enum ScannerEvents {
  static func json(_ bytes: [UInt8], pieces: [Int] = []) throws -> [String] {
    var scanner = JSONScanner(MemorySource(bytes, name: "data.json", pieces: pieces))
    var events: [String] = []
    while true {
      let token = try scanner.next()
      if token == .end { return events }
      let place = scanner.tokenPosition()
      let text =
        switch token {
        case .key, .string, .number: " " + String(decoding: scanner.text, as: UTF8.self)
        case .beginObject, .endObject, .beginArray, .endArray, .true, .false, .null, .end: ""
        }
      events.append("\(place.line):\(place.column) \(token)\(text)")
    }
  }

  static func json(_ text: String) throws -> [String] { try json(Array(text.utf8)) }

  static func csv(
    _ bytes: [UInt8], _ dialect: CSVDialect = .detected, pieces: [Int] = []
  ) throws -> [String] {
    var scanner = CSVScanner(MemorySource(bytes, name: "data.csv", pieces: pieces), dialect)
    var events: [String] = []
    while true {
      let token = try scanner.next()
      switch token {
      case .end: return events
      case .endOfRecord: events.append("-")
      case .empty: events.append("NULL")
      case .field:
        let place = scanner.tokenPosition()
        let text = String(decoding: scanner.text, as: UTF8.self)
        events.append("\(place.line):\(place.column) [\(text)]")
      }
    }
  }
}
