import StoreDiagnostics
public import StoreModel
import StorePredicate

/// The losses that a migration may cause.
///
///     .values(of: ShopV1.Item.self, \.note, \.price) + .rows(of: ShopV1.Draft.self)
public enum AllowedLosses: Hashable, Sendable {
  /// Allows all losses.
  case all
  /// Allows the losses with these names: `Item` for rows, `Item.note` for values or pairs of the old version.
  case some([String])

  /// Doesn't allow any losses.
  public static let none = AllowedLosses.some([])

  /// Parses `all`, or names that are separated by commas.
  package init(_ text: String) {
    let names = text.split(separator: ",").map { $0.trimmingSpaces() }
    self = names == ["all"] ? .all : .some(names)
  }

  /// The names of the allowed losses; empty for `all` and `none`.
  var names: [String] {
    if case .some(let names) = self { names } else { [] }
  }

  package func allow(_ loss: String) -> Bool {
    switch self {
    case .all: true
    case .some(let names): names.contains(loss)
    }
  }
}

extension AllowedLosses {
  /// Returns the permission to drop all rows of an entity of the old version.
  ///
  /// - Parameter type: the type of the rows in the old version.
  public static func rows<Object: StoredObject>(of type: Object.Type) -> AllowedLosses {
    .some([Object.entityName])
  }

  /// Returns the permission to drop values of attributes and to-one relationships of the old version.
  ///
  /// - Parameters:
  ///   - type: the type of the rows in the old version.
  ///   - paths: the key paths of the properties.
  public static func values<Object: StoredObject, each T: TypedTerm>(
    of type: Object.Type, _ paths: repeat KeyPath<Object.Properties, each T>
  ) -> AllowedLosses {
    var names: [String] = []
    repeat names.append("\(Object.entityName).\((each paths).term.propertyName)")
    return .some(names)
  }

  /// Returns the permission to drop the pairs of a to-many relationship of the old version.
  ///
  /// - Parameters:
  ///   - type: the type of the rows in the old version.
  ///   - path: the key path of the relationship.
  public static func members<Object: StoredObject, Member: StoredObject>(
    of type: Object.Type, _ path: KeyPath<Object.Properties, ToManyPath<Object, Member>>
  ) -> AllowedLosses {
    .some(["\(Object.entityName).\(Object.Properties()[keyPath: path].keys.name)"])
  }

  /// Returns the losses that `first` or `second` allows.
  public static func + (first: AllowedLosses, second: AllowedLosses) -> AllowedLosses {
    switch (first, second) {
    case (.some(let one), .some(let other)): .some(one + other)
    case (.all, _), (_, .all): .all
    }
  }
}

extension DataModel {
  /// The names of all possible losses of the version, such as `Item` and `Item.note`.
  package var lossNames: Set<String> {
    var names = Set(entities.map(\.name))
    for entity in entities {
      let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      names.formUnion(properties.map { "\(entity.name).\($0)" })
    }
    return names
  }

  /// Returns the name of a loss with the entity that declares the property, instead of an entity that inherits it.
  /// Returns nil if the model doesn't have the property.
  func declaringName(of loss: String) -> String? {
    let parts = loss.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let entity = entity(named: parts[0]),
      let owner = property(named: parts[1], of: entity)?.declaredBy
    else { return nil }
    return "\(owner.name).\(parts[1])"
  }
}

extension TypedTerm {
  /// The name of the property in a loss. For a computed value, this is the text of the expression, which isn't a valid
  /// name.
  fileprivate var propertyName: String {
    guard case .keyPath(_, let steps) = expression.kind else { return expression.description }
    let keys = steps.compactMap { if case .key(let name) = $0.kind { name } else { nil } }
    return keys.joined(separator: ".")
  }
}
