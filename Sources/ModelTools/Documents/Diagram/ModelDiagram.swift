package import StoreModel

/// The diagram of a model as a value: boxes with rows, and lines between them.
///
/// `MermaidDiagram` and `PlacedDiagram` convert it to text.
package struct ModelDiagram: Hashable, Sendable {
  /// The boxes of the entities, then the boxes of the composites.
  package internal(set) var boxes: [Box]
  package internal(set) var lines: [Line]
  /// Whether the diagram compares two versions. If so, it is drawn with a legend.
  package internal(set) var showsChanges: Bool

  /// An entity or a composite.
  package struct Box: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case entity(isAbstract: Bool)
      case composite
    }

    package let kind: Kind
    package let name: String
    package internal(set) var rows: [Row]
    package internal(set) var mark: ChangeMark?

    /// The text above the name.
    package var stereotype: String? {
      switch kind {
      case .entity(isAbstract: true): "abstract"
      case .entity(isAbstract: false): nil
      case .composite: "composite"
      }
    }

    /// The CSS class of the drawn box, which a page uses for styles and links.
    var pictureClass: String { kind == .composite ? "composite" : "entity" }
  }

  /// A property in a box.
  package struct Row: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case attribute
      case relationship
      case fetchedProperty
    }

    package let kind: Kind
    package let name: String
    /// The type of an attribute, such as `Integer 16`, or the destination of a relationship or fetched property.
    package let type: String
    package let isOptional: Bool
    /// The permitted number of destinations of a relationship, or nil for another property.
    package let count: Count?
    /// Notes such as `unique` and `transient`.
    package let notes: [String]
    package internal(set) var mark: ChangeMark?
  }

  /// The minimum and maximum number of objects at an end of a line.
  package struct Count: Hashable, Sendable {
    package let minimum: Int
    /// The maximum, or nil if the number isn't limited.
    package let maximum: Int?
    package let isOrdered: Bool
  }

  package struct Line: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// A relationship, or two relationships that are inverses.
      case relationship
      /// A line from an entity to its parent.
      case inheritance
      /// A line from an attribute to its composite.
      case composite
    }

    package let kind: Kind
    package internal(set) var start: End
    package internal(set) var end: End
    package let mark: ChangeMark?
  }

  /// An end of a line.
  package struct End: Hashable, Sendable {
    /// The index in `boxes`.
    package internal(set) var box: Int
    /// The index in the box's `rows`, or nil for the box itself.
    package internal(set) var row: Int?
    /// The number of objects at this end for one object at the other end. Nil if no relationship leads to this end.
    package internal(set) var count: Count?
  }
}

/// The change of a part between two versions.
package enum ChangeMark: String, Hashable, Sendable, CaseIterable {
  case added
  case changed
  case removed

  /// The sign before the name of a marked part, which is also visible without colors.
  package var sign: String {
    switch self {
    case .added: "+"
    case .changed: "~"
    case .removed: "-"
    }
  }
}

extension ModelDiagram.Count: CustomStringConvertible {
  /// The text, such as `1`, `0..1`, `0..*`, `2..5` or `0..* ordered`.
  package var description: String {
    let range =
      maximum == minimum ? "\(minimum)" : "\(minimum)..\(maximum.map { "\($0)" } ?? "*")"
    return isOrdered ? range + " ordered" : range
  }

  /// Whether there can be more than one object.
  package var isMany: Bool { maximum.map { $0 > 1 } ?? true }
}

extension ModelDiagram.Line {
  /// Whether the line leads from a box to itself.
  var isLoop: Bool { start.box == end.box }

  /// Whether the line is a relationship that is its own inverse, such as `friends`.
  var isOwnInverse: Bool { isLoop && start.row != nil && start.row == end.row }
}

extension ModelDiagram.Row {
  /// The text after the name, such as `String?` or `→ Item 0..*`.
  package var typeText: String { typeText(naming: type) }

  /// Returns the text after the name, with an escaped type.
  func typeText(naming type: String) -> String {
    kind == .attribute
      ? type + (isOptional ? "?" : "") : "→ \(type)" + (count.map { " \($0)" } ?? "")
  }
}

extension ModelDiagram {
  /// Returns a diagram of the entities `names` and of all boxes that are connected to one of them by a path of at most
  /// `depth` lines.
  ///
  /// - Throws: `ModelLookupError` if a name isn't an entity in the diagram.
  package func around(
    _ names: [String], depth: Int
  ) throws(ModelLookupError) -> ModelDiagram {
    var kept: Set<Int> = []
    for name in names {
      guard let box = boxes.firstIndex(where: { $0.name == name && $0.kind != .composite }) else {
        throw .unknownEntity(name, known: boxes.filter { $0.kind != .composite }.map(\.name))
      }
      kept.insert(box)
    }
    var neighbors: [Int: Set<Int>] = [:]
    for line in lines {
      neighbors[line.start.box, default: []].insert(line.end.box)
      neighbors[line.end.box, default: []].insert(line.start.box)
    }
    var reached = kept
    for _ in 0..<max(depth, 0) {
      reached = Set(reached.flatMap { neighbors[$0] ?? [] }).subtracting(kept)
      guard !reached.isEmpty else { break }
      kept.formUnion(reached)
    }
    return keeping(kept)
  }

  private func keeping(_ kept: Set<Int>) -> ModelDiagram {
    let indices = boxes.indices.filter(kept.contains)
    let moved = Dictionary(uniqueKeysWithValues: zip(indices, indices.indices))
    var part = self
    part.boxes = indices.map { boxes[$0] }
    part.lines = lines.compactMap { line in
      guard let start = moved[line.start.box], let end = moved[line.end.box] else { return nil }
      var line = line
      (line.start.box, line.end.box) = (start, end)
      return line
    }
    return part
  }
}

extension ModelDiagram.Count {
  init(_ relationship: RelationshipDescription) {
    let least = relationship.isOptional ? 0 : max(1, relationship.minimumCount ?? 1)
    guard relationship.isToMany else {
      self.init(minimum: min(least, 1), maximum: 1, isOrdered: false)
      return
    }
    let most = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil }
    self.init(
      minimum: min(least, most ?? least), maximum: most, isOrdered: relationship.isOrdered)
  }
}

extension ModelDiagram.Row {
  /// - Parameter constraints: the uniqueness constraints of the entity.
  init(_ attribute: AttributeDescription, constraints: [[String]] = [], mark: ChangeMark? = nil) {
    let flags = [("transient", attribute.isTransient), ("derived", attribute.derivation != nil)]
    self.init(
      kind: .attribute, name: attribute.name, type: attribute.type.label,
      isOptional: attribute.isOptional, count: nil,
      notes: Self.uniqueness(of: attribute.name, by: constraints)
        + flags.filter(\.1).map(\.0), mark: mark)
  }

  /// - Parameter constraints: the uniqueness constraints of the entity.
  init(
    _ relationship: RelationshipDescription, constraints: [[String]] = [], mark: ChangeMark? = nil
  ) {
    self.init(
      kind: .relationship, name: relationship.name, type: relationship.destination,
      isOptional: relationship.isOptional, count: ModelDiagram.Count(relationship),
      notes: Self.uniqueness(of: relationship.name, by: constraints)
        + (relationship.isTransient ? ["transient"] : []), mark: mark)
  }

  init(_ fetched: FetchedProperty, mark: ChangeMark? = nil) {
    self.init(
      kind: .fetchedProperty, name: fetched.name, type: fetched.request.entity, isOptional: false,
      count: nil, notes: ["fetched"], mark: mark)
  }

  /// Returns a note for each uniqueness constraint of a property, such as `unique`, or `unique with year` if the
  /// constraint has another property.
  private static func uniqueness(of name: String, by constraints: [[String]]) -> [String] {
    constraints.filter { $0.contains(name) }.map { constraint in
      let others = constraint.filter { $0 != name }
      return others.isEmpty ? "unique" : "unique with \(others.joined(separator: ", "))"
    }
  }
}

extension AttributeType {
  /// The name of the type or of the composite.
  var label: String {
    if case .composite(let name) = self { name } else { name }
  }
}
