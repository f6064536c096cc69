public import StoreDiagnostics
package import StoreModel

/// One version of a model, not read yet.
public struct ModelVersion: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case xml
    /// A keyed archive, as Xcode's compiler writes it.
    case compiled
    /// One that is in no file of its own, as a store carries it.
    case value(ModelValue)
    /// XML that lies in no folder.
    case content(ModelContent)
    /// The binary `elements` file of Xcode 3.
    case xcode3
    /// A version folder without any model file.
    case empty
  }

  /// `Todo 2` for `Todo 2.xcdatamodel`.
  public let name: String
  /// The `contents` file or the `.mom`; for the forms that can't be read, the version's folder.
  public let path: FilePath
  package let form: Form

  public static func == (left: ModelVersion, right: ModelVersion) -> Bool {
    left.name.isExactly(right.name) && left.path == right.path && left.form == right.form
  }

  /// Whether `read()` knows the form.
  package var isReadable: Bool {
    switch form {
    case .xml, .compiled, .value, .content: true
    case .xcode3, .empty: false
    }
  }

  /// Parses the file, each time that it is asked.
  ///
  /// - Throws: a `DiagnosableError`: `ModelBundleError` when there is no XML to read,
  ///   `DiagnosticError` with all mistakes of a model that is not valid, another one for XML
  ///   or an archive that is broken.
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

  /// What the version's file holds, a model or not; nil for the forms that are in no file.
  ///
  /// - Throws: `ModelBundleError`
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

/// A model that has been read from somewhere else than a file of its own. Two are equal when they are one.
package final class ModelValue: Hashable, Sendable {
  let reading: ModelReading

  init(_ reading: ModelReading) { self.reading = reading }

  package static func == (one: ModelValue, other: ModelValue) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ModelBundle {
  /// A bundle of one version.
  ///
  /// - Parameters:
  ///   - path: what the model has been read from.
  ///   - diagnostics: warnings on the way.
  package init(
    of model: Model, from path: FilePath, _ diagnostics: [Diagnostic] = [],
    doubts: [ModelReading.Doubt] = []
  ) {
    let reading = ModelReading(model: model, diagnostics: diagnostics, xml: nil, doubts: doubts)
    let version = ModelVersion(name: model.name, path: path, form: .value(ModelValue(reading)))
    self.init(path: path, name: model.name, versions: [version], current: .only(version))
  }
}
