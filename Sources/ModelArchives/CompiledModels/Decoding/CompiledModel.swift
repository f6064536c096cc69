package import StoreDiagnostics
package import StoreModel

/// Xcode's compiled form of a model version: the archive in a `.mom` or in a store.
package enum CompiledModel {
  /// The code of the warning about an omitted part.
  package static let omissionCode = "model.compiled-part"

  /// - Parameters:
  ///   - bytes: the decompressed archive.
  ///   - name: the name of the version, which the archive doesn't contain.
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
  package let model: Model
  /// Notes about parts of the archive that `Model` can't represent. None is an error.
  package let diagnostics: [Diagnostic]
}

/// The reason if an archive isn't a model.
package struct CompiledModelError: Error, Hashable, Sendable {
  package var fault: KeyedArchiveError
  /// The name of the version.
  package var model: String
}

extension CompiledModelError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(
      .error, "model.compiled-damaged",
      "the compiled model '\(model)' can't be read: \(fault.reason)")
    return [
      diagnostic.helping(
        "see whether the file is whole, or use the model that it was compiled from")
    ]
  }
}
