import StoreModel

/// The class that a model names for an entity's objects.
struct ObjectClass: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// `Item`: found at run time by its name for Objective-C.
    case plain
    /// `.Item`, `Shop.Item`: of a Swift module, under the name that Swift gives it.
    case module
    /// The model names none.
    case assumed
    /// `NSManagedObject` itself.
    case none
  }

  /// Without a module.
  var name: String
  var source: Source

  init(of entity: Entity) {
    let written = entity.className ?? ""
    let name = written.split(separator: ".").last.map(String.init) ?? ""
    if name.isEmpty {
      self.init(name: entity.name, source: .assumed)
    } else if written == Self.base {
      self.init(name: entity.name, source: .none)
    } else {
      self.init(name: name, source: written == name ? .plain : .module)
    }
  }

  private init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  static let base = "NSManagedObject"
}
