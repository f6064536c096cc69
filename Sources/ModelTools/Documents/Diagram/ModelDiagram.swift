/// The picture of a model as a value: boxes with rows, and lines between them.
///
/// `MermaidDiagram` and `PlacedDiagram` make text of it.
package struct ModelDiagram: Hashable, Sendable {
  /// Entities by name, then composites.
  package internal(set) var boxes: [Box]
  package internal(set) var lines: [Line]
  /// Whether it compares two versions, so that a legend is due.
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

    /// What stands above the name.
    package var stereotype: String? {
      switch kind {
      case .entity(isAbstract: true): "abstract"
      case .entity(isAbstract: false): nil
      case .composite: "composite"
      }
    }

    /// The class of what is drawn of it, for a page's styles and links.
    var pictureClass: String {
      switch kind {
      case .entity: "entity"
      case .composite: "composite"
      }
    }
  }

  /// A property.
  package struct Row: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case attribute
      case relationship
      case fetchedProperty
    }

    package let kind: Kind
    package let name: String
    /// `Integer 16`, or the destination.
    package let type: String
    package let isOptional: Bool
    /// How many a relationship leads to.
    package let count: Count?
    /// `unique`, `transient`.
    package let notes: [String]
    package internal(set) var mark: ChangeMark?
  }

  /// How many rows may be at the end of a line.
  package struct Count: Hashable, Sendable {
    package let minimum: Int
    /// Nil is any number.
    package let maximum: Int?
    package let isOrdered: Bool
  }

  package struct Line: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// One relationship, or two that are each other's inverse.
      case relationship
      /// From an entity to its parent.
      case inheritance
      /// From an attribute to its composite.
      case composite
    }

    package let kind: Kind
    package internal(set) var start: End
    package internal(set) var end: End
    package let mark: ChangeMark?
  }

  /// Where a line is fixed.
  package struct End: Hashable, Sendable {
    /// In `boxes`.
    package internal(set) var box: Int
    /// In the box's `rows`; nil for the box itself.
    package let row: Int?
    /// How many are here for one at the other end; nil where nothing leads here.
    package let count: Count?
  }
}

/// What became of a part from one version to another.
package enum ChangeMark: String, Hashable, Sendable, CaseIterable {
  case added
  case changed
  case removed

  /// Said without a color.
  package var sign: String {
    switch self {
    case .added: "+"
    case .changed: "~"
    case .removed: "-"
    }
  }
}

extension ModelDiagram.Count: CustomStringConvertible {
  /// `1`, `0..1`, `0..*`, `2..5`; `0..* ordered`
  package var description: String {
    let range =
      maximum == minimum ? "\(minimum)" : "\(minimum)..\(maximum.map { "\($0)" } ?? "*")"
    return isOrdered ? range + " ordered" : range
  }

  /// More than one.
  package var isMany: Bool { maximum.map { $0 > 1 } ?? true }
}

extension ModelDiagram.Line {
  /// From a box to itself.
  var isLoop: Bool { start.box == end.box }

  /// A relationship that leads back by itself, as between friends.
  var isOwnInverse: Bool { isLoop && start.row != nil && start.row == end.row }
}

extension ModelDiagram.Row {
  /// What stands behind the name: `String?`, `→ Item 0..*`.
  package var typeText: String {
    switch kind {
    case .attribute: type + (isOptional ? "?" : "")
    case .relationship: "→ \(type)" + (count.map { " \($0)" } ?? "")
    case .fetchedProperty: "→ \(type)"
    }
  }
}
