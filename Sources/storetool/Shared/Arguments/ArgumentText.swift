public import ArgumentParser
public import StoreDiagnostics
import Synchronization

/// The arguments of the process as text that preserves all bytes.
///
/// ArgumentParser requires `String`s, but a path may contain bytes that aren't UTF-8. Each such byte becomes a
/// private-use character from U+10FF80 to U+10FFFF, as does each byte of a character from that range, so that different
/// bytes never become the same text. `LocalPath` converts this text back to bytes.
enum ArgumentText {
  /// The arguments of this process, without the name of the program.
  static let all = Array(separated(LocalPath.arguments.map(text)[...]))

  /// The arguments with escaped bytes that the parser has read as paths since the last call of `requireText`.
  private static let paths = Mutex<Set<LocalPath>>([])

  private static let firstEscape: UInt32 = 0x10FF00
  private static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  /// Returns the path as text with escaped bytes.
  static func text(of path: LocalPath) -> String {
    var text = ""
    path.bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      while let first = rest.first {
        if let scalar = LocalPath.scalar(atStartOf: rest), !escapes.contains(scalar.value) {
          text.unicodeScalars.append(scalar)
          rest = rest.dropFirst(UTF8.width(scalar))
        } else {
          if let escape = Unicode.Scalar(firstEscape + UInt32(first)) {
            text.unicodeScalars.append(escape)
          }
          rest = rest.dropFirst()
        }
      }
    }
    return text
  }

  /// Returns the path with the bytes that are escaped in `text`.
  static func path(_ text: String) -> LocalPath {
    guard isEscaped(text) else { return LocalPath(text) }
    return LocalPath(
      bytes: text.unicodeScalars.flatMap { scalar -> [UInt8] in
        escapes.contains(scalar.value)
          ? [UInt8(scalar.value - firstEscape)] : Array(String(scalar).utf8)
      })
  }

  private static func isEscaped(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { escapes.contains($0.value) }
  }

  fileprivate static func note(path text: String) {
    guard isEscaped(text) else { return }
    paths.withLock { _ = $0.insert(path(text)) }
  }

  /// Returns the arguments with the value of an option as a separate argument if the value begins with a combining
  /// mark.
  ///
  /// ArgumentParser searches for the character `=`, but `=` followed by a combining mark is another character.
  static func separated(_ words: ArraySlice<String>) -> ArraySlice<String> {
    let options = words.prefix { $0 != "--" }
    return options.flatMap { word in
      guard word.hasPrefix("-"), !word.contains("="), let (name, value) = word.split(atFirst: "=")
      else { return [word] }
      return [name, value]
    } + words.dropFirst(options.count)
  }

  /// Checks that arguments that aren't paths are UTF-8.
  ///
  /// - Parameter words: The arguments of a command after the parser has read them.
  /// - Throws: `DiagnosticError` for the first argument with other bytes.
  static func requireText(_ words: ArraySlice<String>) throws {
    let paths = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for word in words where isEscaped(word) {
      let value = word.hasPrefix("-") ? word.split(separator: "=", maxSplits: 1).last : nil
      let argument = path(word)
      guard !paths.contains(argument), !paths.contains(value.map { path(String($0)) } ?? argument)
      else { continue }
      throw DiagnosticError(
        "usage.not-utf8", "the argument '\(argument)' isn't UTF-8", cause: .usage,
        help: ["only paths can contain other bytes"])
    }
  }
}

extension LocalPath: ExpressibleByArgument {
  public init(argument: String) {
    ArgumentText.note(path: argument)
    self = ArgumentText.path(argument)
  }

  /// The path as an argument of this program, which `init(argument:)` converts back to bytes.
  var argument: String { ArgumentText.text(of: self) }
}

/// Names of commands that several features use.
enum CommandName {
  /// The command `each`, whose arguments after `--` are another command.
  static let each = "each"
}
