import StoreLayout
import StoreModel

/// A definition to begin with: the lines that two versions need and that can't be inferred, and as
/// comments the choices that there are. It reads back as it is.
package struct DefinitionSkeleton {
  private let pairing: ModelPairing
  private let inferred: ModelMapping
  /// What can't be inferred; found once, as it takes the layouts of both versions.
  private let problems: [MappingError]
  private let resemblance: Resemblance

  package init(_ pairing: ModelPairing) {
    self.pairing = pairing
    inferred = MappingInference.infer(pairing)
    problems = inferred.obstacles + inferred.risks
    resemblance = Resemblance(pairing: pairing)
  }

  private var source: Model { pairing.source }
  private var target: Model { pairing.target }

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

  /// An attribute of all rows below the entity; one of them shows where its value comes from.
  private func lines(for attribute: Attribute, of entity: Entity) -> [SkeletonLine] {
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
    _ attribute: Attribute, _ origin: AttributeOrigin, _ place: String
  ) -> [SkeletonLine] {
    guard !attribute.isOptional, origin.fallback == nil else { return [] }
    let why = "'\(attribute.name)' is required and has no default. What does it hold \(place)?"
    guard let value = attribute.type.neutralExpression else {
      return [SkeletonLine(why: why + " Only the app can make a \(attribute.type.name).")]
    }
    return [
      SkeletonLine(
        why: why, xml: "<attribute \(xml: ["name": attribute.name, "default": value])/>",
        isNeeded: true)
    ]
  }

  private func renames(_ attribute: Attribute, of entity: Entity) -> [SkeletonLine] {
    guard let old = resemblance.source(of: attribute, in: entity.name) else { return [] }
    return [
      SkeletonLine(
        why: "'\(attribute.name)' looks like '\(old)' under a new name:",
        xml: "<attribute \(xml: ["name": attribute.name, "value": old])/>")
    ]
  }

  private func conversion(of attribute: Attribute, from old: Attribute) -> SkeletonLine {
    var values: KeyValuePairs = ["name": attribute.name, "value": "nil"]
    if !attribute.isOptional, let neutral = attribute.type.neutralExpression {
      values = ["name": attribute.name, "value": "nil", "default": neutral]
    }
    return SkeletonLine(
      why:
        "'\(attribute.name)' was \(old.type.name) and is \(attribute.type.name). To begin without values:",
      xml: "<attribute \(xml: values)/>")
  }

  private func relationships(of entity: Entity) -> [SkeletonLine] {
    entity.relationships.filter { !$0.isTransient }.flatMap { relationship in
      let rename = resemblance.source(of: relationship, in: entity.name).map { old in
        SkeletonLine(
          why: "'\(relationship.name)' looks like '\(old)' under a new name:",
          xml: "<relationship \(xml: ["name": relationship.name, "path": old])/>")
      }
      return [rename].compactMap(\.self) + missingDestinations(of: relationship, in: entity)
    }
  }

  /// What a required to-one leads to, no one but the author can say.
  private func missingDestinations(
    of relationship: Relationship, in entity: Entity
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
          "'\(relationship.name)' is required. Which '\(destination)' do rows lead to that have none?",
        xml: "<relationship \(xml: ["name": relationship.name, "match": "TRUEPREDICATE"])/>"),
      SkeletonLine(
        why: "Or to let rows of '\(source)' go:",
        xml: "<drop \(xml: ["entity": source, "where": "TRUEPREDICATE"])/>", isInsideEntity: false),
    ]
  }

  /// What the old entity declares and the new one has no place for.
  private func drops(from old: Entity, _ pair: EntityPair) -> [SkeletonLine] {
    let kept = Set(pair.attributes.values).union(pair.relationships.values)
    let attributes = old.attributes.filter { !$0.isTransient && $0.derivation == nil }.map(\.name)
    let relationships = old.relationships.filter { !$0.isTransient }.map(\.name)
    return (attributes + relationships).filter { !kept.contains($0) }.map { name in
      SkeletonLine(
        why: "'\(name)' of '\(old.name)' has no place any more. To let its values go:",
        xml: "<drop \(xml: ["entity": old.name, "property": name])/>", isInsideEntity: false)
    }
  }

  // MARK: Entities of one version

  private var addedEntities: [SkeletonLine] {
    pairing.addedEntities.compactMap { entity in
      resemblance.source(of: entity).map { old in
        SkeletonLine(
          why: "'\(entity.name)' looks like '\(old)' under a new name:",
          xml: "<entity \(xml: ["name": entity.name, "source": old])/>")
      }
    }
  }

  private func removal(_ entity: Entity) -> SkeletonLine? {
    guard !entity.isAbstract else { return nil }
    return SkeletonLine(
      why: "'\(entity.name)' has no place any more. To let its rows go:",
      xml: "<drop \(xml: ["entity": entity.name])/>")
  }
}

extension AttributeType {
  /// A value that says nothing, in the predicate language; nil where there is none.
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

/// A line of a skeleton, with what it is for.
struct SkeletonLine {
  var why: String
  /// Nil where there is nothing to write.
  var xml: String?
  /// Without it rows can't be migrated; the others are choices and so comments.
  var isNeeded = false
  /// It stands within the element of its entity.
  var isInsideEntity = true
}

/// Puts the lines of a skeleton together.
struct SkeletonWriter {
  private var lines: [String]

  init(from: String, to: String) {
    lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<!-- \(Self.inComment("How a store of '\(from)' becomes one of '\(to)'. What is not mentioned is inferred.")) -->",
      "<migration \(xml: ["from": from, "to": to])>",
    ]
  }

  var finished: String { (lines + ["</migration>"]).map { $0 + "\n" }.joined() }

  /// The element of an entity with its lines. One that holds choices alone changes nothing.
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

  /// Two hyphens would end the comment.
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
  /// Attributes of an element: `name="Item" default="&lt;none&gt;"`.
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
