import RecordFormats
import StoreDiagnostics

/// The combined output of all workers, in which the rows of each store are contiguous. Output that must wait for
/// another store is stored in memory up to a limit. Further output remains in the pipe of the worker.
struct FleetOutput {
  private var column: any StoreColumn
  private let isOrdered: Bool
  /// The output that hasn't been written yet, by the position of the store in the list of all stores.
  private var pending: [Int: Pending] = [:]
  /// The position of the current store, whose rows are written as they arrive; nil if there is none. The output of
  /// other stores waits.
  private var turn: Int?
  /// The first position for which `pass` hasn't been called.
  private var next = 0
  /// The positions after `next` for which `pass` has been called.
  private var isPassed: Set<Int> = []
  /// The number of bytes that finished stores have in `pending`.
  private var waitingBytes = 0
  private var problems: [(place: Int, problem: StoreColumnError)] = []

  private struct Pending {
    var store: LocalPath
    var bytes: [UInt8] = []
    var isEnded = false
    var hasWritten = false
    /// Whether the remaining rows are dropped, because they can't be combined with the rows of other stores.
    var isRefused = false
  }

  /// The maximum number of bytes that are stored for an unfinished store that must wait.
  private static let waitingLimit = 1 << 20
  /// The maximum number of bytes of the current store that are held back until the store is finished.
  private static let heldBack = 16 << 10
  /// The number of waiting bytes of finished stores at which no more stores are started.
  private static let endedLimit = 8 << 20

  /// - Parameter countsRows: Whether the records contain the number of rows that a request found, changed or deleted.
  init(_ column: any StoreColumn, isOrdered: Bool, countsRows: Bool) {
    self.column = column
    self.isOrdered = isOrdered
    counted = countsRows ? 0 : nil
  }

  /// Whether another store can start. It must wait if much output of finished stores waits for a slower store.
  var hasRoom: Bool { waitingBytes < Self.endedLimit }

  /// The number of rows that the command has counted in all stores; nil for a command that doesn't count rows.
  private(set) var counted: Int?

  mutating func begin(_ place: Int, _ store: LocalPath) {
    pending[place] = Pending(store: store)
  }

  /// Marks a store whose output is complete, or that isn't processed. Other stores don't wait for it.
  mutating func pass(_ place: Int) {
    isPassed.insert(place)
    while isPassed.remove(next) != nil { next += 1 }
  }

  /// Returns how many bytes of a store's output may be read now.
  func room(for place: Int) -> Int {
    place == turn ? .max : max(0, Self.waitingLimit - (pending[place]?.bytes.count ?? 0))
  }

  mutating func append(_ bytes: [UInt8], of place: Int) throws {
    pending[place]?.bytes += bytes
    let hadTurn = place == turn
    takeTurn(place)
    // A long record arrives in many pieces. A piece without a line feed can't complete it, so it isn't searched.
    if place == turn, !hadTurn || bytes.contains(UInt8(ascii: "\n")) { try writeIfLong(place) }
  }

  /// - Parameter isWhole: Whether the worker has written all output. Otherwise an incomplete record is dropped.
  mutating func end(_ place: Int, isWhole: Bool) throws {
    guard var ended = pending[place] else { return }
    if !isWhole { ended.bytes.removeSubrange(column.wholeRecords(in: ended.bytes)...) }
    ended.isEnded = true
    pending[place] = ended
    takeTurn(place)
    if place == turn { try leave(place) } else { waitingBytes += ended.bytes.count }
  }

  /// Discards the output of a store that will be retried.
  ///
  /// - Returns: False if some of its rows have already been written. The output is then kept.
  mutating func withdraw(_ place: Int) throws -> Bool {
    guard pending[place]?.hasWritten == false else { return false }
    pending[place]?.bytes = []
    try end(place, isWhole: true)
    return true
  }

  /// Returns the stores whose rows were dropped since the last call, and the reasons.
  mutating func takeProblems() -> [(place: Int, problem: StoreColumnError)] {
    defer { problems = [] }
    return problems
  }

  mutating func finish(_ summary: FleetSummary) throws {
    for place in pending.keys.sorted() { try write(place) }
    try column.finish(summary)
  }

  private func mayWrite(_ place: Int) -> Bool { !isOrdered || place <= next }

  /// Makes a store the current one, unless another store is current or must be written first.
  private mutating func takeTurn(_ place: Int) {
    if turn == nil, mayWrite(place) { turn = place }
  }

  /// Writes the remaining rows of the current store, and then the rows of other finished stores. If an unfinished store
  /// has waiting output, it becomes the current store.
  private mutating func leave(_ place: Int) throws {
    var place = place
    while true {
      try write(place)
      pending[place] = nil
      turn = nil
      pass(place)
      guard let following = following() else { return }
      turn = following
      guard pending[following]?.isEnded == true else { return try writeIfLong(following) }
      waitingBytes -= pending[following]?.bytes.count ?? 0
      place = following
    }
  }

  /// Returns the first store that can be written: a finished one, otherwise one with waiting output.
  private func following() -> Int? {
    let ready = pending.filter { mayWrite($0.key) }
    return ready.filter { $0.value.isEnded }.keys.min()
      ?? ready.filter { !$0.value.bytes.isEmpty }.keys.min()
  }

  /// Writes the output if it is long, or if earlier rows have been written. Short output is held back until the store
  /// is finished, because a store can only be retried before any of its rows have been written.
  private mutating func writeIfLong(_ place: Int) throws {
    guard let current = pending[place] else { return }
    if current.hasWritten || current.bytes.count > Self.heldBack { try write(place) }
  }

  private mutating func write(_ place: Int) throws {
    guard var current = pending[place] else { return }
    let count = column.wholeRecords(in: current.bytes)
    guard count > 0 else { return }
    // The value is removed from the dictionary, so that changing its bytes doesn't copy them.
    pending[place] = nil
    if !current.isRefused {
      do {
        let records = current.bytes.prefix(count)
        if counted != nil {
          for line in records.split(separator: UInt8(ascii: "\n")) {
            counted? += JSONValue(text: line)?.countedRows ?? 0
          }
        }
        try column.write(records, of: current.store, isFirst: !current.hasWritten)
        current.hasWritten = true
      } catch let problem as StoreColumnError {
        problems.append((place, problem))
        current.isRefused = true
      }
    }
    current.bytes.removeSubrange(..<count)
    pending[place] = current
  }
}

extension JSONValue {
  /// The number of rows in the result of `fetch --count`, `batch-update`, `link` or `batch-delete`; 0 for other
  /// results.
  fileprivate var countedRows: Int {
    if let count = self["count"]?.number ?? self["changed"]?.number { return count }
    guard case .object(let deleted)? = self["deleted"]?.content else { return 0 }
    return deleted.reduce(0) { $0 + ($1.value.number ?? 0) }
  }
}
