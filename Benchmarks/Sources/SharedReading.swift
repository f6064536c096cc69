import Foundation
import GRDB
import StoreEngine

/// Compares the reads per second of several tasks on one open store with GRDB's `DatabasePool`, in turns.
enum SharedReading {
  private static let turns = 5
  private static let window = Duration.seconds(1)
  private static let taskCounts = [1, 2, 4, 8]

  /// A read, which both libraries run.
  private enum Question: CaseIterable {
    case oneRow
    case page

    var name: String {
      switch self {
      case .oneRow: "one row by its key"
      case .page: "100 rows of a priority"
      }
    }
  }

  static func run(_ rows: Int) async throws {
    let errands = try await ErrandStore(rows)
    defer { try? errands.remove() }
    let store = try await errands.open()
    let pool = try DatabasePool(path: errands.path)
    print("reads per second".padded(26), "tasks      ours      GRDB   ratio   limit")
    for question in Question.allCases {
      for tasks in taskCounts {
        var (ours, theirs, ratios) = (Samples(), Samples(), Samples())
        for turn in 0...turns {
          let mine = try await readsPerSecond(by: tasks) { number in
            try await read(question, from: number, in: store)
          }
          let other = try await readsPerSecond(by: tasks) { number in
            try await read(question, from: number, in: pool)
          }
          // The first turn is a warm-up, which also opens connections.
          guard turn > 0 else { continue }
          ours.append(mine)
          theirs.append(other)
          ratios.append(mine / other)
        }
        print(
          question.name.padded(26), "\(tasks)".leftPadded(5), ours.median.digits(0, width: 9),
          theirs.median.digits(0, width: 9), ratios.median.digits(2, width: 7),
          1.0.digits(1, width: 7))
      }
    }
    try pool.close()
    try await store.close()
  }

  /// Runs reads in each task until the time is over.
  private static func readsPerSecond(
    by tasks: Int, _ read: @escaping @Sendable (Int64) async throws -> Int
  ) async throws -> Double {
    let start = ContinuousClock.now
    let end = start + window
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var (count, number) = (0, Int64(task * 7_919))
          while ContinuousClock.now < end {
            number = (number &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            guard try await read(number) > 0 else { preconditionFailure("a read returned no rows") }
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) * 1_000 / (ContinuousClock.now - start).inMilliseconds
  }

  /// Returns a key that exists in every store of this benchmark.
  private static func key(_ number: Int64) -> Int64 { 1 + number % 90_000 }

  private static func read(
    _ question: Question, from number: Int64, in store: PersistentStore
  ) async throws -> Int {
    switch question {
    case .oneRow:
      let id = ObjectID(store: nil, entity: "Errand", primaryKey: key(number))
      guard let id = TypedObjectID<Errand>(id), let row = try await store.object(id) else {
        return 0
      }
      return row.value.name.utf8.count
    case .page:
      let priority = Int16(number % 5)
      return try await store.fetch(Errand.all.where(\.priority == priority).limit(100)).count
    }
  }

  private static func read(
    _ question: Question, from number: Int64, in pool: DatabasePool
  ) async throws -> Int {
    let columns = "Z_PK, ZCREATEDAT, ZDONE, ZNAME, ZNOTE, ZPRIORITY"
    let (sql, argument) =
      switch question {
      case .oneRow: ("SELECT \(columns) FROM ZERRAND WHERE Z_PK = ?", key(number))
      case .page:
        (
          "SELECT \(columns) FROM ZERRAND WHERE ZPRIORITY = ? ORDER BY Z_PK LIMIT 100", number % 5
        )
      }
    let records = try await pool.read { database in
      try ErrandByPosition.fetchAll(database.cachedStatement(sql: sql), arguments: [argument])
    }
    return records.count
  }
}
