import StoreDiagnostics

/// Why a name can't be that of a file.
package enum FileNameIssue: Hashable, Sendable {
  case empty
  /// It would lead out of its folder.
  case slash
  /// The file would be hidden, and so no version of a model.
  case leadingDot
  case controlCharacter
  case tooLong

  /// What keeps a file from being called `name` with that ending; nil when nothing does.
  init?(of name: String, with ending: String) {
    if name.isEmpty {
      self = .empty
    } else if name.unicodeScalars.contains("/") {
      self = .slash
    } else if name.unicodeScalars.first == "." {
      self = .leadingDot
    } else if name.unicodeScalars.contains(where: ControlCharacters.isControl) {
      self = .controlCharacter
    } else if name.utf8.count + ending.utf8.count > Self.limit {
      self = .tooLong
    } else {
      return nil
    }
  }

  /// In bytes, on all file systems in use.
  private static let limit = 255

  var sentence: String {
    switch self {
    case .empty: "it is empty"
    case .slash: "it has a slash"
    case .leadingDot: "it begins with a dot"
    case .controlCharacter: "it has control characters"
    case .tooLong: "it is too long"
    }
  }
}
