import ModelArchives
package import SQLiteAccess
package import StoreDiagnostics
package import StoreModel

/// The compiled model that a store carries, checked against the hashes in its metadata.
package enum CarriedModel {
  case none
  case usable(Version)
  case unusable(because: String)

  package struct Version {
    package let model: Model
    /// The one that the store was written through; nil for all of the model.
    package let configuration: String?
    /// Warnings about what the archive holds.
    package let diagnostics: [Diagnostic]
  }

  /// - Parameters:
  ///   - hashes: those in the store's metadata.
  ///   - name: what the model is called: an archive does not say.
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
        self = .unusable(because: "its version hashes are not the store's")
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

  /// Why it is of no use, where there is one.
  package var fault: String? {
    if case .unusable(let reason) = self { reason } else { nil }
  }

  /// - Parameter fault: why it is of no use.
  package static func warning(of fault: String) -> Diagnostic {
    Diagnostic(
      .warning, "model.carried-unusable",
      "the model that the store carries can't be used: \(fault)")
  }
}
