import RecordFormats
import StoreDiagnostics
import SQLiteAccess

/// Reads a settings file; all its mistakes are told together.
struct SettingsReader: ~Copyable {
  private var scanner: JSONScanner
  private let name: String
  /// Where the paths in it begin.
  private let folder: FilePath
  private var settings = Settings()
  private var mistakes: [Diagnostic] = []
  private var taken: Set<String> = []

  private static let keys = ["model", "store", "migrations", "ignore"]

  init(_ source: InputFile, in folder: FilePath) {
    name = source.name
    scanner = JSONScanner(source)
    self.folder = folder
  }

  /// - Throws: `DiagnosticError` with what is wrong; `InputError` where it is no JSON.
  mutating func read() throws -> Settings {
    guard try scanner.next() == .beginObject else {
      throw DiagnosticError(
        mistake("settings.no-object", "settings are a JSON object", at: scanner.tokenPosition()))
    }
    while try scanner.next() == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      let position = scanner.tokenPosition()
      guard let value = try scanner.nextValue() else { break }
      take(value, for: key, at: position)
    }
    guard try scanner.next() == .end else {
      throw DiagnosticError(
        mistake(
          "settings.no-object", "something follows the settings", at: scanner.tokenPosition()))
    }
    guard mistakes.isEmpty else { throw DiagnosticError(mistakes) }
    return settings
  }

  private mutating func take(_ value: JSONValue, for key: String, at position: TextPosition) {
    guard taken.insert(key).inserted else {
      mistakes.append(
        mistake("settings.repeated-key", "the setting '\(key)' stands there twice", at: position))
      return
    }
    switch key {
    case "model": settings.model = path(value, for: key)
    case "store": settings.store = path(value, for: key)
    case "migrations": settings.migrations = path(value, for: key)
    case "ignore": settings.ignored = codes(value)
    default:
      mistakes.append(
        mistake(
          "settings.unknown-key", "there is no setting '\(key)'", .notFound, at: position
        ).didYouMean(key, among: Self.keys, elseListing: "settings are"))
    }
  }

  private mutating func path(_ value: JSONValue, for key: String) -> FilePath? {
    guard case .string(let text) = value.content, !text.isEmpty else {
      mistakes.append(
        mistake("settings.wrong-type", "'\(key)' takes a path", at: value.position))
      return nil
    }
    let path = FilePath(text)
    return path.isAbsolute ? path : "\(folder)\(path)"
  }

  private mutating func codes(_ value: JSONValue) -> [IgnoredCode] {
    guard case .array(let elements) = value.content else {
      mistakes.append(
        mistake("settings.wrong-type", "'ignore' takes a list of codes", at: value.position)
          .helping("write \"ignore\": [\"model.same-hash\"]"))
      return []
    }
    return elements.compactMap { element in
      guard case .string(let text) = element.content, let code = IgnoredCode(text) else {
        mistakes.append(
          mistake("settings.wrong-type", "this is not the code of a finding", at: element.position)
            .helping("codes stand behind messages: \"model.same-hash\""))
        return nil
      }
      return code
    }
  }

  private func mistake(
    _ code: String, _ message: String, _ cause: Diagnostic.Cause = .invalid,
    at position: TextPosition
  ) -> Diagnostic {
    Diagnostic(
      .error, code, message, cause: cause,
      at: SourcePlace(file: name, line: position.line, column: position.column))
  }
}
