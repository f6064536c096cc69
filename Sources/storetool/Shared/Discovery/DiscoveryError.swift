import StoreDiagnostics

/// The reason why the model or the store of a command is ambiguous or missing.
enum DiscoveryError: Error, Hashable {
  case noModel
  case noStore
  case noStoreIn(LocalPath)
  case severalModels([LocalPath], in: LocalPath?)
  case severalStores([LocalPath])
  /// A store is specified instead of the name of an entity or a template.
  case storeForName(Subject)
  /// Several models contain the version that wrote the store.
  case severalModelsFit(store: LocalPath, [LocalPath])
  case noModelHasVersion(String, known: [String])
  /// No store has a model with the entity or template that the command specifies.
  case noStoreHas(Subject, known: [String])
  /// Several stores have a model with the entity or template that the command specifies.
  case severalStoresHave(Subject, [LocalPath])
}

/// The entity or template that a command specifies. If there are several stores, the command uses the store whose model
/// contains the subject.
enum Subject: Hashable {
  case entity(String)
  case template(String)

  var description: String {
    switch self {
    case .entity(let name): "entity '\(name)'"
    case .template(let name): "fetch-request template '\(name)'"
    }
  }

  var name: String {
    switch self {
    case .entity(let name), .template(let name): name
    }
  }

  /// A phrase for messages: "name of an entity".
  var noun: String {
    switch self {
    case .entity: "name of an entity"
    case .template: "name of a template"
    }
  }

  var code: String {
    switch self {
    case .entity: "model.unknown-entity"
    case .template: "model.unknown-template"
    }
  }
}

extension DiscoveryError: DiagnosableError {
  var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noModel:
      DiagnosticMessage(
        .error, "model.none",
        "no model specified, and no model found in Models/ or elsewhere below the working directory",
        cause: .notFound,
        help: ["specify one: --model App.xcdatamodeld, or set STORETOOL_MODEL"])
    case .noStore:
      DiagnosticMessage(
        .error, "store.none", "no store specified, and no store found in the working directory",
        cause: .notFound,
        help: [
          "specify one: --store App.sqlite, or set STORETOOL_STORE", .store(.create(path: nil)),
        ])
    case .noStoreIn(let folder):
      DiagnosticMessage(
        .error, "store.none", "there is no Core Data store in the folder '\(folder)'",
        cause: .notFound,
        help: ["stores have the extensions \(StoreAtHand.suffixes.joined(separator: " "))"])
    case .storeForName(let subject):
      DiagnosticMessage(
        .error, "usage", "'\(subject.name)' is a store, but the \(subject.noun) is expected here",
        cause: .usage, help: ["specify the store by an option: --store '\(subject.name)'"])
    case .severalModels(let paths, let folder):
      Self.choice("model.several", "there are several models", "--model", paths, insteadOf: folder)
    case .severalStores(let paths):
      Self.choice("store.several", "there are several stores", "--store", paths)
    case .severalModelsFit(let store, let paths):
      Self.choice(
        "model.several-fit", "several models contain the version that wrote '\(store)'", "--model",
        paths)
    case .severalStoresHave(let subject, let paths):
      Self.choice(
        "store.several", "several stores have the \(subject.description)", "--store", paths)
    case .noModelHasVersion(let version, let known):
      DiagnosticMessage(
        .error, "model.unknown-version", "no available model has a version '\(version)'",
        cause: .notFound
      ).didYouMean(version, among: known)
    case .noStoreHas(let subject, let known):
      DiagnosticMessage(
        .error, subject.code, "no store here has the \(subject.description)", cause: .notFound
      ).didYouMean(subject.name, among: known)
    }
  }

  private static func choice(
    _ code: String, _ message: String, _ option: String, _ paths: [LocalPath],
    insteadOf folder: LocalPath? = nil
  ) -> DiagnosticMessage {
    DiagnosticMessage(
      .error, code, message, cause: .usage,
      help: paths.map { path in
        if let folder {
          "specify '\(path)' instead of '\(folder)'"
        } else {
          "choose: \(option) '\(path)'"
        }
      })
  }
}
