import Foundation
import StoreMigration

/// One store: it is created with the first version of the model, migrated to the current version, and then used by many
/// tasks over two open stores, as by two programs.
struct Round {
  private static let oldRows = 200
  private static let steps = 40

  private struct Expected: Error {}

  let seed: UInt64

  func run() async throws -> Totals {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("Journal.sqlite").path
    var random = SeededRandom(seed: seed)

    let old = try await PersistentStore.create(path, schema: JournalV1.self)
    try await old.batchInsert(
      (0..<Self.oldRows).map { JournalV1.Entry(day: "2026-11-28", title: "old \($0)") })
    try await old.close()
    let store = try await PersistentStore.open(
      path, schema: JournalModel.self, migrating: .automatic,
      options: .init(lockTimeout: .seconds(60), readers: Int.random(in: 0...4, using: &random)))
    let migrated = try await store.fetch(Entry.all.count)
    check(migrated == Self.oldRows, "seed \(seed): \(migrated) rows after the migration")
    let other = try await PersistentStore.open(
      path, schema: JournalModel.self, options: .init(lockTimeout: .seconds(60)))

    let observers = [
      Task { try await observeCount(of: store) }, Task { try await observeCount(of: other) },
      Task { try await observeList(of: store) },
    ]
    var totals = Totals()
    try await withThrowingTaskGroup(of: Totals.self) { group in
      for number in 0..<4 {
        let (writer, reader) = (random.next(), random.next())
        let used = number == 3 ? other : store
        group.addTask { try await write(to: used, "w\(number)", SeededRandom(seed: writer)) }
        group.addTask { try await read(from: used, SeededRandom(seed: reader)) }
      }
      let canceller = random.next()
      group.addTask { try await cancel(in: store, SeededRandom(seed: canceller)) }
      for try await part in group { totals.add(part) }
    }

    let count = try await store.fetch(Entry.all.count)
    check(
      count == Self.oldRows + totals.rows,
      "seed \(seed): \(count) rows instead of \(Self.oldRows + totals.rows)")
    // The last row ends the observers.
    try await store.create(Entry(title: "end"))
    for observer in observers {
      let part = try await observer.value
      totals.add(part)
    }
    try await other.close()
    try await store.close()
    return totals
  }

  // MARK: Tasks

  private func write(
    to store: PersistentStore, _ name: String, _ random: SeededRandom
  ) async throws -> Totals {
    var (random, totals) = (random, Totals())
    var ids: [Entry.ID] = []
    for step in 0..<Self.steps {
      let title = "\(name) \(step)"
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        ids.append(try await store.create(Entry(title: title)))
        totals.rows += 1
      case 2:
        guard let id = ids.randomElement(using: &random) else { continue }
        try await store.update(id) { $0.body = title }
      case 3:
        guard !ids.isEmpty else { continue }
        let id = ids.remove(at: Int.random(in: ids.indices, using: &random))
        try await store.delete(id)
        totals.rows -= 1
      case 4:
        try await store.batchUpdate(Entry.self) { $0.isFavourite = true }
          .where(.begins(\.title, with: "\(name) "))
      default:
        let fails = Bool.random(using: &random)
        do {
          try await store.transaction { transaction in
            let first = try transaction.create(Entry(title: title))
            try transaction.create(Entry(title: title))
            try transaction.delete(first)
            if fails { throw Expected() }
          }
          totals.rows += 1
        } catch is Expected {
          totals.rollbacks += 1
        }
      }
      totals.writes += 1
    }
    return totals
  }

  private func read(from store: PersistentStore, _ random: SeededRandom) async throws -> Totals {
    var (random, totals) = (random, Totals())
    for _ in 0..<Self.steps {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let counts = try await store.read { snapshot in
          let titles = try snapshot.fetch(Entry.all.select(\.title))
          return [titles.count, try snapshot.fetch(Entry.all.count)]
        }
        check(counts[0] == counts[1], "seed \(seed): a snapshot contains \(counts) rows")
      case 1:
        var count = 0
        for try await batch in store.stream(Entry.all, batchSize: 50) { count += batch.count }
        check(count >= Self.oldRows, "seed \(seed): a stream contains \(count) rows")
      case 2: _ = try await store.fetch(Entry.all.ordered(by: \.title).limit(20))
      default: _ = try await store.first(Entry.all.where(\.isFavourite == true))
      }
      totals.reads += 1
    }
    return totals
  }

  /// Cancels transactions of ten rows. Each of them inserts all of its rows or none.
  private func cancel(in store: PersistentStore, _ random: SeededRandom) async throws -> Totals {
    var (random, totals) = (random, Totals())
    for step in 0..<Self.steps / 2 {
      let title = "cancelled \(step)"
      let task = Task {
        try await store.transaction { transaction in
          for _ in 0..<10 { try transaction.create(Entry(title: title)) }
        }
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &random)))
      task.cancel()
      do { try await task.value } catch is CancellationError { totals.cancellations += 1 }
      let count = try await store.fetch(Entry.all.where(\.title == title).count)
      check(count == 0 || count == 10, "seed \(seed): \(count) rows of a cancelled transaction")
      totals.rows += count
    }
    return totals
  }

  private func observeCount(of store: PersistentStore) async throws -> Totals {
    var totals = Totals()
    for try await hasEnded in store.values(of: Entry.all.where(\.title == "end").count) {
      totals.results += 1
      if hasEnded == 1 { break }
    }
    return totals
  }

  /// Applies the changes of a list to a copy, which must always have the rows of the list.
  private func observeList(of store: PersistentStore) async throws -> Totals {
    var totals = Totals()
    let results = try await store.liveResults(Entry.all.ordered(by: \.title))
    var count = results.list.count
    for try await change in results.changes(since: results.list) {
      count += change.difference.insertions.count - change.difference.deletions.count
      check(count == change.list.count, "seed \(seed): a list has \(change.list.count) rows")
      totals.results += 1
      let rows = try await results.rows(change.list.objectIDs)
      if rows.contains(where: { $0?.title == "end" }) { break }
    }
    return totals
  }
}
