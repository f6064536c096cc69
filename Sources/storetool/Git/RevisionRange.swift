#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Two states of a repository: `main` against the work tree, `main..HEAD`, or `main...HEAD`, which begins
/// where HEAD has left main.
struct RevisionRange: Hashable {
  let old: String
  /// Nil for the work tree.
  let new: String?
  let startsAtMergeBase: Bool

  /// What is left out beside the dots is HEAD, as Git reads it.
  init(_ text: String) {
    let dots = text.contains("...") ? "..." : ".."
    let parts = text.components(separatedBy: dots)
    startsAtMergeBase = dots == "..." && parts.count == 2
    guard parts.count == 2 else {
      (old, new) = (text, nil)
      return
    }
    old = parts[0].isEmpty ? "HEAD" : parts[0]
    new = parts[1].isEmpty ? "HEAD" : parts[1]
  }

  init(from old: String, to new: String) {
    (self.old, self.new, startsAtMergeBase) = (old, new, false)
  }

  /// Both states, the old one first.
  ///
  /// - Throws: `GitError.unknownRevision`
  func sides(in repository: GitRepository) throws -> (old: RepositoryState, new: RepositoryState) {
    var start = old
    if startsAtMergeBase, let new {
      start = try repository.mergeBase(old, new) ?? old
    }
    let old = try RepositoryState(of: start, named: self.old, in: repository)
    guard let new else { return (old, try RepositoryState(workTreeOf: repository)) }
    return (old, try RepositoryState(of: new, named: new, in: repository))
  }
}
