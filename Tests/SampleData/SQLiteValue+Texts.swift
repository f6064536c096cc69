package import SQLiteAccess

extension SQLiteValue {
  /// The text for comparing values and for failure messages.
  package var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .blob(let bytes): "x" + bytes.map { String($0, radix: 16) }.joined(separator: ".")
    }
  }

  /// The text for golden files.
  package var shortText: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "blob of \(bytes.count)"
    }
  }
}
