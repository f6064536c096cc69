import StoreDiagnostics
public import StoreModel

extension ModelVersions {
  /// The versions of a bundle, and the definitions and mapping models in a folder. Each version is read when it is
  /// first needed, and once.
  ///
  ///     let versions = try ModelVersions(at: "Models/Shop.xcdatamodeld")
  ///
  /// - Parameters:
  ///   - path: a bundle, XML or compiled.
  ///   - migrations: the folder that holds `Shop/Shop 2--Shop 3.xml`; nil for `Migrations` beside the folder of the
  ///     bundle.
  /// - Throws: `ModelBundleError` where there is no bundle, or more than one; a `DiagnosableError` where the folder
  ///   can't be read.
  public init(at path: String, migrations: String? = nil) throws {
    let bundle = try ModelBundle(at: path)
    self.init(
      VersionReadings(of: bundle),
      try DefinitionFolder.find(
        of: bundle, in: migrations.map { FilePath($0) } ?? bundle.defaultMigrationsFolder))
  }
}
