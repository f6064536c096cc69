import Foundation
import StoreModel
import StoreTestSupport

/// A slow and simple comparison of two stores: both are exported, with all objects in memory and all values as JSON.
struct ComparisonOracle {
  typealias Object = [String: Any]

  /// The attributes that identify the rows of an entity. Nil if object IDs identify them.
  let key: (String) -> [String]?
  private let model: DataModel

  init(_ model: DataModel, key: @escaping (String) -> [String]? = { _ in nil }) {
    self.model = model
    self.key = key
  }

  /// Returns lines such as `changed Thing …: flag, owner`, one for each row that differs, sorted.
  func differences(_ old: GraphStore, _ new: GraphStore) throws -> [String] {
    let sides = (try objects(in: old, "old"), try objects(in: new, "new"))
    var lines: [String] = []
    for (identity, object) in sides.0.byIdentity {
      guard let other = sides.1.byIdentity[identity] else {
        lines.append("removed \(identity)")
        continue
      }
      let names = Set(object.keys).intersection(other.keys).filter { !$0.hasPrefix("$") }
      let changed = names.filter { name in
        value(name, of: object, sides.0) != value(name, of: other, sides.1)
      }
      if !changed.isEmpty {
        lines.append("changed \(identity): \(changed.sorted().joined(separator: ", "))")
      }
    }
    for identity in sides.1.byIdentity.keys where sides.0.byIdentity[identity] == nil {
      lines.append("added \(identity)")
    }
    return lines.sorted()
  }

  private struct Side {
    var byIdentity: [String: Object] = [:]
    var identities: [String: String] = [:]
  }

  private func objects(in store: GraphStore, _ name: String) throws -> Side {
    var side = Side()
    for line in try store.exported().split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object ?? [:]
      let id = Self.shortID(object["$id"] as? String ?? "")
      let identity = self.identity(of: object, id, name)
      side.byIdentity[identity] = object
      side.identities[id] = identity
    }
    return side
  }

  /// Returns `Thing/p7` for `x-coredata://STORE/Thing/p7`.
  static func shortID(_ uri: String) -> String {
    uri.split(separator: "/").suffix(2).joined(separator: "/")
  }

  func identity(of object: Object, _ id: String, _ side: String) -> String {
    let entity = object["$entity"] as? String ?? ""
    guard let key = key(entity) else { return id }
    let values = key.map { object[$0] ?? NSNull() }
    // A row without a key doesn't match a row of the other store.
    guard !values.contains(where: { $0 is NSNull }) else { return "\(id) of the \(side) store" }
    return "\(entity) \(values)"
  }

  /// Returns a value as text. For a relationship, these are the names of its partners, in their order if the
  /// relationship is ordered.
  private func value(_ name: String, of object: Object, _ side: Side) -> String {
    let value = object[name] ?? NSNull()
    guard let relationship = relationship(name, of: object) else { return "\(value)" }
    func partner(_ id: String) -> String {
      let short = Self.shortID(id)
      // An object ID can be compared even if its row is missing. The key of a missing row is only a number.
      if key(String(short.prefix { $0 != "/" })) == nil { return short }
      return side.identities[short] ?? "no row \(short.drop { $0 != "/" })"
    }
    guard let members = value as? [String] else {
      return (value as? String).map(partner) ?? "none"
    }
    let identities = members.map(partner)
    return "\(relationship.isOrdered ? identities : identities.sorted())"
  }

  private func relationship(_ name: String, of object: Object) -> RelationshipDescription? {
    let entity = (object["$entity"] as? String).flatMap { model.entity(named: $0) }
    return entity.flatMap { model.relationships(of: $0).first { $0.name == name } }
  }
}
