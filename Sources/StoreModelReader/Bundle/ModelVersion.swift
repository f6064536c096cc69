public import StoreDiagnostics
package import StoreModel

/// One version of a model, which is read on demand.
public struct ModelVersion: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case xml
    /// A keyed archive that was written by Xcode's model compiler.
    case compiled
    /// A model that isn't in its own file, such as the model in a store.
    case value(ModelValue)
    /// XML that isn't in the file system.
    case content(ModelContent)
    /// The binary `elements` file of Xcode 3.
    case xcode3
    /// A version folder without a model file.
    case empty
  }

  /// The name of the version, such as `Todo 2` for `Todo 2.xcdatamodel`.
  public let name: String
  /// The path of the model's file, such as `contents` or a `.mom`. For a version folder without a readable file, it is
  /// the path of the folder. For a model from a store, it is the path of the store.
  public let path: LocalPath
  package let form: Form

  public static func == (left: ModelVersion, right: ModelVersion) -> Bool {
    left.name.isExactly(right.name) && left.path == right.path && left.form == right.form
  }

  /// Whether `read()` supports the form.
  package var isReadable: Bool {
    switch form {
    case .xml, .compiled, .value, .content: true
    case .xcode3, .empty: false
    }
  }

  /// Reads and parses the file. Each call parses it again.
  ///
  /// - Returns: The model with warnings.
  /// - Throws: `ModelBundleError` if the file can't be read, `DiagnosticError` with all errors of an invalid model, or
  ///   another `DiagnosableError` if the XML or archive is malformed.
  public func read() throws -> ModelReading {
    switch form {
    case .xml: return try read(xml: ModelPath.bytes(of: path))
    case .content(let content): return try read(xml: content.bytes())
    case .compiled:
      return try ModelReading.read(compiled: ModelPath.bytes(of: path), of: path, name: name)
    case .value(let value): return value.reading
    case .xcode3: throw ModelBundleError.xcode3(version: name, path: path)
    case .empty: throw ModelBundleError.noContents(version: name, path: path)
    }
  }

  /// Returns the content of the file, even if it isn't a model. Returns nil for a model from a store and for a version
  /// folder without a readable file.
  ///
  /// - Throws: `ModelBundleError` if the file can't be read, or the error of the function that returns the content.
  package func rawBytes() throws -> [UInt8]? {
    switch form {
    case .xml, .compiled: try ModelPath.bytes(of: path)
    case .content(let content): try content.bytes()
    case .value, .xcode3, .empty: nil
    }
  }

  private func read(xml bytes: [UInt8]) throws -> ModelReading {
    if bytes.starts(with: "bplist00".utf8) {
      throw ModelBundleError.xcode3(version: name, path: path)
    }
    return try ModelReading.read(XMLSource(file: "\(path)", bytes: bytes), name: name)
  }
}

/// A model that wasn't read from its own file, such as the model in a store. Only identical instances are equal.
package final class ModelValue: Hashable, Sendable {
  let reading: ModelReading

  init(_ reading: ModelReading) { self.reading = reading }

  package static func == (one: ModelValue, other: ModelValue) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ModelBundle {
  /// Creates a bundle whose only version is `model`.
  ///
  /// - Parameters:
  ///   - path: The path of the file that contains the model.
  ///   - diagnostics: The warnings about the model.
  ///   - doubts: The uncertain parts of the model.
  package init(
    of model: DataModel, from path: LocalPath, _ diagnostics: [DiagnosticMessage] = [],
    doubts: [ModelReading.Doubt] = []
  ) {
    let reading = ModelReading(model: model, diagnostics: diagnostics, xml: nil, doubts: doubts)
    self.init(
      only: ModelVersion(name: model.name, path: path, form: .value(ModelValue(reading))))
  }

  /// Creates a bundle with one version, which has the version's path and name.
  init(only version: ModelVersion) {
    self.init(
      path: version.path, name: version.name, versions: [version], current: .only(version))
  }
}
