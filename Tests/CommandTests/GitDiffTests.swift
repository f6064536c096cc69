import Foundation
import TestSupport
import Testing

/// Comparisons in real Git: `git diff` with the installed text conversion, and `model diff`, which calls Git.
struct GitDiffTests {
  private func changed() throws -> GitSample {
    let sample = try GitSample()
    try sample.branch("side", attributes: ["color", "done", "name"])
    return sample
  }

  private static let line = "+  attribute color: String, optional\n"

  @Test(arguments: ["diff main side", "log -p -1 side", "show side"])
  func gitShowsLinesOfTheOutline(_ words: String) throws {
    let sample = try changed()
    let plain = try sample.run("git \(words)")
    #expect(plain.contains(Self.line) && !plain.contains("<attribute"))
    #expect(plain.contains("@@ entity Item") || plain.contains("@@ -1,"))
    try sample.run("git worktree add -q '../linked tree' main")
    #expect(
      try sample.run("cd '../linked tree/My App' && git \(words)").contains(Self.line))
    // Patches contain the text of the files, so that they can be applied.
    #expect(try sample.run("git diff --no-textconv main side").contains("+        <attribute"))
    try sample.run(
      "git checkout -q -b again main && git format-patch -q main..side && git am -q *.patch")
    try sample.expectAttributes(["color", "done", "name"])
  }

  /// Git doesn't have a user name or an email address here.
  @Test func gitDiffWritesNothing() throws {
    let sample = try changed()
    let before = try sample.run("git rev-parse HEAD; find .git -type f | sort")
    let nobody =
      "env -u GIT_AUTHOR_NAME -u GIT_AUTHOR_EMAIL -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL EMAIL="
    #expect(try sample.run("\(nobody) git diff main side").contains(Self.line))
    #expect(try sample.run("git rev-parse HEAD; find .git -type f | sort") == before)
  }

  /// Returns the paths in the records of `model diff`.
  private func models(_ line: String, in sample: GitSample) throws -> [String] {
    let output = try sample.run(line)
    return try output.split(separator: "\n").compactMap { record in
      let object = try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any]
      #expect(object?["change"] as? String != nil)
      return object?["model"] as? String
    }
  }

  @Test func modelDiffWorksFromWhereGitDoes() throws {
    let sample = try changed()
    let name = GitSample.bundle
    #expect(try models("storetool model diff main", in: sample) == [name, name])
    #expect(
      try models("cd 'My App' && storetool model diff main", in: sample).last
        == "Modèles/To do.xcdatamodeld")
    #expect(
      try models("cd '\(name)/To do.xcdatamodel' && storetool model diff main", in: sample).last
        == "../../To do.xcdatamodeld")
    try sample.run("git worktree add -q '../linked tree' main")
    #expect(
      try models(
        "cd '../linked tree/My App' && storetool model diff side -- 'Modèles/To do.xcdatamodeld'",
        in: sample
      ).last == "Modèles/To do.xcdatamodeld")
    // From another folder, as in a hook, and in a bare repository, which only has revisions.
    let elsewhere = "GIT_DIR=\"$PWD/.git\" GIT_WORK_TREE=\"$PWD\""
    #expect(
      try models("export \(elsewhere); storetool model diff main", in: sample) == [name, name])
    try sample.run("git clone -q --bare . ../bare")
    #expect(
      try models("cd .. && GIT_DIR=bare storetool model diff main..side", in: sample)
        == [name, name])
  }

  /// The index and all other files don't change.
  @Test func modelDiffWritesNothing() throws {
    let sample = try changed()
    // The times in the index differ from the times of the files, so that reading the status would update the index.
    try sample.run("touch -t 200101010000 '\(GitSample.file)'")
    let before = try sample.run("find .git -type f -exec cksum {} + | sort; git rev-parse HEAD")
    try sample.run("storetool model diff main && storetool model diff main..side")
    #expect(
      try sample.run("find .git -type f -exec cksum {} + | sort; git rev-parse HEAD") == before)
  }

  @Test func whatIsInConflictOrIgnored() throws {
    let sample = try changed()
    try sample.write(["done"], to: "Build/Copy.xcdatamodeld/Copy.xcdatamodel/contents")
    try sample.write("Build/\n", to: ".gitignore")
    #expect(try models("storetool model diff HEAD", in: sample) == [])
    try sample.write(["done"], to: "New.xcdatamodeld/New.xcdatamodel/contents")
    #expect(try models("storetool model diff HEAD", in: sample) == ["New.xcdatamodeld"])
    // A link that leads out of the repository isn't followed.
    try sample.write(["x"], to: "../elsewhere.xcdatamodeld/A.xcdatamodel/contents")
    try sample.run("ln -s ../elsewhere.xcdatamodeld Link.xcdatamodeld; git add -A")
    #expect(try models("storetool model diff HEAD", in: sample) == ["New.xcdatamodeld"])
  }
}
