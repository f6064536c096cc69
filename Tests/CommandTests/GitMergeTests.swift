import Foundation
import TestSupport
import Testing

/// With the installed driver, all Git commands that merge files merge models by their meaning, from any folder.
struct GitMergeTests {
  /// Creates two branches that add a line at the same position, which is a conflict for a merge of text.
  private func sides(_ sample: GitSample) throws {
    try sample.branch("theirs", attributes: ["count", "done", "name"])
    try sample.branch("ours", attributes: ["color", "done", "name"])
  }

  private static let both = ["color", "count", "done", "name"]

  /// Without the driver, the merge has a conflict. Otherwise the other tests wouldn't prove anything.
  @Test func textIsAConflict() throws {
    let sample = try GitSample(installs: false)
    try sides(sample)
    #expect(try sample.shell.run("git merge -q theirs").status == 1)
    #expect(try sample.text().contains("<<<<<<<"))
  }

  @Test(arguments: ["", "-s recursive", "-s ort --no-ff"])
  func merge(_ strategy: String) throws {
    let sample = try GitSample()
    try sides(sample)
    try sample.run("git merge -q --no-edit \(strategy) theirs")
    try sample.expectAttributes(Self.both)
    #expect(try sample.run("git status --porcelain") == "")
  }

  @Test(arguments: [
    "rebase -q theirs", "rebase -q -i --rebase-merges theirs", "rebase -q --onto theirs main",
  ])
  func rebase(_ words: String) throws {
    let sample = try GitSample()
    try sides(sample)
    try sample.run("GIT_SEQUENCE_EDITOR=true git \(words)")
    try sample.expectAttributes(Self.both)
    #expect(try sample.run("git log --format=%s") == "ours\ntheirs\nbase\n")
  }

  @Test func cherryPick() throws {
    let sample = try GitSample()
    try sides(sample)
    try sample.run("git cherry-pick theirs")
    try sample.expectAttributes(Self.both)
  }

  @Test func revert() throws {
    let sample = try GitSample()
    try sides(sample)
    // The revert keeps the line that a later commit has added beside it.
    try sample.write(Self.both)
    try sample.commit("more")
    try sample.run("git revert --no-edit HEAD~1")
    try sample.expectAttributes(["count", "done", "name"])
  }

  @Test func stash() throws {
    let sample = try GitSample()
    try sides(sample)
    try sample.run("git checkout -q main")
    try sample.write(["count", "done", "name"])
    try sample.run("git stash -q && git checkout -q ours && git stash pop -q")
    try sample.expectAttributes(Self.both)
    #expect(try sample.run("git stash list") == "")
  }

  @Test func pull() throws {
    let sample = try GitSample()
    try sides(sample)
    try sample.run("git clone -q -b theirs . ../other && git remote add other ../other")
    try sample.run("git pull -q --no-rebase --no-edit other theirs")
    try sample.expectAttributes(Self.both)
  }

  /// The two merge bases conflict with each other. A base with conflict markers wouldn't be a model.
  @Test func crissCross() throws {
    let sample = try GitSample()
    try sample.branch("one", attributes: ["alpha", "done", "name"])
    try sample.branch("two", at: "main", attributes: ["beta", "done", "name"])
    try sample.run("git tag a one && git tag b two")
    try sample.run("git merge -q --no-edit a && git checkout -q one && git merge -q --no-edit b")
    try sample.write(["alpha", "beta", "color", "done", "name"])
    try sample.commit("color")
    try sample.run("git checkout -q two")
    try sample.write(["alpha", "beta", "count", "done", "name"])
    try sample.commit("count")
    #expect(try sample.run("git merge-base --all one two | wc -l | tr -d ' '").contains("2"))
    try sample.run("git merge -q --no-edit one")
    try sample.expectAttributes(["alpha", "beta", "color", "count", "done", "name"])
  }

  @Test func linkedWorkTreeAndSubfolder() throws {
    let sample = try GitSample()
    try sides(sample)
    try sample.run("git worktree add -q '../linked tree' -b linked ours")
    let linked = "'../linked tree/My App/Modèles'"
    try sample.run("cd \(linked) && git merge -q --no-edit theirs")
    try sample.expectAttributes(["color", "done", "name"])
    try sample.expectAttributes(Self.both, in: "../linked tree/\(GitSample.file)")
    // Also with GIT_DIR, as in hooks.
    try sample.run(
      "cd 'My App' && GIT_DIR=\"$PWD/../.git\" GIT_WORK_TREE=\"$PWD/..\" git merge -q --no-edit theirs"
    )
    try sample.expectAttributes(Self.both)
  }

  @Test func bothCurrentVersions() throws {
    let sample = try GitSample()
    func declare(_ version: String) throws {
      try sample.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>_XCCurrentVersionName</key>
        \t<string>\(version).xcdatamodel</string>
        </dict>
        </plist>

        """, to: "\(GitSample.bundle)/.xccurrentversion")
    }
    for version in ["To do 2", "To do 3"] {
      try sample.write(
        ["done"], to: "\(GitSample.bundle)/\(version).xcdatamodel/contents")
    }
    try declare("To do")
    try sample.commit("versions")
    try sample.run("git checkout -q -b theirs")
    try declare("To do 3")
    try sample.commit("three")
    try sample.run("git checkout -q -b ours main")
    try declare("To do 2")
    try sample.commit("two")
    try sample.run("git merge -q --no-edit theirs")
    #expect(
      try sample.text("\(GitSample.bundle)/.xccurrentversion").contains("To do 3.xcdatamodel"))
  }

  @Test func aTrueConflictStops() throws {
    let sample = try GitSample()
    func change(_ type: String, _ branch: String) throws {
      try sample.run("git checkout -q -b \(branch) main")
      let text = try sample.text()
      try sample.write(
        text.replacingOccurrences(
          of: #"name="done" optional="YES" attributeType="String""#,
          with: #"name="done" optional="YES" attributeType="\#(type)""#), to: GitSample.file)
      try sample.commit(branch)
    }
    try change("Date", "theirs")
    try change("Boolean", "ours")
    let outcome = try sample.shell.run("git merge theirs")
    #expect(outcome.status == 1)
    // The message contains the path of the file, not of a temporary file.
    #expect(outcome.errors.contains("My App/Modèles/To do.xcdatamodeld"))
    let text = try sample.text()
    #expect(text.contains("<<<<<<< ") && text.contains("=======\n") && text.contains(">>>>>>> "))
    #expect(text.contains("\"Date\"") && text.contains("\"Boolean\""))
    #expect(try sample.run("git ls-files -u | wc -l | tr -d ' '").contains("3"))
    try sample.run("git merge --abort")
    try sample.expectAttributes(["done", "name"])
  }

  /// A conflict in the text is merged later.
  @Test func mergeTool() throws {
    let sample = try GitSample(installs: false)
    try sides(sample)
    #expect(try sample.shell.run("git merge -q theirs").status == 1)
    try sample.run("storetool git install")
    try sample.run("git mergetool --tool=storetool-model --no-prompt")
    try sample.expectAttributes(Self.both)
  }
}
