import RecordFormats
import ArgumentParser

/// A shell asks for the words that may stand at the cursor.
enum CompletionRequest {
  /// The word of the parser's scripts that a request begins with.
  private static let mark = "---completion"

  /// Answers a request and ends the process; returns where the words are none.
  ///
  /// - Parameter words: of the command line.
  static func answer(_ words: [String]) {
    guard words.first == mark else { return }
    // The line of the user is no place for a message, nor for a wait.
    Terminal.silenceErrors()
    Signals.leave(after: 3)
    do {
      _ = try Storetool.parseAsRoot(words)
    } catch {
      guard Storetool.exitCode(for: error) == .success else { Terminal.exit(.done) }
      do {
        try OutputFile.standard.write(Storetool.fullMessage(for: error) + "\n")
      } catch {
        FailedCommand(error).leave()
      }
    }
    Terminal.exit(.done)
  }
}
