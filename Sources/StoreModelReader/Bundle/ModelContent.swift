package import StoreDiagnostics
import StoreModel

/// The XML of a model that isn't in the file system, such as a model in a revision of Git. Only identical instances are
/// equal.
package final class ModelContent: Hashable, Sendable {
  let bytes: @Sendable () throws -> [UInt8]

  /// - Parameter bytes: Returns the bytes. It is called each time that the model is read.
  package init(_ bytes: @escaping @Sendable () throws -> [UInt8]) { self.bytes = bytes }

  package static func == (one: ModelContent, other: ModelContent) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ModelBundle {
  /// Creates a bundle of files that aren't in the file system.
  ///
  /// - Parameters:
  ///   - path: The path of the bundle, or of the only model.
  ///   - place: The prefix of all paths, such as `main:` for the Git branch `main`.
  ///   - files: The files by their path in the bundle, such as `App 2.xcdatamodel/contents`. For a single model, the
  ///     only file has an empty path.
  ///   - declaration: Returns the content of `.xccurrentversion`. It is called only if there are several versions.
  /// - Returns: nil if none of the paths leads to a version's file.
  /// - Throws: `ModelBundleError.twinVersions`, `ModelBundleError.sameVersions`, or the error of `declaration`.
  package init?(
    at path: LocalPath, in place: String, files: [LocalPath: ModelContent],
    declaration: (() throws -> [UInt8])? = nil
  ) throws {
    let whole: LocalPath = "\(place)\(path)"
    if let only = files[""] {
      var name = ModelPath.stem(of: path, without: ["xml", ModelPath.versionExtension])
      if name == ModelPath.contents {
        name = ModelPath.stem(
          of: ModelPath.folder(of: path), without: [ModelPath.versionExtension])
      }
      self.init(only: ModelVersion(name: name, path: whole, form: .content(only)))
      return
    }
    let versions = Self.versions(among: files, of: whole)
    guard !versions.isEmpty else { return nil }
    try Self.requireNames(of: versions, at: whole)
    var current = versions.count == 1 ? Current.only(versions[0]) : .undeclared
    if versions.count > 1, let declaration {
      current = Self.current(
        of: versions, by: .xcode, in: try declaration(),
        file: whole.appending(LocalPath(Declaration.xcode.rawValue)))
    }
    self.init(
      path: whole, name: ModelPath.stem(of: path, without: ModelPath.bundleExtensions),
      versions: versions, current: current)
  }

  private static func versions(
    among files: [LocalPath: ModelContent], of path: LocalPath
  ) -> [ModelVersion] {
    var found: [LocalPath: ModelVersion] = [:]
    for (file, content) in files {
      let parts = file.components
      guard let folder = parts.first,
        ModelPath.pathExtension(of: folder) == ModelPath.versionExtension
      else { continue }
      let name = ModelPath.stem(of: folder, without: [ModelPath.versionExtension])
      let whole = path.appending(file)
      if parts.count == 1 || parts.dropFirst() == [LocalPath(ModelPath.contents)] {
        found[folder] = ModelVersion(name: name, path: whole, form: .content(content))
      } else if parts.dropFirst() == [LocalPath(ModelPath.xcode3Elements)], found[folder] == nil {
        found[folder] = ModelVersion(name: name, path: path.appending(folder), form: .xcode3)
      }
    }
    return found.values.sorted { NaturalOrder.isLess($0.name, $1.name) }
  }
}
