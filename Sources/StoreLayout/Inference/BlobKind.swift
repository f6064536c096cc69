import StoreModel

/// What the bytes of a column look like.
struct BlobKind: Hashable {
  var type: AttributeType
  var isExternal: Bool
  /// Each value has the first byte of external storage, and nothing else tells.
  var mayBeExternal: Bool
  /// Values were there to look at.
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

  /// Each begins with the mark of external storage, and one of them is a file's name or goes on as a known format
  /// begins. By the mark alone a byte of a value could be taken for it (docs/formats/values.md).
  private static func areMarked(_ samples: [BlobSample]) -> Bool {
    let seen = samples.filter { !$0.start.isEmpty }
    guard seen.allSatisfy({ $0.start[0] == 1 || $0.isFileName }) else { return false }
    return seen.contains { $0.isFileName || $0.hasKnownStart(behindMark: true) }
  }
}

extension BlobSample {
  /// A mark, 36 characters, NUL.
  fileprivate var isFileName: Bool {
    guard length == 38, start.first == 2, start.count == 38, start.last == 0 else { return false }
    return start.dropFirst().dropLast().enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
    }
  }

  /// The version and the variant of RFC 9562.
  fileprivate var isUUID: Bool {
    length == 16 && start.count == 16 && (1...8).contains(start[6] >> 4) && start[8] >> 6 == 0b10
  }

  fileprivate func isArchive(behindMark isMarked: Bool) -> Bool {
    start.dropFirst(isMarked ? 1 : 0).starts(with: Array("bplist00".utf8))
  }

  /// Property lists, PNG, JPEG, GIF, PDF, XML, ZIP, JSON.
  fileprivate func hasKnownStart(behindMark isMarked: Bool) -> Bool {
    let bytes = start.dropFirst(isMarked ? 1 : 0)
    return ["bplist", "\u{89}PNG", "GIF8", "%PDF", "<?xml", "PK", "{"].contains {
      bytes.starts(with: $0.unicodeScalars.map { UInt8($0.value) })
    } || bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }
}
