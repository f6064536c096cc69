import Foundation
import TestSupport
import Testing

/// Tests of the files that run the program in services: `action.yml`, `.pre-commit-hooks.yaml`, and the samples in
/// `docs/ci.md`.
struct ActionTests {
  private static let hasYAML = SampleFolder.canRun("python3 -c 'import yaml'")
  private static let script = BuiltCommand.repository.appending(path: "Scripts/action").path

  private func text(_ file: String) throws -> String {
    try String(
      contentsOf: BuiltCommand.repository.appending(path: file), encoding: .utf8)
  }

  /// Returns a YAML file as JSON, converted by Python.
  private func parsed(_ yaml: String) throws -> Any {
    let folder = try TemporaryFolder()
    let outcome = try BuiltCommand(in: folder.url).run(
      "python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)'",
      input: yaml)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
  }

  @Test(.enabled(if: hasYAML, "Python has no yaml here"))
  func theActionSaysWhatThePageSays() throws {
    let action = try #require(try parsed(text("action.yml")) as? [String: Any])
    let inputs = try #require(action["inputs"] as? [String: [String: Any]])
    let page = try text("docs/ci.md")
    let documented = page.matches(of: #/(?m)^\| `([a-z]+)` \|/#).map { String($0.output.1) }
    let services: Set = ["github", "gitlab", "sarif"]
    #expect(Set(documented).subtracting(services).union(["sarif"]) == Set(inputs.keys))
    let steps = try #require((action["runs"] as? [String: Any])?["steps"] as? [[String: Any]])
    let names = try text("Scripts/action").matches(of: #/(?m)^  ([a-z]+)\) /#)
      .map { String($0.output.1) }
    for step in steps {
      guard let run = step["run"] as? String else { continue }
      // The text of an input is never passed to a shell.
      #expect(!run.contains("${{") && step["shell"] as? String == "bash")
      if let call = run.firstMatch(of: #/Scripts\/action" ([a-z]+)/#) {
        #expect(names.contains(String(call.output.1)))
      }
    }
  }

  @Test(.enabled(if: hasYAML, "Python has no yaml here"))
  func samplesAndHooksAreYAML() throws {
    let samples = try text("docs/ci.md").matches(of: #/```yaml\n([\s\S]*?)```/#)
    #expect(samples.count == 5)
    for sample in samples { _ = try parsed(String(sample.output.1)) }
    let hooks = try #require(try parsed(text(".pre-commit-hooks.yaml")) as? [[String: Any]])
    #expect(hooks.compactMap { $0["id"] as? String } == ["storetool-check", "storetool-generate"])
    for hook in hooks {
      let files = try Regex(#require(hook["files"] as? String))
      #expect("App/My Models/A b.xcdatamodeld/A.xcdatamodel/contents".contains(files))
      #expect("A.xcdatamodel/contents".contains(files))
      #expect(!"README.md".contains(files))
    }
  }

  /// Returns a repository with a change, as a runner checks it out.
  private func checkout() throws -> SampleFolder {
    let samples = try SampleFolder()
    try samples.expect(
      """
      mv Models 'My Models'; git init -q -b main . && git add -A && git commit -q -m base
      sed -i.old 's/"nickname"/"nickName"/' 'My Models'/People.xcdatamodeld/*/contents
      rm 'My Models'/People.xcdatamodeld/*/*.old; git commit -q -a -m change
      """)
    return samples
  }

  private func variables(_ own: [String: String]) -> String {
    own.merging(["MODELS": "My Models", "GITHUB_STEP_SUMMARY": "summary.md"]) { own, _ in own }
      .map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
  }

  @Test func theCommentIsMadeOnceAndKeptUpToDate() throws {
    let samples = try checkout()
    try samples.folder.write(
      """
      #!/bin/bash
      printf '%s\\n' "$*" >> "$LOG"
      [[ $* != *--paginate* ]] || cat known
      for word in "$@"; do [[ $word != body=@* ]] || cat "${word#body=@}" >> "$LOG"; done
      """, to: "bin/gh")
    try samples.folder.write("", to: "known")
    let call = variables([
      "BASE": "main~1", "NUMBER": "7", "COMMENT": "true", "GITHUB_REPOSITORY": "o/r", "LOG": "log",
    ])
    try samples.expect("chmod +x bin/gh; PATH=\"$PWD/bin:$PATH\" \(call) '\(Self.script)' diff")
    try samples.expect(
      "echo 42 > known; PATH=\"$PWD/bin:$PATH\" \(call) '\(Self.script)' diff")
    let log = try samples.expect("cat log")
    let writes = log.split(separator: "\n").filter { $0.hasPrefix("api") && $0.contains("body=@") }
    #expect(writes.count == 2)
    #expect(writes.first?.hasPrefix("api repos/o/r/issues/7/comments -F body=@") == true)
    #expect(writes.last?.hasPrefix("api -X PATCH repos/o/r/issues/comments/42 -F body=@") == true)
    #expect(log.contains("<!-- storetool model diff -->\n### `My Models/People.xcdatamodeld`"))
    #expect(try samples.expect("cat summary.md").contains("| `Person.nickName` | added"))
  }

  @Test func theCheckAnnotatesAndFails() throws {
    let samples = try checkout()
    let call =
      "\(variables(["SARIF": "report.sarif", "MODELS": "My Models/Todo.xcdatamodeld"])) '\(Self.script)' check"
    try samples.expect(call)
    try samples.expect(
      "sed -i.old 's/attributeType=\"Date\"/attributeType=\"Dat\"/' 'My Models'/Todo.xcdatamodeld/*/contents"
    )
    let outcome = try samples.shell.run(call)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.hasPrefix(
        "::error file=My Models/Todo.xcdatamodeld/Todo.xcdatamodel/contents,line=4,"))
    #expect(try samples.expect("cat report.sarif").contains("model.unknown-word"))
    #expect(try samples.shell.run("'\(Self.script)' other").status == 64)
  }

  @Test func theProgramIsKeptByWhatItIsMadeFrom() throws {
    let samples = try SampleFolder()
    try samples.expect(
      """
      mkdir -p copy/Sources; cp -r "$(dirname '\(Self.script)')" copy/Scripts; echo > copy/Package.swift
      for text in one two one; do
        echo "$text" > copy/Sources/a.swift
        GITHUB_OUTPUT=out RUNNER_TEMP=/tmp RUNNER_OS=Linux RUNNER_ARCH=X64 copy/Scripts/action find
      done
      """)
    let keys = try samples.expect("grep key= out").split(separator: "\n")
    #expect(keys.count == 3 && keys[0] == keys[2] && keys[0] != keys[1])
    #expect(keys[0].hasPrefix("key=storetool-Linux-X64-"))
  }
}
