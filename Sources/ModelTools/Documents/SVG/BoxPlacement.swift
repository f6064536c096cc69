/// Places boxes at their positions in Xcode's editor, and moves them apart if they overlap. They can overlap because
/// they are smaller in the editor, or because they haven't been arranged there yet.
struct BoxPlacement {
  /// The free space around each box for lines.
  private static let gap = Point(x: 70, y: 28)

  private(set) var placed: [Rectangle] = []

  /// - Parameter wanted: the preferred position.
  /// - Returns: `wanted` if it is free, otherwise the nearest free position to the right of it or below it.
  mutating func place(_ wanted: Rectangle) -> Rectangle {
    let best = isFree(wanted) ? wanted : nearest(to: wanted)
    placed.append(best)
    return best
  }

  private func nearest(to wanted: Rectangle) -> Rectangle {
    let corners = placed.flatMap { other in
      [
        Point(x: other.maxX + Self.gap.x, y: other.y),
        Point(x: other.x, y: other.maxY + Self.gap.y),
        Point(x: wanted.x, y: other.maxY + Self.gap.y),
      ]
    }.map { Point(x: max($0.x, wanted.x), y: max($0.y, wanted.y)) }
      .sorted { $0.distance(from: wanted) < $1.distance(from: wanted) }
    let moved = corners.map {
      Rectangle(x: $0.x, y: $0.y, width: wanted.width, height: wanted.height)
    }
    return moved.first(where: isFree) ?? moved.last ?? wanted
  }

  private func isFree(_ rectangle: Rectangle) -> Bool {
    !placed.contains { $0.isNear(rectangle, gap: Self.gap) }
  }
}

struct Point: Hashable, Sendable {
  var x: Double
  var y: Double

  /// Returns the weighted sum of the horizontal and the vertical distance from the rectangle's upper left corner. The
  /// vertical distance counts more, because screens are wider than high.
  func distance(from rectangle: Rectangle) -> Double {
    (x - rectangle.x) + 1.4 * (y - rectangle.y)
  }
}

struct Rectangle: Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var maxX: Double { x + width }
  var maxY: Double { y + height }

  func isNear(_ other: Rectangle, gap: Point) -> Bool {
    x < other.maxX + gap.x && other.x < maxX + gap.x && y < other.maxY + gap.y
      && other.y < maxY + gap.y
  }
}
