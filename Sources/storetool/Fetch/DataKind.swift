import RecordFormats

/// The format of data. It is guessed from the first kilobyte. `plist` is a binary property list, and `data` is data in
/// an unknown format.
enum DataKind: String {
  case png, jpeg, gif, webp, heic, pdf, plist, json, text, data

  init(of bytes: UnsafeBufferPointer<UInt8>) {
    func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { bytes.dropFirst(offset).prefix($0.count).elementsEqual($0) }
    }
    if begins("PNG\r\n", at: 1) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins("GIF8") {
      self = .gif
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webp
    } else if begins("ftyphei", at: 4) || begins("ftypmif", at: 4) {
      self = .heic
    } else if begins("%PDF-") {
      self = .pdf
    } else if begins("bplist") {
      self = .plist
    } else {
      self = Self.text(bytes)
    }
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> DataKind {
    // The examined bytes must not end inside a character, because UTF-8 would be invalid there.
    var end = min(bytes.count, 1024)
    while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    guard let first = bytes.first, String(validating: bytes[..<end], as: UTF8.self) != nil,
      !bytes[..<end].contains(0)
    else { return .data }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .text
  }
}

/// The output for data that isn't printed completely: its size, its format, and its first 64 bytes in base64.
struct DataFacts: Encodable {
  let bytes: Int
  let kind, start: String

  init(of bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes.count
    kind = DataKind(of: bytes).rawValue
    start = Array(bytes.prefix(64)).base64
  }
}
