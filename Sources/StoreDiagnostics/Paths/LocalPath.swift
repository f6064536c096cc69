#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The path of a file as the bytes that are passed to the system.
///
/// A `String` can't represent all paths. Swift compares strings by Unicode equivalence, so two files whose names differ
/// only by normalization would be equal. Decoding replaces bytes that aren't UTF-8 with U+FFFD, and the result is the
/// path of a different file. All file access therefore uses `LocalPath`.
///
///     let log: FilePath = "\(store)-wal"
///
/// An interpolation keeps the bytes of its paths. `description` is text for people, which represents a byte that isn't
/// UTF-8 as `\xFF`.
///
/// A path with a NUL byte is invalid. System calls receive the empty path instead, and report that the file doesn't
/// exist.
public struct LocalPath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Creates a path from text, in UTF-8.
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

  /// The path as text, or nil if it isn't UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension LocalPath: Comparable {
  public static func < (one: LocalPath, other: LocalPath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}

extension LocalPath: CustomStringConvertible {
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

  /// Returns the character at the start of the bytes, or nil if they don't begin with valid UTF-8.
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

extension LocalPath: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }

  public init(stringInterpolation parts: Parts) { self.init(bytes: parts.bytes) }

  /// The parts of an interpolation: paths with their bytes, and text in UTF-8.
  public struct Parts: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) { bytes += text.utf8 }

    /// Appends a path with its bytes.
    public mutating func appendInterpolation(_ path: LocalPath) { bytes += path.bytes }

    /// Appends text in UTF-8.
    public mutating func appendInterpolation(_ text: some StringProtocol) { bytes += text.utf8 }
  }
}

extension LocalPath: Codable {
  /// Decodes a string, and creates a path from its UTF-8 bytes.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes `description`, because JSON only supports text. A path that isn't UTF-8 is decoded as a different path.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension LocalPath {
  /// The arguments of the process with their bytes, without the name of the program.
  ///
  /// `CommandLine.arguments` replaces bytes that aren't UTF-8, which changes paths.
  package static var arguments: [LocalPath] {
    let all = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return all.dropFirst().compactMap { $0.map { LocalPath(cString: $0) } }
  }

  /// The name or path by which the program was called, or nil if the caller didn't pass it.
  package static var program: LocalPath? {
    CommandLine.unsafeArgv[0].map { LocalPath(cString: $0) }
  }

  package var isEmpty: Bool { bytes.isEmpty }

  package func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }

  package func hasSuffix(_ text: String) -> Bool {
    bytes.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  package func dropFirst(_ count: Int = 1) -> LocalPath { LocalPath(bytes: bytes.dropFirst(count)) }

  /// Returns the path without its last `count` bytes.
  package func dropLast(_ count: Int = 1) -> LocalPath { LocalPath(bytes: bytes.dropLast(count)) }

  /// The part up to and including the last slash. Empty for a name without a folder.
  package var folder: LocalPath {
    LocalPath(bytes: bytes.lastIndex(of: Self.slash).map { bytes[...$0] } ?? [])
  }

  /// The folder without its trailing slash. Empty for a name without a folder, and `/` at the root.
  package var parent: LocalPath { folder == "/" ? folder : folder.dropLast() }

  /// The part after the last slash.
  package var name: LocalPath { dropFirst(folder.bytes.count) }

  /// The name without its extension: `Todo` for `a/Todo.sqlite`.
  package var base: LocalPath {
    let name = name.bytes
    return LocalPath(bytes: name.lastIndex(of: Self.dot).map { name[..<$0] } ?? name[...])
  }

  /// Returns the path of the file `name` in this folder. For the empty path, the result is `name`.
  package func appending(_ name: LocalPath) -> LocalPath {
    isEmpty || hasSuffix("/") ? "\(self)\(name)" : "\(self)/\(name)"
  }

  /// The names in the path, without the slashes.
  package var components: [LocalPath] {
    bytes.split(separator: Self.slash).map { LocalPath(bytes: $0) }
  }

  /// Creates a relative path by joining names with slashes.
  package init(joining names: some Sequence<LocalPath>) {
    self = names.reduce("") { $0.appending($1) }
  }

  /// Returns whether this path is `path` itself, or is in the folder `path` at any depth.
  package func isPart(of path: LocalPath) -> Bool { self == path || isBelow(path) }

  /// Returns whether this path is in `folder` at any depth. The path of the folder must not end with a slash.
  package func isBelow(_ folder: LocalPath) -> Bool {
    bytes.starts(with: ("\(folder)/" as LocalPath).bytes)
  }

  /// This path without `.` and `..`. Links aren't followed. A relative path is treated as a path from the root.
  package var standardized: LocalPath {
    var parts: [LocalPath] = []
    for part in components where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.reduce("/") { $0.appending($1) }
  }

  package var isAbsolute: Bool { bytes.first == Self.slash }

  /// The path for calls that require a folder: `.` for the empty path, which means the working directory.
  package var orHere: LocalPath { isEmpty ? "." : self }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Returns the properties of the file. If the result is nil, `SystemError.last` is the reason.
  ///
  /// - Parameter followsLinks: whether to follow a symbolic link.
  package func status(followsLinks: Bool = true) -> FileStatus? {
    FileStatus(of: self, followsLinks: followsLinks)
  }

  /// The kind of the file, or of a link's destination. Nil if it doesn't exist or isn't accessible.
  package var kind: Kind? { status()?.kind }

  /// Whether a file, a folder or a link exists at this path. The destination of the link may be missing.
  package var isTaken: Bool { status(followsLinks: false) != nil }

  package var isLink: Bool { status(followsLinks: false)?.kind == .link }

  /// Returns whether the user has permissions for the file. If the result is false, `SystemError.last` is the reason.
  ///
  /// - Parameter mode: the permissions, a combination of `R_OK`, `W_OK` and `X_OK`.
  package func allows(_ mode: CInt) -> Bool { withCString { access($0, mode) == 0 } }

  /// The absolute path of the file without links, `.` and `..`. If the result is nil, `SystemError.last` is the reason.
  package var resolved: LocalPath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return LocalPath(cString: path)
  }

  /// The resolved destination if this path is a symbolic link, otherwise the path itself. A link that can't be resolved
  /// is also unchanged.
  ///
  /// SQLite and Core Data create companion files in the folder of a link's destination, not in the folder of the link.
  package var followed: LocalPath { isLink ? resolved ?? self : self }

  /// The working directory. If the result is nil, `SystemError.last` is the reason.
  package static var workingDirectory: LocalPath? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return LocalPath(cString: path)
  }

  /// The path in an environment variable, or nil if it is empty or not set.
  package init?(variable name: String) {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    self.init(cString: value)
  }
}
