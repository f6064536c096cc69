package import StoreDiagnostics
package import StoreCore
package import StoreLayout
import StoreModel

/// The source of a migration: a version of the model, or the model that the store itself contains.
package struct SourceVersion: Sendable {
  /// The name of the version that wrote the store.
  package let name: String
  /// The name of the configuration with which the store was written; nil for the whole model.
  package let configuration: String?
  /// All versions, including the source.
  package let versions: HashedVersions
  /// Whether the source is the model that the store itself contains.
  package let isCarried: Bool
  /// Notes for the user about the use of the store's own model.
  package let notes: [DiagnosticMessage]

  /// - Parameter name: the name of the version that wrote the store.
  package init(_ name: String, configuration: String?, in versions: HashedVersions) {
    self.name = name
    self.configuration = configuration
    self.versions = versions
    isCarried = false
    notes = []
  }

  /// Determines the version that wrote a store, or uses the model that the store contains.
  ///
  /// - Parameter takesNewer: whether the store's own model may be newer than the versions.
  /// - Throws: `UnknownVersion` with the differences, and errors of reading a version.
  package init(of store: Store, in versions: HashedVersions, takesNewer: Bool) throws {
    var matcher = VersionMatcher(hashes: store.metadata.hashes)
    if let found = try matcher.match(in: versions) {
      self.init(found.name, configuration: found.configuration, in: versions)
    } else {
      try self.init(
        carriedBy: store, beside: versions, because: UnknownVersion(store, matcher),
        takesNewer: takesNewer)
    }
  }

  /// Adds the model that a store contains to the versions.
  ///
  /// - Parameters:
  ///   - error: the error that is thrown if the store's own model can't be used.
  ///   - takesNewer: whether the store's own model may be newer than the versions. If it may, an older set of versions
  ///     can migrate a newer store back.
  package init(
    carriedBy store: Store, beside versions: HashedVersions, because error: UnknownVersion,
    takesNewer: Bool
  ) throws {
    guard error.verdict == .different || takesNewer && error.verdict == .newer else { throw error }
    switch try store.carriedModel() {
    case .none: throw error
    case .unusable(let fault): throw error.adding(CarriedModel.warning(of: fault))
    case .usable(let carried):
      let added = AddedVersion(carried.model, to: versions.source)
      name = added.addedName
      configuration = carried.configuration
      self.versions = HashedVersions(added)
      isCarried = true
      notes = [
        DiagnosticMessage(
          .note, "model.carried",
          "no version of '\(versions.source.place)' has the store's version hashes, so the model in the store "
            + "is used as the old version"
        )
      ]
    }
  }
}

/// The versions of a model and an additional version.
private struct AddedVersion: VersionSource {
  let addedName: String
  private let added: DataModel
  private let base: any VersionSource

  init(_ added: DataModel, to base: any VersionSource) {
    self.added = added
    self.base = base
    let taken = Set(base.names)
    var number = 1
    func name() -> String { number == 1 ? "carried" : "carried \(number)" }
    while taken.contains(name()) { number += 1 }
    addedName = name()
  }

  var name: String { base.name }
  var place: String { base.place }
  var names: [String] { [addedName] + base.names }
  var currentName: String? { base.currentName }

  func order(by migrations: [VersionJump]) -> VersionOrder {
    VersionOrder([addedName] + base.order(by: migrations).names)
  }

  func isReadable(_ name: String) -> Bool { name == addedName || base.isReadable(name) }

  func requireCurrentName() throws -> String { try base.requireCurrentName() }

  func requireName(_ text: String) throws -> String {
    text == addedName ? text : try base.requireName(text)
  }

  func model(of name: String) throws -> DataModel {
    name == addedName ? added : try base.model(of: name)
  }
}
