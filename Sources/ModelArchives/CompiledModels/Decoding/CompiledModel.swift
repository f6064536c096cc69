package import StoreDiagnostics
package import StoreModel

/// Xcode's compiled form of one model version: the archive that a `.mom` or a store holds.
package enum CompiledModel {
  /// The code of the warning about a part that is left out.
  package static let omissionCode = "model.compiled-part"

  /// - Parameters:
  ///   - bytes: the archive, decompressed.
  ///   - name: the version's name, which the archive does not hold.
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

/// A model out of an archive.
package struct CompiledModelReading: Sendable {
  package let model: Model
  /// What the archive holds and `Model` has no place for; none is an error.
  package let diagnostics: [Diagnostic]
}

/// Why an archive is not taken for a model.
package struct CompiledModelError: Error, Hashable, Sendable {
  package var fault: KeyedArchiveError
  /// The version's name.
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
