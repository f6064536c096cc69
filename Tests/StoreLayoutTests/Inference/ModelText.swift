import StoreModel

extension DataModel {
  /// Lines for each entity and property.
  var lines: [String] { entities.flatMap(\.lines) }
}

extension EntityDescription {
  fileprivate var lines: [String] {
    var lines = [parent.map { "\(name): \($0)" } ?? name]
    lines += attributes.map { "  \($0.name) \($0.type.name)" }
    lines += relationships.map { "  \($0.line)" }
    lines += uniquenessConstraints.map { "  unique \($0.joined(separator: ", "))" }
    lines += indexes.map { "  index \($0.name)" }
    return lines
  }
}

extension RelationshipDescription {
  fileprivate var line: String {
    let kind = isOrdered ? " [ordered]" : isToMany ? " []" : ""
    let back = inverse.map { " <-> \($0)" } ?? ""
    return "\(name) -> \(destination)\(kind)\(back)"
  }
}
