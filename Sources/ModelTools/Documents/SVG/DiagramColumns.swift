/// Where boxes stand of which no editor says it: in columns, by how many lines they are away from the box with most
/// lines, each as near as can be to those that it is tied to.
struct DiagramColumns {
  private static let gap = Point(x: 90, y: 28)

  private let sizes: [Point]
  /// Of each box, those at the other ends of its lines.
  private let neighbors: [[Int]]

  init(_ diagram: ModelDiagram, sizes: [Point]) {
    self.sizes = sizes
    var neighbors = diagram.boxes.map { _ in [Int]() }
    for line in diagram.lines where line.start.box != line.end.box {
      neighbors[line.start.box].append(line.end.box)
      neighbors[line.end.box].append(line.start.box)
    }
    self.neighbors = neighbors
  }

  /// The upper left corner of each box.
  var corners: [Point] {
    var corners = sizes.map { _ in Point(x: 0, y: 0) }
    var top = 0.0
    for columns in groups {
      var x = 0.0
      var bottom = top
      for column in columns {
        var y = top
        for box in column {
          corners[box] = Point(x: x, y: y)
          y += sizes[box].y + Self.gap.y
        }
        bottom = max(bottom, y)
        x += (column.map { sizes[$0].x }.max() ?? 0) + Self.gap.x
      }
      top = bottom + Self.gap.y
    }
    return corners
  }

  /// Boxes that lines lead between, in their columns; one group below the other.
  private var groups: [[[Int]]] {
    var seen: Set<Int> = []
    var groups: [[[Int]]] = []
    let order = sizes.indices.sorted { (-neighbors[$0].count, $0) < (-neighbors[$1].count, $1) }
    var alone: [Int] = []
    for start in order where !seen.contains(start) {
      let columns = columns(from: start, &seen)
      if columns.count == 1 { alone += columns[0] } else { groups.append(columns) }
    }
    // Those without any line stand side by side.
    if !alone.isEmpty { groups.append(alone.sorted().map { [$0] }) }
    return groups
  }

  private func columns(from start: Int, _ seen: inout Set<Int>) -> [[Int]] {
    var columns = [[start]]
    seen.insert(start)
    while let last = columns.last {
      var next: [Int] = []
      // In the order of those that lead to them, so that few lines cross.
      for box in last {
        for neighbor in neighbors[box].sorted() where seen.insert(neighbor).inserted {
          next.append(neighbor)
        }
      }
      if next.isEmpty { break }
      columns.append(next)
    }
    return columns
  }
}
