import Foundation
import SeededRandom
import TestSupport
import Testing

/// Commands that write files other than the rows of a store, stopped at many of the calls that change files.
///
/// Each file must have its content before or after the command, and the same command must complete the work.
/// `StockFolder.commands` contains the commands that write rows.
@Suite(.enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"))
struct FileCommandTests {
  private let samples: SampleFolder
  /// A copy of the folder, and the number of calls.
  private let kept: TemporaryFolder

  static let todo = "Models/Todo.xcdatamodeld"
  static let renumber = [
    "model", "renumber", "Todo 3", "Todo 4", "--model", "Both.xcdatamodeld", "--theirs",
    "theirs.xml", "--keep",
  ]
  static let commands: [[String]] = [
    ["create", "new.sqlite", "--model", todo],
    ["seed", "Item=20", "--create", "--store", "new.sqlite", "--model", todo, "--seed", "7"],
    ["anonymize", "--rules", "rules.txt", "--key-file", "key", "--output", "new.sqlite"],
    ["model", "compile", todo, "--output", "Todo.momd"],
    ["model", "decompile", todo, "--output", "Back.xcdatamodeld"],
    ["model", "format", "Loose.xcdatamodeld"],
    ["model", "lock", todo],
    ["model", "merge", "base.xml", "ours.xml", "theirs.xml", "--output", "ours.xml"],
    renumber + ["ours"],
    renumber + ["theirs"],
    ["model", "diagram", todo, "--output", "drawing.svg"],
    ["model", "docs", todo, "--output", "page.md"],
    ["generate", "Models", "--output", "Generated"],
    ["migrate", "new", "Todo", "Todo 2", "--model", todo],
    [
      "migrate", "matrix", "--model", todo, "--rows", "3", "--baseline", "accepted.txt",
      "--write-baseline",
    ],
    ["git", "install"],
    ["git", "uninstall"],
  ]

  init() throws {
    samples = try SampleFolder()
    kept = try TemporaryFolder()
    try samples.expect(
      """
      export STORETOOL_MODEL=\(Self.todo)
      storetool create
      storetool seed Item=40 --seed 7
      storetool anonymize --print-rules > rules.txt; echo 'a key for the trials' > key
      cp -R \(Self.todo) Loose.xcdatamodeld
      for file in Loose.xcdatamodeld/*/contents; do tr '\\n' ' ' < "$file" > loose; cat loose > "$file"; done
      cp '\(Self.todo)/Todo 2.xcdatamodel/contents' base.xml
      sed 's|name="done"|name="finished"|' base.xml > ours.xml
      sed '/name="name"/s|$|<attribute name="size" optional="YES" attributeType="Double"/>|' base.xml > theirs.xml
      cp -R \(Self.todo) Both.xcdatamodeld
      cp -R 'Both.xcdatamodeld/Todo 2.xcdatamodel' 'Both.xcdatamodeld/Todo 3.xcdatamodel'
      cp ours.xml 'Both.xcdatamodeld/Todo 3.xcdatamodel/contents'
      rm loose; git init -q -b main .
      """)
  }

  @Test(arguments: commands)
  func killed(_ words: [String]) throws {
    let stopped = try stop(words, by: .kill) { ending in ending.signal == SIGKILL }
    #expect(stopped > 0)
  }

  /// A command that has begun to rename its files can also complete the work.
  @Test(arguments: commands)
  func interrupted(_ words: [String]) throws {
    try stop(words, by: .interrupt) { ending in
      ending.status == 130 || ending.signal == SIGINT
    }
  }

  @Test(arguments: commands)
  func theDiskIsFull(_ words: [String]) throws {
    try stop(words, by: .full) { ending in
      guard ending.status != 0 else { return false }
      #expect(ending.status == 74, "\(words): \(ending)")
      return true
    }
  }

  /// - Parameter isStopped: whether the command ended early.
  /// - Returns: the number of runs that ended early.
  @discardableResult
  private func stop(
    _ words: [String], by action: FaultInjection.Action,
    _ isStopped: (SampleFolder.Ending) throws -> Bool
  ) throws -> Int {
    if words == ["git", "uninstall"] { try samples.expect("storetool git install") }
    try samples.expect("cp -a . '\(kept.path("before"))'")
    let before = try files()
    let total = kept.path("total")
    let undisturbed = try samples.run(
      words, environment: FaultInjection.counting(.files, into: total))
    #expect(undisturbed.status == 0, "\(undisturbed.errors)")
    let calls = try #require(Int(String(contentsOfFile: total, encoding: .utf8)))
    try #require(calls > 0)
    let after = try files()
    #expect(before != after)
    var stopped = 0
    for call in stride(from: 1, through: calls, by: max(1, calls / Soak.times(3))) {
      try samples.expect("find . -mindepth 1 -delete; cp -a '\(kept.path("before"))'/. .")
      let fault = FaultInjection(counted: .files, call: call, action: action)
      let ending = try samples.run(words, environment: fault.environment)
      let place = "\(action) at call \(call) of \(calls): \(ending)"
      let found = try files()
      for (path, content) in found where !Self.isDraft(path) {
        let isWhole = content == before[path] || content == after[path]
        #expect(isWhole, "\(place): \(path)")
      }
      for path in before.keys where after[path] != nil {
        #expect(found[path] != nil, "\(place): \(path) is gone")
      }
      // Renumbering keeps each content under its old or its new name.
      let content = Set(found.values)
      for (path, bytes) in before where Set(after.values).contains(bytes) {
        #expect(content.contains(bytes), "\(place): the content of \(path) is gone")
      }
      if try isStopped(ending) { stopped += 1 } else { #expect(found == after, "\(place)") }
      // A killed process can't clean up after itself.
      if action != .kill { #expect(found.keys.filter(Self.isDraft) == [], "\(place)") }
      guard found.filter({ !Self.isDraft($0.key) }) != after else { continue }
      let again = try samples.run(words)
      #expect(again.status == 0, "\(place): again: \(again)")
      #expect(try files() == after, "\(place): again")
    }
    return stopped
  }

  /// The content of each file by its path. For a store, it is the content that is the same in each run.
  private func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: samples.folder.url.path) {
      let full = samples.folder.path(path)
      guard let bytes = FileManager.default.contents(atPath: full) else { continue }
      files[path] =
        path == "new.sqlite" ? try storeContent() : String(decoding: bytes, as: UTF8.self)
    }
    return files
  }

  private func storeContent() throws -> String {
    try samples.expect(
      "storetool verify --store new.sqlite --model \(Self.todo) && "
        + "storetool export --store new.sqlite --model \(Self.todo) | "
        + "sed 's|x-coredata://[^/]*||g'")
  }

  /// Whether a file is a draft, or belongs to a draft.
  private static func isDraft(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") && $0.contains(".new") }
      || path == ".git/config.lock"
  }
}
