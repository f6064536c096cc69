package import StoreDiagnostics
package import StoreModel

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
