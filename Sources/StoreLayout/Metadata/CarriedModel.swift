import ModelArchives
package import SQLiteAccess
package import StoreDiagnostics
package import StoreModel

/// The compiled model in a store, checked against the hashes in the store's metadata.
package enum CarriedModel {
  case none
  case usable(Version)
  case unusable(because: String)

  package struct Version {
    package let model: DataModel
    /// The configuration of the store, or nil for the whole model.
    package let configuration: String?
    /// Warnings about the archive.
    package let diagnostics: [DiagnosticMessage]
  }

  /// Reads the model in a store.
  ///
  /// - Parameters:
  ///   - hashes: the hashes in the store's metadata.
  ///   - name: the name of the model, which an archive doesn't contain.
  /// - Throws: `DatabaseError`
  package init(
    in connection: Connection, hashes: [String: [UInt8]], name: String
  ) throws(DatabaseError) {
    guard let cache = try connection.modelCache() else {
      self = .none
      return
    }
    let archive: [UInt8]
    do throws(ModelCacheError) {
      archive = try ModelCache.decompressed(cache)
    } catch {
      self = .unusable(because: error.reason)
      return
    }
    do throws(CompiledModelError) {
      let reading = try CompiledModel.decode(archive, name: name)
      let candidates = VersionCandidate.all(of: reading.model)
      guard let fitting = candidates.first(where: { $0.fits(hashes) }) else {
        self = .unusable(
          because: hashes.isEmpty
            ? "the store's version hashes are missing or can't be read"
            : "its version hashes differ from the store's")
        return
      }
      self = .usable(
        Version(
          model: reading.model, configuration: fitting.configuration,
          diagnostics: reading.diagnostics))
    } catch {
      self = .unusable(because: error.diagnostics[0].message)
    }
  }

  /// The reason why the model can't be used, or nil.
  package var fault: String? {
    if case .unusable(let reason) = self { reason } else { nil }
  }

  /// Returns the warning about a model that can't be used.
  ///
  /// - Parameter fault: the reason why the model can't be used.
  package static func warning(of fault: String) -> DiagnosticMessage {
    DiagnosticMessage(
      .warning, "model.carried-unusable",
      "the model in the store can't be used: \(fault)")
  }
}
