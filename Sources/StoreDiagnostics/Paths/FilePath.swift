/// The path of a file, as the bytes that the system receives.
///
/// A `String` can't be a path. Swift compares strings by Unicode equivalence, so that two files whose
/// names differ only by normalization are one string. Decoding replaces each byte that isn't UTF-8 with
/// U+FFFD, so that the result names another file. All file access takes a `FilePath` instead.
///
///     let log: FilePath = "\(store)-wal"
///
/// An interpolation keeps the bytes of the paths in it. `description` doesn't: it is for people, and it
/// shows a byte that isn't UTF-8 as `\xFF`.
///
/// No file has a name that contains a NUL. The system receives the empty path in place of such a path,
/// and reports that there is no such file.
public struct FilePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The path that is written as `text`, in UTF-8.
  public init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  package init(cString: UnsafePointer<CChar>) {
    bytes = UnsafeBufferPointer(start: cString, count: Self.length(of: cString))
      .map { UInt8(bitPattern: $0) }
  }

  private static func length(of cString: UnsafePointer<CChar>) -> Int {
    var count = 0
    while cString[count] != 0 { count += 1 }
    return count
  }

  package func withCString<Result, Failure>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let characters = bytes.contains(0) ? [0] : bytes.map { CChar(bitPattern: $0) } + [0]
    let space = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    defer { space.deallocate() }
    space.initialize(from: characters, count: characters.count)
    return try body(space)
  }

  /// The path as text; nil when it isn't UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension FilePath: Comparable {
  public static func < (one: FilePath, other: FilePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}

extension FilePath: CustomStringConvertible {
  public var description: String {
    if let text { return text }
    var result = ""
    bytes.withUnsafeBufferPointer { all in
      var rest = all[...]
      while let first = rest.first {
        if let scalar = Self.scalar(atStartOf: rest) {
          result.unicodeScalars.append(scalar)
          rest = rest.dropFirst(UTF8.width(scalar))
        } else {
          let digits = String(first, radix: 16, uppercase: true)
          result += "\\x" + (digits.count == 1 ? "0" : "") + digits
          rest = rest.dropFirst()
        }
      }
    }
    return result
  }

  /// The character that the bytes begin with; nil when they don't begin with valid UTF-8.
  package static func scalar(atStartOf bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar?
  {
    for count in 1...4 where count <= bytes.count {
      if let text = String(validating: bytes.prefix(count), as: UTF8.self) {
        return text.unicodeScalars.first
      }
    }
    return nil
  }
}

extension FilePath: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }

  public init(stringInterpolation parts: Parts) { self.init(bytes: parts.bytes) }

  /// The parts of an interpolation: paths with their own bytes, and text in UTF-8.
  public struct Parts: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) { bytes += text.utf8 }

    public mutating func appendInterpolation(_ path: FilePath) { bytes += path.bytes }

    public mutating func appendInterpolation(_ text: some StringProtocol) { bytes += text.utf8 }
  }
}

extension FilePath: Codable {
  /// Reads the path from text, in UTF-8.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the form for people: JSON holds text only.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
