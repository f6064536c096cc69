import StoreCore
import StoreLayout

/// Whether values that may lie in files of their own are the same, wherever each of them lies.
struct LargeValueComparison {
  struct Side {
    let folder: ExternalFolder?
    /// Whether a first byte says where a value lies.
    let isMarked: Bool
  }

  let old: Side
  let new: Side

  /// - Throws: `ExternalValueMissing` where files that can't be read are not counted.
  func isSame(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    switch (Self.place(of: old, in: self.old), Self.place(of: new, in: self.new)) {
    case (.bytes(let one), .bytes(let other)): return one == other
    case (.file(let one), .file(let other)):
      guard let folder = self.old.folder, let otherFolder = self.new.folder else {
        return one == other
      }
      // One that neither store has is the same as far as anybody can say.
      return try folder.hasSameContent(one, as: otherFolder, other) ?? (one == other)
    case (.file(let name), .bytes(let bytes)):
      return try self.old.folder?.read(name).map { $0 == Array(bytes) } ?? false
    case (.bytes(let bytes), .file(let name)):
      return try self.new.folder?.read(name).map { $0 == Array(bytes) } ?? false
    }
  }

  private enum Place {
    case bytes(ArraySlice<UInt8>)
    case file(String)
  }

  private static func place(of stored: [UInt8], in side: Side) -> Place {
    guard side.isMarked else { return .bytes(stored[...]) }
    return stored.withUnsafeBufferPointer { bytes in
      switch ExternalValue(stored: bytes) {
      case .file(let name): .file(name)
      case .inline(let value): .bytes(stored.suffix(value.count))
      }
    }
  }
}
