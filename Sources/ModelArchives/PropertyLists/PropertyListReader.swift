#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads property lists, whoever has written them.
///
/// Foundation decodes them. It goes one call deeper with each level of nesting and follows a value as
/// often as it is referred to, so it gets to see only what keeps to our limits.
package enum PropertyListReader {
  /// How deep arrays and dictionaries may be nested; Core Data's own lists have two levels.
  package static let depthLimit = 64
  /// How many bytes a list may have, as it is and with each value counted as often as it is used.
  package static let sizeLimit = 16 << 20

  /// - Throws: `PropertyListError` for a list beyond the limits; an error of `PropertyListDecoder`.
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
  /// Walks through all that the list leads to, with a list of its own for what is open.
  fileprivate func checkLimits() throws(PropertyListError) {
    var room = PropertyListReader.sizeLimit
    var open: [ArraySlice<Int>] = [[top]]
    while var rest = open.popLast() {
      guard let number = rest.popFirst() else { continue }
      open.append(rest)
      // Foundation knows kinds that this reader does not, as integers of 16 bytes: none is a container.
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
  /// The numbers of what is in a container; nil for a value.
  fileprivate var members: [Int]? {
    switch self {
    case .array(let members): members
    case .dictionary(let keys, let values): keys + values
    case .null, .boolean, .integer, .real, .date, .data, .string, .reference: nil
    }
  }

  /// About as many bytes as it takes in memory without what is in it.
  fileprivate var size: Int {
    switch self {
    case .data(let bytes): 32 + bytes.count
    case .string(let text): 32 + text.utf8.count
    case .null, .boolean, .integer, .real, .date, .reference, .array, .dictionary: 32
    }
  }
}
