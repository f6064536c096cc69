import StoreDiagnostics

/// The versions of a model as values of the program.
struct ModelList: VersionSource {
  let names: [String]
  let currentName: String?
  private let models: ExactDictionary<Model>

  /// - Parameter current: nil for the last one.
  init(_ models: [Model], current: String?) {
    self.models = ExactDictionary(
      models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<ExactText> = []
    names = models.map(\.name).filter { seen.insert(ExactText($0)).inserted }
    currentName = current ?? names.last
  }

  var name: String { currentName ?? "" }
  var place: String { name }

  /// That of the program.
  func order(by migrations: [VersionJump]) -> VersionOrder { VersionOrder(names) }

  func isReadable(_ name: String) -> Bool { models[name] != nil }

  func requireCurrentName() throws -> String { try requireName(currentName ?? "") }

  func requireName(_ text: String) throws -> String { try model(of: text).name }

  func model(of name: String) throws -> Model {
    guard let model = models[name] else {
      throw ModelLookupError.unknownVersion(name, known: names)
    }
    return model
  }
}
