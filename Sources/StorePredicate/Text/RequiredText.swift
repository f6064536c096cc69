/// ASCII text that each match of a regular expression contains. Finding it takes a small part of the time of a match, so
/// most texts that don't match are rejected without running the expression.
struct RequiredText: Hashable, Sendable {
  /// The bytes at the start of each match. Can be empty.
  private(set) var prefix: [UInt8] = []
  /// The longest sequence of bytes in each match. Can be empty.
  private(set) var part: [UInt8] = []
  /// Whether the expression ignores case. Then the bytes are lowercase letters instead of capital letters.
  let ignoresCase: Bool

  /// The letters after a backslash that have no argument, such as `\d`. Other letters end the search for literal text:
  /// in `\x41`, the next characters aren't literal.
  private static let lettersWithoutArgument = "ABDGHRSVWXZbdhnrstvwz".unicodeScalars

  /// Searches the pattern for literal characters up to the first group or set. Both texts are empty
  /// if the pattern has an alternative.
  ///
  /// - Parameters:
  ///   - pattern: a valid regular expression of ICU
  ///     (https://unicode-org.github.io/icu/userguide/strings/regexp.html).
  ///   - ignoresCase: whether the expression ignores case.
  init(_ pattern: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    let scalars = Array(pattern.unicodeScalars)
    guard !scalars.contains("|") else { return }
    var run: [UInt8] = []
    var runStart = 0
    var index = 0

    func endRun() {
      run = run.map { UTF8Text.fold($0, ignoringCase: ignoresCase) }
      if runStart == 0 { prefix = run }
      if run.count > part.count { part = run }
      run = []
      runStart = index
    }

    scan: while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "(", ")", "[", "]", "}": break scan
      case ".", "^", "$", "+": endRun()
      case "?", "*":
        // The previous character can be missing.
        _ = run.popLast()
        endRun()
      case "{":
        _ = run.popLast()
        guard let end = scalars[index...].firstIndex(of: "}") else { break scan }
        index = end + 1
        endRun()
      case "\\":
        guard index < scalars.count else { break scan }
        let escaped = scalars[index]
        index += 1
        if Self.lettersWithoutArgument.contains(escaped) {
          endRun()
        } else if escaped.isASCII, !escaped.properties.isAlphabetic, !("0"..."9" ~= escaped) {
          run.append(UInt8(escaped.value))
        } else {
          break scan
        }
      case _ where scalar.isASCII: run.append(UInt8(scalar.value))
      default: endRun()
      }
    }
    endRun()
  }
}
