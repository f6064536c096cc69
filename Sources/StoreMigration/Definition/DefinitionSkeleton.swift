import StoreLayout
import StoreModel

/// A generated definition, which its author completes. It contains the elements that the migration requires, and
/// optional elements as comments. Without changes, it is a valid definition.
package struct DefinitionSkeleton {
  private let pairing: ModelPairing
  private let inferred: ModelMapping
  /// The errors that a migration without a definition would or might cause.
  private let problems: [MappingError]
  private let resemblance: Resemblance

  package init(_ pairing: ModelPairing) {
    self.pairing = pairing
    inferred = MappingInference.infer(pairing)
    problems = inferred.obstacles + inferred.risks
    resemblance = Resemblance(pairing: pairing)
  }

  private var source: DataModel { pairing.source }
  private var target: DataModel { pairing.target }

  /// The XML of the file.
  package var text: String {
    var writer = SkeletonWriter(from: source.name, to: target.name)
    for pair in pairing.entities { writer.write(pair.target, lines(for: pair)) }
    let renamed = pairing.addedEntities.compactMap { resemblance.source(of: $0) }
    let removed = pairing.removedEntities.filter { !renamed.contains($0.name) }
    let rest = addedEntities + removed.compactMap(removal)
    for line in rest { writer.write(line, depth: 1) }
    return writer.finished
  }

  // MARK: Entities that both versions have

  private func lines(for pair: EntityPair) -> [SkeletonLine] {
    guard let old = source.entity(named: pair.source), let new = target.entity(named: pair.target)
    else { return [] }
    let attributes = target.storedAttributes(declaredBy: new).flatMap { lines(for: $0, of: new) }
    return attributes + relationships(of: new) + drops(from: old, pair)
  }

  /// Returns lines for an attribute, based on the first mapping of the entity or of one of its sub-entities.
  private func lines(for attribute: AttributeDescription, of entity: EntityDescription)
    -> [SkeletonLine]
  {
    let example = inferred.entities.first { mapping in
      target.entity(named: mapping.target).map { target.isKind($0, of: entity) } ?? false
    }
    guard let example, let origin = example.attributes[attribute.name],
      attribute.derivation == nil
    else { return [] }
    guard case .attribute(let path) = origin.source,
      let old = source.storedAttribute(path, of: example.source)
    else { return renames(attribute, of: entity) + missing(attribute, origin, "in every row") }
    guard Conversion(from: old.type, to: attribute.type) != nil else {
      return [conversion(of: attribute, from: old)]
    }
    return old.isOptional ? missing(attribute, origin, "where it is nil") : []
  }

  private func missing(
    _ attribute: AttributeDescription, _ origin: AttributeOrigin, _ place: String
  ) -> [SkeletonLine] {
    guard !attribute.isOptional, origin.fallback == nil else { return [] }
    let why = "'\(attribute.name)' is required and has no default. Set its value \(place):"
    guard let value = attribute.type.neutralExpression else {
      return [SkeletonLine(why: why + " Only the app can create a \(attribute.type.name).")]
    }
    return [
      SkeletonLine(
        why: why, xml: "<attribute \(xml: ["name": attribute.name, "default": value])/>",
        isNeeded: true)
    ]
  }

  private func renames(_ attribute: AttributeDescription, of entity: EntityDescription)
    -> [SkeletonLine]
  {
    guard let old = resemblance.source(of: attribute, in: entity.name) else { return [] }
    return [rename("attribute", attribute.name, from: old, by: "value")]
  }

  private func rename(
    _ element: String, _ name: String, from old: String, by key: String
  ) -> SkeletonLine {
    SkeletonLine(
      why: "'\(name)' resembles '\(old)'. If it was renamed:",
      xml: "<\(element) \(xml: ["name": name, key: old])/>")
  }

  private func conversion(of attribute: AttributeDescription, from old: AttributeDescription)
    -> SkeletonLine
  {
    var values: KeyValuePairs = ["name": attribute.name, "value": "nil"]
    if !attribute.isOptional, let neutral = attribute.type.neutralExpression {
      values = ["name": attribute.name, "value": "nil", "default": neutral]
    }
    return SkeletonLine(
      why:
        "'\(attribute.name)' changed from \(old.type.name) to \(attribute.type.name). To drop its values:",
      xml: "<attribute \(xml: values)/>")
  }

  private func relationships(of entity: EntityDescription) -> [SkeletonLine] {
    entity.relationships.filter { !$0.isTransient }.flatMap { relationship in
      let renamed = resemblance.source(of: relationship, in: entity.name)
        .map { rename("relationship", relationship.name, from: $0, by: "path") }
      return [renamed].compactMap(\.self) + missingDestinations(of: relationship, in: entity)
    }
  }

  /// Returns lines for a required to-one relationship that may have no destination in some rows.
  private func missingDestinations(
    of relationship: RelationshipDescription, in entity: EntityDescription
  ) -> [SkeletonLine] {
    let problem = problems.lazy.compactMap { problem -> String? in
      guard case .missingDestination(let owner, relationship.name, let source, _) = problem,
        let below = target.entity(named: owner), target.isKind(below, of: entity)
      else { return nil }
      return source
    }.first
    guard let source = problem else { return [] }
    let destination = relationship.destination
    return [
      SkeletonLine(
        why:
          "'\(relationship.name)' is required. Match a row of '\(destination)' for rows without one:",
        xml: "<relationship \(xml: ["name": relationship.name, "match": "TRUEPREDICATE"])/>"),
      SkeletonLine(
        why: "Or drop rows of '\(source)':",
        xml: "<drop \(xml: ["entity": source, "where": "TRUEPREDICATE"])/>", isInsideEntity: false),
    ]
  }

  /// Returns lines for the properties of the old entity that the new entity doesn't have.
  private func drops(from old: EntityDescription, _ pair: EntityPair) -> [SkeletonLine] {
    let kept = Set(pair.attributes.values).union(pair.relationships.values)
    let attributes = old.attributes.filter { !$0.isTransient && $0.derivation == nil }.map(\.name)
    let relationships = old.relationships.filter { !$0.isTransient }.map(\.name)
    return (attributes + relationships).filter { !kept.contains($0) }.map { name in
      SkeletonLine(
        why: "'\(name)' of '\(old.name)' was removed. To drop its values:",
        xml: "<drop \(xml: ["entity": old.name, "property": name])/>", isInsideEntity: false)
    }
  }

  // MARK: Entities of one version

  private var addedEntities: [SkeletonLine] {
    pairing.addedEntities.compactMap { entity in
      resemblance.source(of: entity)
        .map { rename("entity", entity.name, from: $0, by: "source") }
    }
  }

  private func removal(_ entity: EntityDescription) -> SkeletonLine? {
    guard !entity.isAbstract else { return nil }
    return SkeletonLine(
      why: "'\(entity.name)' was removed. To drop its rows:",
      xml: "<drop \(xml: ["entity": entity.name])/>")
  }
}

extension AttributeType {
  /// An empty or zero value in the predicate language; nil if the type has no such value.
  fileprivate var neutralExpression: String? {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
    case .boolean: "NO"
    case .string: "''"
    case .date: "CAST(0, 'NSDate')"
    case .uuid: "CAST('00000000-0000-0000-0000-000000000000', 'NSUUID')"
    case .uri: "'about:blank'"
    case .binary: "CAST('', 'NSData')"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}

/// A comment in a generated definition, and the element that it explains, if any.
struct SkeletonLine {
  var why: String
  var xml: String?
  /// Whether the migration requires the element. Other elements are written as comments.
  var isNeeded = false
  /// Whether the element is inside the element of its entity.
  var isInsideEntity = true
}

/// Creates the text of a generated definition from its lines.
struct SkeletonWriter {
  private var lines: [String]

  init(from: String, to: String) {
    lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<!-- \(Self.inComment("Migrates stores from '\(from)' to '\(to)'. All other changes are inferred.")) -->",
      "<migration \(xml: ["from": from, "to": to])>",
    ]
  }

  var finished: String { (lines + ["</migration>"]).map { $0 + "\n" }.joined() }

  /// Writes the element of an entity with its lines. An element that only contains comments has no effect.
  mutating func write(_ entity: String, _ entries: [SkeletonLine]) {
    let inside = entries.filter(\.isInsideEntity)
    if !inside.isEmpty {
      lines.append("  <entity \(xml: ["name": entity])>")
      for line in inside { write(line, depth: 2) }
      lines.append("  </entity>")
    }
    for line in entries where !line.isInsideEntity { write(line, depth: 1) }
  }

  mutating func write(_ line: SkeletonLine, depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    lines.append("\(indent)<!-- \(Self.inComment(line.why)) -->")
    guard let xml = line.xml else { return }
    lines.append(line.isNeeded ? "\(indent)\(xml)" : "\(indent)<!-- \(Self.inComment(xml)) -->")
  }

  /// Separates double hyphens, which XML doesn't allow in comments.
  private static func inComment(_ text: String) -> String {
    var result = ""
    for character in text {
      if character == "-", result.last == "-" { result.append(" ") }
      result.append(character)
    }
    return result
  }
}

extension DefaultStringInterpolation {
  /// Appends attributes of an XML element, such as `name="Item" default="&lt;none>"`.
  mutating func appendInterpolation(xml attributes: KeyValuePairs<String, String>) {
    appendInterpolation(
      attributes.map { name, value in
        let escaped = value.map { character in
          switch character {
          case "&": "&amp;"
          case "<": "&lt;"
          case "\"": "&quot;"
          default: String(character)
          }
        }
        return "\(name)=\"\(escaped.joined())\""
      }.joined(separator: " "))
  }
}
