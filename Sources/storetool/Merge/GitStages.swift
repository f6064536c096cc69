import StoreDiagnostics

/// What Git's index holds of a file that is in conflict.
struct GitStages {
  private(set) var base: [UInt8]?
  private(set) var ours: [UInt8]?
  private(set) var theirs: [UInt8]?

  init() {}

  /// None of them where the file is in no repository, or has no conflict.
  ///
  /// - Throws: `GitError` where Git can't be run.
  init(of path: FilePath) throws(GitError) {
    let file = path.spelled
    let folder = file.folder.orHere.argument
    let name = file.name.argument
    let list = try Self.git(
      folder, ["--literal-pathspecs", "ls-files", "--unmerged", "-z", "--", name])
    // 100644 HASH STAGE TAB NAME
    for entry in list.split(separator: 0) {
      let words = String(decoding: entry, as: UTF8.self).split(separator: "\t")[0].split(
        separator: " ")
      guard words.count == 3 else { continue }
      let bytes = try Self.git(folder, ["cat-file", "blob", String(words[1])])
      switch words[2] {
      case "1": base = bytes
      case "2": ours = bytes
      case "3": theirs = bytes
      default: break
      }
    }
  }

  private static func git(_ folder: String, _ words: [String]) throws(GitError) -> [UInt8] {
    do {
      let outcome = try GitRepository.git(["-C", folder] + words)
      return outcome.status == 0 ? outcome.output : []
    } catch {
      // Without Git the sides are named by the user.
      guard error == .noGit else { throw error }
      return []
    }
  }
}
