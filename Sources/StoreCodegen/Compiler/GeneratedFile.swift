package import StoreDiagnostics
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A generated file with its expected content.
package struct GeneratedFile: Sendable {
  package var path: FilePath
  package var text: String

  package init(path: FilePath, text: String) {
    self.path = path
    self.text = text
  }

  /// The current content, or nil if the file is missing or can't be read.
  private var found: String? {
    do {
      return String(decoding: try path.contents(), as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// Writes the file unless it already has this content, so that builds that depend on it remain valid.
  ///
  /// - Parameter overwritesAny: whether to overwrite a file without the mark of generated files.
  /// - Returns: false if the file was up to date.
  /// - Throws: `GeneratedFileError` if the file can't be written, or if storetool didn't generate it and
  ///   `overwritesAny` is false.
  package func write(overwritesAny: Bool = false) throws(GeneratedFileError) -> Bool {
    if StagedFile.replacesFile(at: path) {
      let found = found
      guard found != text else { return false }
      guard overwritesAny || found.map(Self.isMarked) == true else { throw .foreign(path: path) }
    }
    do throws(FileWriteError) {
      try StagedFile.replace(path, with: Array(text.utf8), makesFolders: true)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    return true
  }

  /// The difference between the file and its expected content, or nil.
  package var difference: Diagnostic? {
    guard let found else {
      return Diagnostic(.error, "generate.missing", "the file '\(path)' doesn't exist")
    }
    guard found != text else { return nil }
    let old = found.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0 == $1 }.count
    return Diagnostic(
      .error, "generate.outdated", "the file differs from the generated source",
      at: SourcePlace(file: "\(path)", line: line + 1, column: 1),
      help: [
        "here:      \(line < old.count ? String(old[line]) : "the end of the file")",
        "generated: \(line < new.count ? String(new[line]) : "the end of the file")",
      ])
  }
}

// MARK: The mark

extension GeneratedFile {
  /// The syntax of a one-line comment.
  package enum Comment: Sendable {
    /// `<!-- … -->`, for HTML, Markdown and SVG.
    case markup
    /// `%% …`, for Mermaid.
    case percent
  }

  /// Returns a text with the mark of generated files in its first line, or after the XML declaration.
  package static func marked(_ text: String, as comment: Comment) -> String {
    let sentence = "\(GeneratedSource.mark). Do not edit: changes are overwritten."
    let line =
      switch comment {
      case .markup: "<!-- \(sentence) -->\n"
      case .percent: "%% \(sentence)\n"
      }
    guard text.hasPrefix("<?xml"), let end = text.firstIndex(of: "\n") else { return line + text }
    return text[...end] + line + text[text.index(after: end)...]
  }

  /// The number of lines at the start of a file that are searched for the mark.
  private static let markedLines = 5

  private static func isMarked(_ text: String) -> Bool {
    text.split(
      maxSplits: markedLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )
    .prefix(markedLines).contains { $0.contains(GeneratedSource.mark) }
  }
}

/// The reason why a generated file can't be written.
package enum GeneratedFileError: DiagnosableError, Hashable {
  case unwritable(path: FilePath, reason: String)
  /// The existing file wasn't generated.
  case foreign(path: FilePath)

  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unwritable(let path, let reason):
      Diagnostic(
        .error, "generate.unwritable", "'\(path)' can't be written: \(reason)",
        cause: .inputOutput)
    case .foreign(let path):
      Diagnostic(
        .error, "generate.not-generated",
        "'\(path)' exists, and storetool didn't generate it", cause: .cannotCreate,
        help: [.model(.overwriteFile)])
    }
  }
}
