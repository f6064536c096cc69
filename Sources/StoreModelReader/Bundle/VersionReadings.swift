import StoreDiagnostics
public import StoreModel
import Synchronization

/// The versions of one bundle. Each version is read at most once, when it is first requested.
package final class VersionReadings: Sendable {
  package let bundle: ModelBundle
  private let read: @Sendable (ModelVersion) throws -> ModelReading
  private let readings = Mutex<[ModelVersion: Result<ModelReading, any Error>]>([:])

  /// - Parameter read: Reads the file of a version.
  package init(
    of bundle: ModelBundle,
    read: @escaping @Sendable (ModelVersion) throws -> ModelReading = { try $0.read() }
  ) {
    self.bundle = bundle
    self.read = read
  }

  /// Returns the model of a version with its warnings. The first call for a version reads its file.
  ///
  /// - Throws: The error of reading the file. Later calls throw the same error.
  package func reading(of version: ModelVersion) throws -> ModelReading {
    try readings.withLock { readings in
      if let known = readings[version] { return known }
      let reading = Result { try read(version) }
      readings[version] = reading
      return reading
    }.get()
  }
}

extension VersionReadings: VersionSource {
  package var name: String { bundle.name }
  package var place: String { "\(bundle.path)" }
  package var names: [String] { bundle.versions.map(\.name) }
  package var currentName: String? { bundle.currentVersion?.name }

  package func order(by migrations: [VersionJump]) -> VersionOrder {
    bundle.order(by: migrations)
  }

  package func isReadable(_ name: String) -> Bool {
    bundle.versions.contains { $0.name.isExactly(name) && $0.isReadable }
  }

  package func requireCurrentName() throws -> String { try bundle.requireCurrentVersion().name }

  package func requireName(_ text: String) throws -> String {
    try bundle.version(named: text).name
  }

  package func model(of name: String) throws -> DataModel {
    try reading(of: bundle.version(named: name)).model
  }
}

extension ModelVersions {
  /// Finds the versions of a bundle, and the migration definitions and mapping models in a folder. Each version is read
  /// at most once, when it is first requested.
  ///
  ///     let versions = try ModelVersions(at: "Models/Shop.xcdatamodeld")
  ///
  /// - Parameters:
  ///   - path: The path of a source or compiled bundle, of a model file, or of a folder that contains one model.
  ///   - migrations: The folder that contains files such as `Shop/Shop 2--Shop 3.xml`. If it is nil, the folder
  ///     `Migrations` beside the folder that contains the bundle is used, or in the working directory if it contains
  ///     the bundle.
  /// - Throws: `ModelBundleError` if no model or several models are found; a `DiagnosableError` if the folder of the
  ///   migrations can't be read.
  public init(at path: String, migrations: String? = nil) throws {
    let bundle = try ModelBundle(at: path)
    self.init(
      VersionReadings(of: bundle),
      try DefinitionFolder.find(
        of: bundle, in: migrations.map { LocalPath($0) } ?? bundle.defaultMigrationsFolder))
  }
}
