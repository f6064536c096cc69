import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whether a settings file that was found can be trusted.
///
/// Commands look for `storetool.json` in all parent folders. Without this check another user of the machine could choose
/// the store that a command writes, as with Git's `safe.directory`.
enum SettingsTrust {
  /// - Parameter folder: the folder of the file.
  /// - Throws: `SettingsRefusal`
  static func check(_ file: FilePath, in folder: FilePath) throws(SettingsRefusal) {
    // For a link, both owners count: one chose the target, and the other can change it.
    for followsLinks in [false, true] {
      guard let facts = file.status(followsLinks: followsLinks) else { continue }
      guard isTrusted(facts.st_uid) else { throw .otherOwner(file) }
    }
    guard let facts = file.status() else { return }
    // A FIFO could keep the command waiting. For a folder, reading reports the error.
    switch FilePath.Kind(facts) {
    case .pipe, .other: throw .notAFile(file)
    case .file, .folder, .link: break
    }
    guard facts.st_mode & S_IWOTH == 0 else { throw .writable(file, by: file) }
    guard let place = folder.orHere.status(), place.st_mode & S_IWOTH != 0 else { return }
    // In a sticky folder, such as /tmp, only the owner can replace a file.
    guard place.st_mode & S_ISVTX != 0 else { throw .writable(file, by: folder.orHere) }
  }

  /// The user, root, and the user who called `sudo`.
  private static func isTrusted(_ owner: uid_t) -> Bool {
    owner == geteuid() || owner == 0 || geteuid() == 0 && owner == sudoUser
  }

  private static var sudoUser: uid_t? { Workspace.environment("SUDO_UID").flatMap { uid_t($0) } }
}

/// A settings file that isn't used.
enum SettingsRefusal: Error, Hashable {
  case otherOwner(FilePath)
  case notAFile(FilePath)
  /// All users may write the file, or replace it because they may write its folder.
  case writable(FilePath, by: FilePath)
}

extension SettingsRefusal: DiagnosableError {
  var diagnostics: [Diagnostic] {
    switch self {
    case .otherOwner(let file):
      [
        refusal(
          of: file, "settings.other-owner", "'\(file)' belongs to another user",
          "to make it yours: chown \"$USER\" '\(file)'")
      ]
    case .notAFile(let file):
      [
        Diagnostic(
          .error, "settings.not-a-file", "'\(file)' isn't a regular file", cause: .inputOutput)
      ]
    case .writable(let file, let place):
      [
        refusal(
          of: file, "settings.writable", "all users may write '\(place)'",
          "to change that: chmod o-w '\(place)'")
      ]
    }
  }

  private func refusal(
    of file: FilePath, _ code: String, _ message: String, _ remedy: Remedy
  ) -> Diagnostic {
    Diagnostic(
      .error, code, message, cause: .inputOutput,
      help: [
        "it isn't read, because its author could choose the model and the store of your commands",
        remedy,
        "to use it: \(Settings.variable)='\(file)'; an empty \(Settings.variable) uses no settings",
      ])
  }
}
