import Foundation
import StoreImport
import StoreLayout
import StoreModel
import StorePredicate
import SQLiteAccess
import StoreTestSupport

/// A slow check of the model's rules, independent of the program: it reads all objects as `export` writes them, and
/// checks them one by one.
struct SlowModelCheck {
  private let model: DataModel
  private var objects: [[String: Any]] = []
  private(set) var faults: [String] = []

  init(_ store: GraphStore, _ model: DataModel) throws {
    self.model = model
    objects = try store.exported().split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    for object in objects { check(object) }
    for entity in model.entities {
      for constraint in entity.uniquenessConstraints { check(constraint, of: entity) }
    }
  }

  func count(_ entity: String) -> Int { objects.count { $0["$entity"] as? String == entity } }

  private mutating func check(_ object: [String: Any]) {
    guard let name = object["$entity"] as? String, let entity = model.entity(named: name) else {
      return faults.append("an object without a valid entity: \(object)")
    }
    for attribute in model.attributes(of: entity) {
      let value = object[attribute.name]
      let isNull = value == nil || value is NSNull
      if isNull, !attribute.isOptional { faults.append("\(name).\(attribute.name) is missing") }
      if let value, !isNull, !isAllowed(value, attribute) {
        faults.append("\(name).\(attribute.name) = \(value)")
      }
    }
    for relationship in model.relationships(of: entity) {
      let value = object[relationship.name]
      guard relationship.isToMany else {
        if !relationship.isOptional, value == nil || value is NSNull {
          faults.append("\(name).\(relationship.name) leads nowhere")
        }
        continue
      }
      let count = (value as? [Any])?.count ?? 0
      if relationship.isOptional, count == 0 { continue }
      let least = max(relationship.minimumCount ?? 0, 1)
      let most = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil } ?? .max
      if !(least...max(least, most)).contains(count) {
        faults.append("\(name).\(relationship.name) has \(count) members, not \(least)...\(most)")
      }
    }
  }

  private func isAllowed(_ value: Any, _ attribute: AttributeDescription) -> Bool {
    let validation = attribute.validation
    if attribute.type == .string, let text = value as? String {
      let length = text.utf16.count
      if case .integer(let least)? = validation.minimum, length < least { return false }
      if case .integer(let most)? = validation.maximum, length > most { return false }
      guard let pattern = validation.pattern else { return true }
      return text.range(of: "\\A(?:\(pattern))\\z", options: .regularExpression) != nil
    }
    guard let number = number(value, attribute.type) else { return true }
    if let least = bound(validation.minimum), number < least { return false }
    if let most = bound(validation.maximum), number > most { return false }
    return true
  }

  private func number(_ value: Any, _ type: AttributeType) -> Double? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal:
      (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
    case .date: (value as? String).flatMap { ISODate.seconds($0) }
    default: nil
    }
  }

  private func bound(_ value: DataValue?) -> Double? {
    switch value {
    case .integer(let number)?: Double(number)
    case .double(let number)?, .date(let number)?: number
    default: nil
    }
  }

  /// No two rows of the entity and of its sub-entities have the same values. NULL values are never equal.
  private mutating func check(_ constraint: [String], of entity: EntityDescription) {
    let kinds = Set(model.subtree(of: entity).map(\.name))
    var seen: Set<[String]> = []
    for object in objects where kinds.contains(object["$entity"] as? String ?? "") {
      let values = constraint.compactMap { name -> String? in
        guard let value = object[name], !(value is NSNull) else { return nil }
        return "\(value)"
      }
      guard values.count == constraint.count else { continue }
      if !seen.insert(values).inserted {
        faults.append("\(entity.name) by \(constraint): \(values) is there twice")
      }
    }
  }
}
