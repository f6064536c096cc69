package import StoreDiagnostics
package import StoreModel

/// Xcode's compiled form of a model version: the archive in a `.mom` or in a store.
package enum CompiledModel {
  /// The code of the warning about a part of the archive that is omitted because it is unknown or damaged.
  package static let omissionCode = "model.compiled-part"

  /// Decodes the archive of a model.
  ///
  /// - Parameters:
  ///   - bytes: The decompressed archive.
  ///   - name: The name of the version, which the archive doesn't contain.
  package static func decode(
    _ bytes: [UInt8], name: String
  ) throws(CompiledModelError) -> CompiledModelReading {
    do {
      var decoder = CompiledModelDecoder(archive: try KeyedArchive(bytes))
      return try decoder.decode(name: name)
    } catch {
      throw CompiledModelError(fault: error, model: name)
    }
  }
}

/// A model that was read from an archive.
package struct CompiledModelReading: Sendable {
  package let model: DataModel
  /// Warnings about parts of the archive that the model lacks, because `DataModel` can't represent them or they are
  /// damaged.
  package let diagnostics: [DiagnosticMessage]
}

/// The reason why an archive can't be read as a model.
package struct CompiledModelError: DiagnosableError, Hashable {
  package var fault: KeyedArchiveError
  /// The name of the version.
  package var model: String

  package var diagnostics: [DiagnosticMessage] {
    let diagnostic = DiagnosticMessage(
      .error, "model.compiled-damaged",
      "the compiled model '\(model)' can't be read: \(fault.reason)")
    return [
      diagnostic.helping(
        "check whether the file is complete, or use the model from which it was compiled")
    ]
  }
}
