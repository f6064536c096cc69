package import StoreDiagnostics

extension DatabaseFile {
  /// How SQLite has to open the file.
  package struct Opening: Hashable {
    /// A `file:` name with SQLite's parameters: https://www.sqlite.org/uri.html.
    package var uri: String
    /// Keeps the index of the `-wal` in memory of our own instead of a `-shm` file.
    package var isExclusive = false
    /// Goes through `ReadAheadVFS`.
    package var isReadAhead = false
    /// What the file must still have after a reading without locks; nil where SQLite locks the file.
    package var stamp: FileStamp?

    package init(
      uri: String, isExclusive: Bool = false, isReadAhead: Bool = false, stamp: FileStamp? = nil
    ) {
      self.uri = uri
      self.isExclusive = isExclusive
      self.isReadAhead = isReadAhead
      self.stamp = stamp
    }

    /// What others write while the store is open can be read.
    package var seesLaterWrites: Bool { !isReadAhead && !isExclusive }
  }

  /// Reads without changing or making any file, rows in the `-wal` included.
  ///
  /// A plain read-only connection would make a `-wal` and a `-shm`; `immutable` beside a `-wal` would
  /// lose its rows (docs/formats/store-layout.md, "Reading without a trace").
  package var readOnlyOpening: Opening {
    switch (walSize, sharedMemorySize) {
    // SQLite goes by the -wal rather than by the header: only without one does the header count.
    case (nil, _) where journal == .rollback: Opening(uri: uri(["mode=ro"]))
    case (nil, _), (0, nil): unchangingOpening
    case (_?, _?): Opening(uri: uri(["mode=ro", "readonly_shm=1"]))
    case (_?, nil): Opening(uri: uri(["mode=ro", "vfs=unix-none"]), isExclusive: true)
    }
  }

  /// Reads the file alone, which nobody may write to meanwhile.
  package var unchangingOpening: Opening {
    Opening(uri: uri(["immutable=1", "vfs=\(ReadAheadVFS.name)"]), isReadAhead: true, stamp: stamp)
  }

  /// Never creates a file that is missing.
  package var writableOpening: Opening {
    Opening(uri: uri(["mode=rw", "vfs=\(WriteGatheringVFS.name)"]))
  }

  private func uri(_ parameters: [String]) -> String {
    Self.uri(path, parameters)
  }

  package static func uri(_ path: FilePath, _ parameters: [String]) -> String {
    "file:\(percentEncoded(path))?\(parameters.joined(separator: "&"))"
  }

  /// Everything but letters, digits, `/`, `.`, `_` and `-`, so that `?`, `#` and `%` stay in the name.
  private static func percentEncoded(_ path: FilePath) -> String {
    let digits = Array("0123456789ABCDEF")
    // A relative path that begins with two slashes would be read as a host.
    let rooted: FilePath = path.hasPrefix("//") ? "/.\(path.dropFirst())" : path
    return rooted.bytes.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }.joined()
  }
}
