import Foundation
import TestSupport
import Testing

/// Tests of completion by TAB in real shells on a terminal. `Scripts/press-tab` presses the keys.
struct CompletionTests {
  /// A typed line, and the line after TAB.
  private struct Press {
    var typed: String
    var line: String
    var offered: [String] = []
    var isNotOffered: [String] = []
  }

  /// Lines in a folder with stores of People and Company. All shells are tested with all lines.
  private static let presses = [
    // Commands, options, and fixed values.
    Press(typed: "storetool fe", line: "storetool fetch "),
    Press(typed: "storetool model dia", line: "storetool model diagram "),
    Press(typed: "storetool fetch Person --cou", line: "storetool fetch Person --count "),
    Press(
      typed: "storetool fetch Person --format nd", line: "storetool fetch Person --format ndjson "),
    // Entities of all stores in the folder, of a specified store, and of a specified model.
    Press(
      typed: "storetool fetch ", line: "storetool fetch ",
      offered: ["City", "Department", "Employee", "Group", "Manager", "Person"],
      isNotOffered: ["Product", "Item"]),
    Press(
      typed: "storetool fetch --store People.sqlite ",
      line: "storetool fetch --store People.sqlite ",
      offered: ["City", "Group", "Person"], isNotOffered: ["Employee"]),
    Press(
      typed: "storetool model diagram Models/Shop.xcdatamodeld --entity P",
      line: "storetool model diagram Models/Shop.xcdatamodeld --entity Product "),
    Press(
      typed: "storetool export City Gr", line: "storetool export City Group "),
    // Key paths, name by name, also in lists and predicates.
    Press(
      typed: "storetool fetch Employee --sort name,-sa",
      line: "storetool fetch Employee --sort name,-salary "),
    Press(
      typed: "storetool fetch Employee --sort dep",
      line: "storetool fetch Employee --sort department."),
    Press(
      typed: "storetool fetch Employee --sections department.n",
      line: "storetool fetch Employee --sections department.name "),
    Press(
      typed: "storetool fetch Employee --where 'age > 5 AND dep",
      line: "storetool fetch Employee --where 'age > 5 AND department",
      offered: ["department", "department."]),
    Press(
      typed: "storetool fetch Employee --where 'department.na",
      line: "storetool fetch Employee --where 'department.name"),
    Press(
      typed: "storetool fetch Employee --where 'name == \"dep",
      line: "storetool fetch Employee --where 'name == \"dep", isNotOffered: ["department"]),
    // Templates and their variables.
    Press(
      typed: "storetool apply-template peopleBornB",
      line: "storetool apply-template peopleBornBetween "),
    Press(
      typed: "storetool apply-template peopleFR ", line: "storetool apply-template peopleFR NAME="),
    Press(
      typed: "storetool apply-template peopleBornBetween FROM=1990-01-01 ",
      line: "storetool apply-template peopleBornBetween FROM=1990-01-01 UNTIL="),
    Press(
      typed: "storetool apply-template peopleFR NAME=Ray --sort bir",
      line: "storetool apply-template peopleFR NAME=Ray --sort birthday "),
    // Values for new rows.
    Press(
      typed: "storetool insert Employee age=3 na", line: "storetool insert Employee age=3 name="),
    Press(
      typed: "storetool insert Employee age=3 ", line: "storetool insert Employee age=3 ",
      offered: ["name=", "department:="], isNotOffered: ["age="]),
    Press(
      typed: "storetool batch-update Person isActive=f",
      line: "storetool batch-update Person isActive=false "),
    Press(
      typed: "storetool insert Employee 'department:=(na",
      line: "storetool insert Employee 'department:=(name"),
    // Versions, whose names contain spaces, and stores.
    Press(
      typed: "storetool migrate new --model Models/Journal.xcdatamodeld 'Journal 5",
      line: "storetool migrate new --model Models/Journal.xcdatamodeld 'Journal 5' "),
    Press(
      typed: "storetool create --model Models/Todo.xcdatamodeld --model-version T",
      line: "storetool create --model Models/Todo.xcdatamodeld --model-version Todo",
      offered: ["Todo", "Todo 2"]),
    Press(typed: "storetool info --store C", line: "storetool info --store Company.sqlite "),
    // The formats that only this command accepts.
    Press(typed: "storetool verify --format gith", line: "storetool verify --format github "),
    Press(
      typed: "storetool model show --format out", line: "storetool model show --format outline "),
    // Without stores and models, there are no completions.
    Press(typed: "storetool fetch --model no/such ", line: "storetool fetch --model no/such "),
  ]

  private static let shells = ["bash", "zsh", "fish"].filter {
    SampleFolder.canRun("command -v \($0)")
  }
  private static let areHere = shells.count == 3 && SampleFolder.canRun("command -v python3")

  @Test(
    .enabled(if: areHere, "bash, zsh, fish or python3 isn't installed"),
    arguments: ["bash", "zsh", "fish"])
  func tabOffersWhatTheModelHas(in shell: String) throws {
    let samples = try SampleFolder()
    try samples.expect(
      """
      storetool create --model Models/People.xcdatamodeld
      storetool create --model Models/Company.xcdatamodeld
      """)
    for (press, answer) in zip(
      Self.presses, try Self.press(Self.presses.map(\.typed), in: shell, samples))
    {
      #expect(answer.line == press.line)
      for name in press.offered { #expect(answer.offered.contains(name), "\(press.typed)") }
      for name in press.isNotOffered { #expect(!answer.offered.contains(name), "\(press.typed)") }
    }
  }

  /// bash expands the arguments of its functions.
  @Test(
    .enabled(if: areHere, "bash, zsh, fish or python3 isn't installed"),
    arguments: ["bash", "zsh", "fish"])
  func aNameInAModelIsNeverRun(by shell: String) throws {
    let samples = try SampleFolder()
    try samples.expect(
      "sed -i.old 's/\"Item\"/\"$(touch${IFS}run)`touch${IFS}run`\"/' Models/Todo.xcdatamodeld/*/contents"
    )
    let typed = "storetool fetch --model Models/Todo.xcdatamodeld "
    let answer = try Self.press([typed], in: shell, samples)
    #expect(answer[0].offered.contains("touch"))
    #expect(try samples.shell.run("test -e run").status == 1)
  }

  /// Readline breaks words at `=`. For zsh, the completion declares that a value can follow.
  @Test(
    .enabled(if: areHere, "bash, zsh, fish or python3 isn't installed"),
    arguments: ["bash", "zsh", "fish"])
  func anEqualsSignIsAsGoodAsABlank(in shell: String) throws {
    let shop = "storetool fetch --model=Models/Shop.xcdatamodeld "
    let answers = try Self.press(
      [
        "storetool fetch --format=ndj", "\(shop)Pr", "\(shop)Product --sections=cou",
        "\(shop)Product --sort=price,-cou",
      ], in: shell, SampleFolder())
    #expect(
      answers.map(\.line) == [
        "storetool fetch --format=ndjson ", "\(shop)Product ", "\(shop)Product --sections=country ",
        "\(shop)Product --sort=price,-country ",
      ])
  }

  private static func press(
    _ lines: [String], in shell: String, _ samples: SampleFolder
  ) throws -> [(line: String, offered: String)] {
    let script = BuiltCommand.repository.appending(path: "Scripts/press-tab").path
    let words = lines.map { "'\($0.replacingOccurrences(of: "'", with: "'\\''"))'" }
    let output = try samples.expect("'\(script)' \(shell) \(words.joined(separator: " "))")
    var answers: [(line: String, offered: String)] = []
    for line in output.split(separator: "\n") {
      if line.hasPrefix("  "), !answers.isEmpty {
        answers[answers.count - 1].offered += line.dropFirst(2).replacing("\\", with: "") + "\n"
      } else {
        answers.append((String(line), ""))
      }
    }
    // bash prints whole lines, which begin with the typed words.
    return zip(lines, answers).map { typed, answer in
      guard shell == "bash" else { return answer }
      let word = typed.firstIndex(of: "'") ?? typed.lastIndex(of: " ") ?? typed.startIndex
      return (answer.line, String(answer.offered.dropFirst(typed[..<word].count)))
    }
  }

  /// The completion never prints an error, because the text would be inserted in the user's line.
  @Test(arguments: [
    "fetch -- positional@0 2 0 storetool fetch ''", "fetch -- --where", "nothing -- --where 1 1",
    "",
  ])
  func aRequestIsNeverAnsweredWithAnError(_ request: String) throws {
    let samples = try SampleFolder()
    try samples.expect("rm -r Models; mkdir Models; echo broken > Models/contents; echo > A.sqlite")
    let outcome = try samples.shell.run("storetool ---completion \(request)")
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.allSatisfy { $0 == "\n" })
  }

  /// TAB doesn't wait long for a lock.
  @Test func aLockedStoreIsNotWaitedFor() throws {
    let samples = try SampleFolder()
    try samples.expect("storetool create --model Models/Todo.xcdatamodeld")
    let database = samples.folder.url.appending(path: "Todo.sqlite").path
    try samples.expect(
      """
      python3 - '\(database)' <<'END'
      import sqlite3, subprocess, sys, time
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute("PRAGMA journal_mode=DELETE"); store.execute("BEGIN EXCLUSIVE")
      subprocess.run(["storetool", "---completion", "fetch", "--", "positional@0", "2", "0", "storetool", "fetch", ""],
        check=True, timeout=15)
      END
      """)
  }

  /// The completion of an argument that accepts a name offers the names in the model.
  @Test func everyNameOfTheModelIsOffered() throws {
    let dump = try SampleFolder().expect("storetool --experimental-dump-help")
    let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.utf8))
    let silent = tool.command.arguments().filter { _, argument in
      argument.isOfModel && argument.completionKind?.custom == nil
    }
    #expect(
      silent.map { "\($0.line) \($0.argument.valueName ?? "")" } == [],
      "each needs a 'completion:' of CompletionKind+Model.swift")
  }

  private struct Tool: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var shouldDisplay: Bool?
    var subcommands: [Command]?
    var arguments: [Argument]?

    func arguments(below parent: String = "") -> [(line: String, argument: Argument)] {
      // Users don't type hidden options.
      guard shouldDisplay != false else { return [] }
      let line = parent + commandName
      let own = (arguments ?? []).map { (line: line, argument: $0) }
      return own + (subcommands ?? []).flatMap { $0.arguments(below: line + " ") }
    }
  }

  private struct Argument: Decodable {
    struct Kind: Decodable {
      struct Empty: Decodable {}
      var custom: Empty?
    }

    struct Name: Decodable {
      var name: String
    }

    var kind: String
    var valueName: String?
    var preferredName: Name?
    var completionKind: Kind?

    var isOfModel: Bool {
      guard kind != "flag" else { return false }
      let names: Set = [
        "entity", "entities", "template", "version", "predicate", "key path", "key=value",
        "VAR=value",
      ]
      return names.contains(valueName ?? "") || names.contains(preferredName?.name ?? "")
    }
  }
}
