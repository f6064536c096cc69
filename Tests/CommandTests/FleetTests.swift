import Foundation
import PlainSQLite
import SeededRandom
import TestSupport
import Testing

/// `each` processes every store of a large fleet exactly once.
@Suite(.serialized) struct FleetTests {
  private static let count = Soak.times(150)
  private static let kills = Soak.times(6)
  private static let seeds = Seeds.named("FLEET_SEEDS", otherwise: 1...1)
  private static let migrate = ["migrate", "--no-backup"]

  /// A line of a journal.
  private struct Record: Decodable {
    var store: String?
    var outcome: String?
    var code: String?
  }

  private func records(_ journal: String) throws -> [Record] {
    try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").compactMap {
      // A kill can leave an incomplete line.
      try? JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
  }

  /// Returns the exit status of the command for a copy of each kind of store, outside of `each`.
  private func expectedStatuses(_ fleet: FleetFolder) throws -> [String: Int32] {
    var statuses: [String: Int32] = [:]
    for origin in Set(fleet.origins) {
      let line = "cp '\(origin)' copy.sqlite; storetool migrate --no-backup --store copy.sqlite"
      statuses[origin] = try fleet.samples.shell.run(line).status
      try fleet.samples.expect("rm -f copy.sqlite*")
    }
    return statuses
  }

  @Test(arguments: seeds)
  func killedAtRandomMoments(seed: UInt64) throws {
    let fleet = try FleetFolder(count: Self.count, isSpoiled: true)
    let expected = try expectedStatuses(fleet)
    let held = try #require(fleet.origins.firstIndex { $0.hasSuffix("/Todo.sqlite") })
    let holder = try PlainDatabase(fleet.path(held))
    try holder.execute("BEGIN EXCLUSIVE")
    let journal = fleet.samples.folder.path("journal")
    let words = ["each", FleetFolder.stores, "--journal", "journal", "--"] + Self.migrate
    var generator = SeededGenerator(seed: seed)
    let rate = try storesPerSecond(fleet)
    var kills = 0
    while kills < Self.kills {
      // The kills must happen during the first half of the stores, so that work remains.
      let longest = Double(Self.count) / rate / Double(Self.kills)
      let moment = Duration.seconds(Double.random(in: 0...longest, using: &generator))
      let ending = try fleet.samples.run(words, after: moment)
      // The workers of the previous run must first complete their stores.
      if ending.errors.contains("[each.journal-in-use]") { continue }
      try #require(ending.signal == SIGKILL, "seed \(seed): \(ending.errors.suffix(500))")
      kills += 1
    }
    try finish(fleet, words)
    try holder.execute("ROLLBACK")
    try holder.close()
    let isBusy = try records(journal).last { $0.store?.hasSuffix(FleetFolder.name(held)) == true }
    #expect(isBusy?.code == "store.locked", "\(String(describing: isBusy))")
    try finish(fleet, words + [], retrying: true)
    try check(fleet, records(journal), expected, "seed \(seed)")
  }

  /// Waits until all workers of a killed run have ended, and processes the remaining stores.
  private func finish(_ fleet: FleetFolder, _ words: [String], retrying: Bool = false) throws {
    let words = retrying ? Array(words.prefix(4)) + ["--retry-failed"] + words.dropFirst(4) : words
    while true {
      let ending = try fleet.samples.run(words)
      if ending.errors.contains("[each.journal-in-use]") { continue }
      #expect(ending.status == 1, "\(ending.errors.suffix(500))")
      return
    }
  }

  /// Measures the speed of the same command on other stores.
  private func storesPerSecond(_ fleet: FleetFolder) throws -> Double {
    let count = 100
    try fleet.samples.expect("mkdir trial; cp Stores/000* trial/")
    let start = ContinuousClock.now
    _ = try fleet.samples.shell.run("storetool each trial -- migrate --no-backup > out 2> errors")
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    try fleet.samples.expect("rm -r trial")
    return Double(count) / seconds
  }

  /// Checks that each store was either migrated once, or failed as expected. No store is partially migrated.
  private func check(
    _ fleet: FleetFolder, _ records: [Record], _ expected: [String: Int32], _ comment: String
  ) throws {
    var done: [String: Int] = [:]
    var last: [String: Record] = [:]
    for record in records {
      guard let store = record.store else { continue }
      last[store] = record
      if record.outcome == "done" { done[store, default: 0] += 1 }
    }
    for (number, origin) in fleet.origins.enumerated() {
      let store = try #require(
        last.keys.first { $0.hasSuffix(FleetFolder.name(number)) }.map { $0 }, "\(number)")
      let isRight = expected[origin] == 0 ? "done" : "failed"
      #expect(last[store]?.outcome == isRight, "\(comment): \(store), a copy of \(origin)")
      #expect(done[store] == (isRight == "done" ? 1 : nil), "\(comment): \(store)")
    }
    let verified = try fleet.samples.shell.run(
      "storetool each Stores --rows -- migrate status --format ndjson 2> /dev/null")
    let pending = verified.output.split(separator: "\n").filter { $0.contains("\"pending\":true") }
    let mayWait = expected.filter { $0.value != 0 }.keys
      .map { origin in fleet.origins.count { $0 == origin } }.reduce(0, +)
    #expect(pending.count <= mayWait)
    let sound = try fleet.samples.shell.run(
      "storetool each Stores -- verify --format ndjson > findings 2> /dev/null; wc -c < findings | tr -d ' '"
    )
    #expect(sound.output == "0\n", "\(sound.output)")
  }

  /// `each` returns the same rows as a loop, in the order of the stores, with any number of processes.
  @Test func theSameRowsAsALoop() throws {
    let fleet = try FleetFolder(count: Self.count)
    let outcome = try fleet.samples.shell.run(
      """
      fetch='fetch Item --sort name --model Models/Todo.xcdatamodeld'
      storetool each Stores --filter '*[0-9].sqlite' --ordered -- $fetch > each 2> errors
      for store in Stores/*.sqlite; do
        storetool $fetch --store "$store" --format ndjson 2> /dev/null | sed "s#^{#{\\"store\\":\\"$store\\",#"
      done > loop
      cmp each loop && wc -l < each | tr -d ' '; tail -2 errors
      """)
    let todo = fleet.origins.count { $0.contains("/Todo") }
    #expect(outcome.output.hasPrefix("\(todo * 3)\n"), "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.contains(" stores: \(todo) done"))
  }

  /// Killing a worker doesn't lose a store. The store of a killed worker is tried again once, after all other stores.
  /// The test doesn't kill workers during these attempts.
  @Test func aWorkerIsKilled() throws {
    let fleet = try FleetFolder(count: 300, of: "Todo")
    let outcome = try fleet.samples.shell.run(
      """
      storetool each Stores --journal journal -- migrate --no-backup > out 2> errors &
      migrated() { cat journal | grep -c '"outcome":"done"'; }
      until [ $(migrated) -gt 0 ]; do sleep 0.01; done
      for turn in 1 2 3 4 5; do
        kill -STOP $!
        if [ $(migrated) -lt 290 ]; then pkill -KILL -P $! && echo killed; fi
        kill -CONT $!; sleep 0.2
      done
      wait $!; echo $?; migrated; tail -5 errors
      """)
    #expect(outcome.output.hasPrefix("killed\n"), "\(outcome.output)")
    #expect(outcome.output.contains("\n0\n300\n"), "\(outcome.output)")
  }

  /// Printed rows can't be withdrawn, so the store fails, and no row is printed twice.
  @Test func aWorkerIsKilledBetweenRows() throws {
    let fleet = try FleetFolder(count: 1, of: "Todo 2")
    try fleet.samples.expect("storetool seed Item=30000 --seed 5 --store Stores/00000.sqlite")
    let outcome = try fleet.samples.shell.run(
      """
      { storetool each Stores -- fetch Item --ids --format csv 2> errors & echo $! > each
        wait $!; echo $? > status; } |
        { head -c 20000; pkill -KILL -P $(cat each); cat; } > rows
      cat status; tail -n +2 rows | sort | uniq -d | wc -l | tr -d ' '; grep -c worker-ended errors
      """)
    #expect(outcome.output.hasPrefix("1\n0\n"), "\(outcome.output) \(outcome.errors)")
    #expect(!outcome.output.hasSuffix("\n0\n0\n"), "\(outcome.output)")
  }

  /// If the disk of the journal is full, the run ends with the known results. It can be resumed when space is
  /// available.
  @Test(
    .enabled(if: SmallDisk.isAvailable, "a disk can't be mounted in a separate namespace here"))
  func theDiskOfTheJournalIsFull() throws {
    let fleet = try FleetFolder(count: 200, of: "Todo")
    try fleet.samples.folder.write(
      """
      each() { storetool each Stores --journal disk/journal -- migrate --no-backup > /dev/null; }
      each 2> errors; echo $?
      grep -c each.journal-not-written errors
      mount -o remount,size=1M disk
      each 2> errors; echo $?
      tail -1 errors
      grep -o '"store":"[^"]*","outcome":"done"' disk/journal | sort | uniq -c | awk '{print $1}' | sort | uniq -c | sed 's/^ *//'
      """, to: "lines.sh")
    let outcome = try fleet.samples.shell.run(SmallDisk.line("bash lines.sh", kilobytes: 8))
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "74", "\(outcome.output) \(outcome.errors)")
    #expect(lines.dropFirst(2).first == "0", "\(outcome.output) \(outcome.errors)")
    #expect(lines.last == "200 1", "\(outcome.output)")
  }

  /// Ctrl-C ends the run at once. The same command resumes it.
  @Test func cancelled() throws {
    let fleet = try FleetFolder(count: 200, of: "Todo")
    let words = ["each", FleetFolder.stores, "--journal", "journal", "--"] + Self.migrate
    let ending = try fleet.samples.run(words, sending: SIGINT, after: .milliseconds(700))
    #expect(ending.status == 130 || ending.status == 0, "\(ending.errors)")
    if ending.status == 130 { #expect(ending.errors.contains("[cancelled]")) }
    #expect(try fleet.samples.run(words).status == 0)
    let done = try records(fleet.samples.folder.path("journal")).filter { $0.outcome == "done" }
    #expect(done.count == 200)
  }

  /// On a terminal, the user reviews the first stores before the others are processed.
  @Test func theCanaryAsks() throws {
    let fleet = try FleetFolder(count: 20)
    for (answer, done) in [("n", 3), ("y", 20)] {
      let outcome = try fleet.samples.shell.run(
        """
        line='storetool each Stores --canary 3 --rows -- info > out'
        echo \(answer) | python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' bash -c "$line"
        wc -l < out | tr -d ' '
        """)
      #expect(outcome.output.contains("3 done, 0 failed; continue with the remaining 17? [y/N]"))
      #expect(outcome.output.split(whereSeparator: \.isNewline).last == "\(done)")
    }
  }
}
