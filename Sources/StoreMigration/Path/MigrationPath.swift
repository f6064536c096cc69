/// The way from one version of a model to another, older or newer, over the versions between them.
package struct MigrationPath: Hashable, Sendable {
  /// From one version to another, with nothing in between.
  package struct Jump: Hashable, Sendable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  package enum Leg: Hashable, Sendable {
    /// From version to version, at least two; what is inferred between them becomes one mapping.
    case inferred([String])
    /// By a definition, which may skip versions.
    case custom(Jump)

    package var ends: Jump {
      switch self {
      case .inferred(let versions):
        Jump(from: versions.first ?? "", to: versions.last ?? "")
      case .custom(let jump): jump
      }
    }
  }

  /// Empty when both versions are the same.
  package let legs: [Leg]

  /// At each version the definition that leads furthest towards the target is taken, else the step
  /// to the next version is inferred. A definition for a part of another one's way is not needed.
  ///
  /// - Parameters:
  ///   - versions: all of the bundle, in their order; they hold `source` and `target`.
  ///   - definitions: for which jumps there is one.
  /// - Throws: `MigrationPathError` where two definitions would each have to come first.
  package init(
    from source: String, to target: String, in versions: [String], definitions: [Jump]
  ) throws(MigrationPathError) {
    guard let start = versions.firstIndex(of: source), let end = versions.firstIndex(of: target)
    else { throw .unknownVersion(versions.contains(source) ? target : source, known: versions) }
    let way = start <= end ? Array(versions[start...end]) : versions[end...start].reversed()
    let jumps = Self.jumps(definitions, on: way)
    var legs: [Leg] = []
    var place = 0
    while place < way.count - 1 {
      guard let jump = jumps.last(where: { $0.lowerBound == place }) else {
        Self.infer(way[place], way[place + 1], &legs)
        place += 1
        continue
      }
      if let other = jumps.first(where: { jump.isCut(by: $0) }) {
        throw .overlap(Self.jump(jump, on: way), Self.jump(other, on: way))
      }
      legs.append(.custom(Self.jump(jump, on: way)))
      place = jump.upperBound
    }
    self.legs = legs
  }

  /// The places on the way that definitions lead from and to, shorter ones first.
  private static func jumps(_ definitions: [Jump], on way: [String]) -> [ClosedRange<Int>] {
    definitions.compactMap { jump in
      guard let from = way.firstIndex(of: jump.from), let to = way.firstIndex(of: jump.to),
        from < to
      else { return nil }
      return from...to
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  private static func jump(_ places: ClosedRange<Int>, on way: [String]) -> Jump {
    Jump(from: way[places.lowerBound], to: way[places.upperBound])
  }

  /// Continues the inferred leg that ends here, or begins one.
  private static func infer(_ from: String, _ to: String, _ legs: inout [Leg]) {
    guard case .inferred(let versions)? = legs.last else {
      return legs.append(.inferred([from, to]))
    }
    legs[legs.count - 1] = .inferred(versions + [to])
  }
}

extension ClosedRange<Int> {
  /// Whether the other one begins within this one and ends behind it.
  fileprivate func isCut(by other: ClosedRange<Int>) -> Bool {
    lowerBound < other.lowerBound && other.lowerBound < upperBound && upperBound < other.upperBound
  }
}
