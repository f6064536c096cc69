package import StoreModel

extension ModelDiagram {
  /// The part around some entities: what is at most `depth` lines away from one of them.
  ///
  /// - Throws: `ModelLookupError` for a name that the picture does not have.
  package func around(
    _ names: [String], depth: Int
  ) throws(ModelLookupError) -> ModelDiagram {
    var distances: [Int: Int] = [:]
    for name in names {
      guard let box = boxes.firstIndex(where: { $0.name == name && $0.kind != .composite }) else {
        throw .unknownEntity(name, known: boxes.filter { $0.kind != .composite }.map(\.name))
      }
      distances[box] = 0
    }
    var neighbors: [Int: Set<Int>] = [:]
    for line in lines {
      neighbors[line.start.box, default: []].insert(line.end.box)
      neighbors[line.end.box, default: []].insert(line.start.box)
    }
    var reached = Set(distances.keys)
    for distance in 0..<max(depth, 0) {
      reached = Set(reached.flatMap { neighbors[$0] ?? [] }).filter { distances[$0] == nil }
      guard !reached.isEmpty else { break }
      for box in reached { distances[box] = distance + 1 }
    }
    return keeping(Set(distances.keys))
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
