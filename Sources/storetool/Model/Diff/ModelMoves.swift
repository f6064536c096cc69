import StoreDiagnostics
import StoreModel
import StoreModelReader

/// The models that were moved to another path between two states of a repository.
struct ModelMoves {
  /// The paths of a model in both states. They differ if the model was moved. If the model exists in only one state,
  /// they are equal.
  struct Pair: Hashable {
    var old: LocalPath
    var new: LocalPath

    var isMove: Bool { old != new }
  }

  private let moves: [Pair]

  /// - Throws: `GitError`, or `ModelBundleError`.
  init(from old: RepositoryState, to new: RepositoryState) throws {
    let removed = old.models.subtracting(new.models).sorted()
    var added = new.models.subtracting(old.models).sorted()
    var moves: [Pair] = []
    for path in removed {
      let alike = try added.map {
        (path: $0, likeness: try Likeness(of: path, in: old, to: $0, in: new))
      }.filter(\.likeness.isMove)
      guard let best = alike.max(by: { $0.likeness.rank < $1.likeness.rank }) else { continue }
      moves.append(Pair(old: path, new: best.path))
      added.removeAll { $0 == best.path }
    }
    self.moves = moves
  }

  /// Returns the old and the new path of each model, sorted by the new path.
  func pairs(of paths: Set<LocalPath>) -> [Pair] {
    let pairs = paths.map { path in
      moves.first { $0.old == path || $0.new == path } ?? Pair(old: path, new: path)
    }
    return Set(pairs).sorted { NaturalOrder.isLess("\($0.new)", "\($1.new)") }
  }
}

/// The common content of two models at different paths.
private struct Likeness {
  /// The number of versions of the first model whose file has the same content as a file of the second model.
  private var equalVersions = 0
  private var hasSameName: Bool
  /// Whether the current versions share the names of at least half of their entities; false if they weren't compared.
  private var hasSameEntities = false

  var rank: (Int, Int) { (equalVersions, hasSameName ? 1 : 0) }
  var isMove: Bool { equalVersions > 0 || hasSameName && hasSameEntities }

  init(
    of path: LocalPath, in old: RepositoryState, to otherPath: LocalPath, in new: RepositoryState
  ) throws {
    hasSameName = path.components.last == otherPath.components.last
    let files = old.contents(below: path)
    let others = new.contents(below: otherPath)
    equalVersions = try files.count { file in
      try others.contains { try old.hasEqualFile(file, as: new, at: $0) }
    }
    guard equalVersions == 0, hasSameName else { return }
    let names = (
      try old.model(at: path)?.entityNames ?? [], try new.model(at: otherPath)?.entityNames ?? []
    )
    let shared = names.0.intersection(names.1).count
    hasSameEntities = shared > 0 && shared * 2 >= max(names.0.count, names.1.count)
  }
}

extension RepositoryState {
  /// The files of a model's versions.
  fileprivate func contents(below path: LocalPath) -> [LocalPath] {
    paths.filter { $0.isPart(of: path) && $0.components.last == "contents" }
  }
}

extension ModelBundle {
  /// The names of the entities of the current version, or of the last one; empty if it can't be read.
  fileprivate var entityNames: Set<String> {
    guard let version = currentVersion ?? versions.last,
      case .success(let reading) = Result(catching: { try version.read() })
    else { return [] }
    return Set(reading.model.entities.map(\.name))
  }
}
