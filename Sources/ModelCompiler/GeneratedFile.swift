package import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that is generated, and what should be in it.
package struct GeneratedFile: Sendable {
  package var path: FilePath
  package var text: String

  package init(path: FilePath, text: String) {
    self.path = path
    self.text = text
  }

  /// What is there instead of `text`; nil where it is the same, or where the file is missing.
  private var found: String? {
    do {
      return String(decoding: try path.contents(), as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// Writes the file unless it is there as it should be: what is built from it stays valid.
  ///
  /// - Returns: false where nothing was to be done.
  /// - Throws: `GeneratedFileError`
  package func write() throws(GeneratedFileError) -> Bool {
    guard found != text else { return false }
    do {
      try path.folder.makeFolders()
      try path.replace(with: Array(text.utf8))
    } catch {
      throw GeneratedFileError(path: path, reason: error.reason)
    }
    return true
  }

  /// Where the file is not what it should be; nil where it is.
  package var difference: Diagnostic? {
    guard let found else {
      return Diagnostic(.error, "generate.missing", "there is no '\(path)'")
    }
    guard found != text else { return nil }
    let old = found.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0 == $1 }.count
    return Diagnostic(
      .error, "generate.outdated", "this is not what the model generates",
      at: SourcePlace(file: "\(path)", line: line + 1, column: 1),
      help: [
        "here:      \(line < old.count ? String(old[line]) : "the end of the file")",
        "generated: \(line < new.count ? String(new[line]) : "the end of the file")",
      ])
  }
}

/// Why a generated file can't be written.
package struct GeneratedFileError: DiagnosableError, Hashable {
  var path: FilePath
  var reason: String

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "generate.unwritable", "'\(path)' can't be written: \(reason)",
        cause: .inputOutput)
    ]
  }
}
