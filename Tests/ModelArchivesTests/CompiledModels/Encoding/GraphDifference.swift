/// A difference between two archives.
struct GraphDifference: CustomStringConvertible {
  var place: String
  var ours: ArchiveGraph.Node?
  var theirs: ArchiveGraph.Node?

  var description: String {
    "\(place): \(ours?.description ?? "absent") ≠ \(theirs?.description ?? "absent")"
  }

  static func between(_ ours: ArchiveGraph, _ theirs: ArchiveGraph) -> [GraphDifference] {
    Set(ours.nodes.keys).union(theirs.nodes.keys).sorted()
      .flatMap { between(ours[$0], theirs[$0], at: $0) }
  }

  private static func between(
    _ ours: ArchiveGraph.Node?, _ theirs: ArchiveGraph.Node?, at place: String
  ) -> [GraphDifference] {
    if ours == theirs { return [] }
    switch (ours, theirs) {
    case (.object(let a, let left)?, .object(let b, let right)?) where a == b:
      return Set(left.keys).union(right.keys).sorted()
        .flatMap { between(left[$0], right[$0], at: "\(place)/\($0)") }
    case (.list(let left)?, .list(let right)?) where left.count == right.count:
      return zip(left, right).flatMap { between($0, $1, at: "\(place)/*") }
    default: return [GraphDifference(place: place, ours: ours, theirs: theirs)]
    }
  }
}
