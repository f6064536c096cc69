#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads property lists, which can be from an unknown source.
///
/// Foundation decodes the lists. It uses a stack frame for each level of nesting, and decodes a value as often as it is
/// referenced. Therefore, lists that exceed the limits are rejected before they are decoded.
package enum PropertyListReader {
  /// The maximum depth of arrays and dictionaries or, in XML, of elements. Core Data's own lists have at most three
  /// levels of dictionaries.
  package static let depthLimit = 64
  /// The maximum number of bytes of a list. For a binary list, the limit also applies to the decoded list, in which
  /// each value is counted as often as it is referenced.
  package static let sizeLimit = 16 << 20

  /// - Throws: `PropertyListError` if the bytes aren't a property list or exceed the limits, or an error of
  ///   `PropertyListDecoder`.
  package static func read<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws -> Value {
    try checkLimits(of: bytes)
    return try PropertyListDecoder().decode(type, from: Data(bytes))
  }

  private static func checkLimits(of bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    if let list = BinaryPropertyList(bytes) {
      try list.checkLimits()
    } else {
      var scanner = XMLNestingScanner(bytes)
      try scanner.checkLimits()
    }
  }
}

extension BinaryPropertyList {
  /// Visits all objects of the list and checks the limits. It uses an explicit stack instead of recursion.
  fileprivate func checkLimits() throws(PropertyListError) {
    var room = PropertyListReader.sizeLimit
    var open: [ArraySlice<Int>] = [[top]]
    while var rest = open.popLast() {
      guard let number = rest.popFirst() else { continue }
      open.append(rest)
      // Foundation supports types that `BinaryPropertyList` doesn't, such as integers of 16 bytes. These types aren't
      // containers.
      let object = self[number] ?? .null
      room -= object.size
      guard room >= 0 else { throw .tooLarge(limit: PropertyListReader.sizeLimit) }
      guard let members = object.members else { continue }
      guard open.count <= PropertyListReader.depthLimit else {
        throw .tooDeep(limit: PropertyListReader.depthLimit)
      }
      open.append(members[...])
    }
  }
}

extension BinaryPropertyList.Object {
  /// The numbers of a container's members, or nil for a value.
  fileprivate var members: [Int]? {
    switch self {
    case .array(let members): members
    case .dictionary(let keys, let values): keys + values
    case .null, .boolean, .integer, .real, .date, .data, .string, .reference: nil
    }
  }

  /// The approximate number of bytes in memory without the members.
  fileprivate var size: Int {
    switch self {
    case .data(let bytes): 32 + bytes.count
    case .string(let text): 32 + text.utf8.count
    case .null, .boolean, .integer, .real, .date, .reference, .array, .dictionary: 32
    }
  }
}

/// Counts the depth of elements in an XML property list, without interpreting them.
///
/// If the XML is ambiguous, the scanner assumes the deeper nesting or rejects the XML, so that the parser never finds
/// more levels than the scanner.
struct XMLNestingScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// The element `plist` is an additional level.
  private static let limit = PropertyListReader.depthLimit + 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func checkLimits() throws(PropertyListError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    position = bytes[position...].firstIndex { $0 > 0x20 } ?? bytes.count
    guard isAt("<"), !bytes.contains(0) else { throw .unknownFormat }
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      try readMarkup()
    }
  }

  private mutating func readMarkup() throws(PropertyListError) {
    if isAt("<!--") {
      _ = try skip(behind: "-->")
    } else if isAt("<![CDATA[") {
      _ = try skip(behind: "]]>")
    } else if isAt("<?") {
      try checkEncoding(in: try skip(behind: "?>"))
    } else if isAt("<!") {
      // A document type with brackets can declare entities, so it is rejected.
      guard !(try skip(behind: ">")).contains(UInt8(ascii: "[")) else { throw .unknownFormat }
    } else if isAt("</") {
      _ = try skip(behind: ">")
      depth -= 1
      guard depth >= 0 else { throw .unknownFormat }
    } else {
      let tag = try skip(behind: ">")
      // If the tag contains quotes, its last slash could be in a quoted value that contains `>`. In this case, the tag
      // is counted as a level.
      let isQuoted = tag.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      if tag.dropLast().last == UInt8(ascii: "/"), !isQuoted { return }
      depth += 1
      guard depth <= Self.limit else { throw .tooDeep(limit: PropertyListReader.depthLimit) }
    }
  }

  /// Rejects encodings other than UTF-8, because the scanner could miss a `<` that is encoded differently.
  private func checkEncoding(in declaration: ArraySlice<UInt8>) throws(PropertyListError) {
    let text = String(decoding: declaration, as: UTF8.self).lowercased()
    guard text.hasPrefix("<?xml"), text.contains("encoding"), !text.contains("utf-8") else {
      return
    }
    throw .unknownFormat
  }

  private func isAt(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Moves past the next occurrence of `end`, and returns the skipped bytes including `end`.
  private mutating func skip(
    behind end: StaticString
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    let length = end.utf8CodeUnitCount
    let last = end.withUTF8Buffer { $0[length - 1] }
    let start = position
    var from = position
    while let found = bytes[from...].firstIndex(of: last) {
      from = found + 1
      let tail = bytes[start..<from].suffix(length)
      guard end.withUTF8Buffer({ tail.elementsEqual($0) }) else { continue }
      position = from
      return bytes[start..<from]
    }
    throw .unknownFormat
  }
}

/// The reason why a property list can't be read.
package enum PropertyListError: Error, Hashable, Sendable {
  /// The bytes are neither a binary property list nor a property list in XML with UTF-8, or the XML can't be checked.
  case unknownFormat
  /// The list has more bytes than the limit, before or after decoding.
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)

  /// The reason as a clause, for a message about a property list that can't be read.
  package var reason: String {
    switch self {
    case .unknownFormat: "it is neither a binary property list nor one in XML"
    case .tooLarge(let limit): "it is larger than \(limit >> 20) MB"
    case .tooDeep(let limit):
      "its arrays and dictionaries are nested more than \(limit) levels deep"
    }
  }
}
