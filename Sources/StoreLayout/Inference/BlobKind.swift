import StoreModel

/// The type that the bytes in a column appear to have.
struct BlobKind: Hashable {
  var type: AttributeType
  var isExternal: Bool
  /// Whether each value begins with the byte 1, as in external storage, but nothing else indicates external storage.
  var mayBeExternal: Bool
  /// Whether BLOBs were found in the column.
  var hasValues: Bool

  init(_ samples: [BlobSample]) {
    hasValues = !samples.isEmpty
    let isExternal = Self.areMarked(samples)
    self.isExternal = isExternal
    mayBeExternal = !isExternal && !samples.isEmpty && samples.allSatisfy { $0.start.first == 1 }
    let contents = samples.filter { !$0.start.isEmpty && !(isExternal && $0.isFileName) }
    if contents.isEmpty {
      type = .binary
    } else if !isExternal, contents.count == samples.count, contents.allSatisfy(\.isUUID) {
      type = .uuid
    } else {
      let areArchives = contents.allSatisfy { $0.isArchive(behindMark: isExternal) }
      type = areArchives ? .transformable : .binary
    }
  }

  /// Returns whether each value begins with a location byte of external storage, and at least one value is the name of
  /// a file or continues with a known format. The byte alone could also be a part of the value
  /// (docs/formats/values.md).
  private static func areMarked(_ samples: [BlobSample]) -> Bool {
    let seen = samples.filter { !$0.start.isEmpty }
    guard seen.allSatisfy({ $0.start[0] == 1 || $0.isFileName }) else { return false }
    return seen.contains { $0.isFileName || $0.hasKnownStart(behindMark: true) }
  }
}

extension BlobSample {
  /// Whether the bytes are the name of an external file: the byte 2, a UUID with 36 characters, and NUL.
  fileprivate var isFileName: Bool {
    guard length == 38, start.first == 2, start.count == 38, start.last == 0 else { return false }
    return start.dropFirst().dropLast().enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
    }
  }

  /// Whether the bytes have the version and variant bits of a UUID (RFC 9562).
  fileprivate var isUUID: Bool {
    length == 16 && start.count == 16 && (1...8).contains(start[6] >> 4) && start[8] >> 6 == 0b10
  }

  fileprivate func isArchive(behindMark isMarked: Bool) -> Bool {
    start.dropFirst(isMarked ? 1 : 0).starts(with: Array("bplist00".utf8))
  }

  /// Returns whether the bytes begin like a binary property list, PNG, JPEG, GIF, PDF, XML, ZIP or a JSON object.
  fileprivate func hasKnownStart(behindMark isMarked: Bool) -> Bool {
    let bytes = start.dropFirst(isMarked ? 1 : 0)
    return ["bplist", "\u{89}PNG", "GIF8", "%PDF", "<?xml", "PK", "{"].contains {
      bytes.starts(with: $0.unicodeScalars.map { UInt8($0.value) })
    } || bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }
}
