import StoreDiagnostics

/// The secret that the replacements of values follow from.
enum AnonymizationKey {
  private static let leastLength = 16
  private static let usualLength = 32

  /// That of a file, else a random one.
  ///
  /// - Throws: what reading the file throws; `ShortKeyError`
  static func key(in path: FilePath?) throws -> (bytes: [UInt8], isRandom: Bool) {
    guard let path else {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<usualLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return (bytes, true)
    }
    let bytes = try GivenFile.bytes(of: path)
    guard bytes.count >= leastLength else {
      throw ShortKeyError(path: path, count: bytes.count, least: leastLength)
    }
    return (bytes, false)
  }
}

/// A secret that could be guessed.
struct ShortKeyError: DiagnosableError {
  let path: FilePath
  let count: Int
  let least: Int

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "anonymize.short-key",
        "the key in '\(path)' has \(count) \("byte".plural(count)), and \(least) are the least",
        help: ["make one: head -c 32 /dev/urandom > \(path)"])
    ]
  }
}
