import RecordFormats
import StoreDiagnostics

/// What all workers write as one stream, the rows of one store together. What can't be written yet, since another
/// store has its turn, waits in memory up to a limit, and then in the worker itself.
struct FleetOutput {
  private var column: any StoreColumn
  private let isOrdered: Bool
  /// By the store's place.
  private var pending: [Int: Pending] = [:]
  /// The store whose rows are written as they come.
  private var turn: Int?
  /// The first store, in order, that has not ended.
  private var next = 0
  private var isPassed: Set<Int> = []
  /// Of those that have ended.
  private var waitingBytes = 0
  private var problems: [(place: Int, problem: StoreColumnError)] = []

  private struct Pending {
    var store: FilePath
    var bytes: [UInt8] = []
    var isEnded = false
    var hasWritten = false
    /// What is left of its rows is left out.
    var isRefused = false
  }

  /// Of a store that has not ended and does not have its turn, in bytes.
  private static let waitingLimit = 1 << 20
  /// Of the store that has its turn, before its first rows are written, in bytes.
  private static let heldBack = 16 << 10
  /// Of all stores that have ended before those ahead of them.
  private static let endedLimit = 8 << 20

  init(_ column: any StoreColumn, isOrdered: Bool) {
    self.column = column
    self.isOrdered = isOrdered
  }

  /// Whether what is to come finds room: not where much of what ended waits for a slower store.
  var hasRoom: Bool { waitingBytes < Self.endedLimit }

  var counted: Int? { column.counted }

  mutating func begin(_ place: Int, _ store: FilePath) {
    pending[place] = Pending(store: store)
  }

  /// A store that is not worked on is waited for by no other.
  mutating func pass(_ place: Int) {
    isPassed.insert(place)
    while isPassed.remove(next) != nil { next += 1 }
  }

  /// How many bytes of a store may be read now.
  func room(for place: Int) -> Int {
    place == turn ? .max : max(0, Self.waitingLimit - (pending[place]?.bytes.count ?? 0))
  }

  mutating func append(_ bytes: [UInt8], of place: Int) throws {
    pending[place]?.bytes += bytes
    let hadTurn = place == turn
    takeTurn(place)
    // A long record comes in many pieces: only a line feed may have ended it.
    if place == turn, !hadTurn || bytes.contains(UInt8(ascii: "\n")) { try writeIfLong(place) }
  }

  /// - Parameter isWhole: whether the worker has written all; else a record that was cut off is left out.
  mutating func end(_ place: Int, isWhole: Bool) throws {
    guard var ended = pending[place] else { return }
    if !isWhole { ended.bytes.removeSubrange(column.wholeRecords(in: ended.bytes)...) }
    ended.isEnded = true
    pending[place] = ended
    takeTurn(place)
    if place == turn { try leave(place) } else { waitingBytes += ended.bytes.count }
  }

  /// Forgets what a store that is to be tried again has written so far.
  ///
  /// - Returns: false where rows of it have been put out, which can't be taken back.
  mutating func withdraw(_ place: Int) throws -> Bool {
    guard pending[place]?.hasWritten == false else { return false }
    pending[place]?.bytes = []
    try end(place, isWhole: true)
    return true
  }

  /// Stores whose rows were left out, and why, since this was asked for the last time.
  mutating func takeProblems() -> [(place: Int, problem: StoreColumnError)] {
    defer { problems = [] }
    return problems
  }

  mutating func finish(_ summary: FleetSummary) throws {
    for place in pending.keys.sorted() { try write(place) }
    try column.finish(summary)
  }

  private func mayWrite(_ place: Int) -> Bool { !isOrdered || place <= next }

  private mutating func takeTurn(_ place: Int) {
    if turn == nil, mayWrite(place) { turn = place }
  }

  /// Lets the next one have its turn, and all behind it that have ended meanwhile.
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

  /// The first that may be written: one that has ended, else one that has something to be written.
  private func following() -> Int? {
    let ready = pending.filter { mayWrite($0.key) }
    return ready.filter { $0.value.isEnded }.keys.min()
      ?? ready.filter { !$0.value.bytes.isEmpty }.keys.min()
  }

  /// Holds a few rows back until the store has ended: until then it can be tried again.
  private mutating func writeIfLong(_ place: Int) throws {
    guard let current = pending[place] else { return }
    if current.hasWritten || current.bytes.count > Self.heldBack { try write(place) }
  }

  private mutating func write(_ place: Int) throws {
    guard var current = pending[place] else { return }
    let count = column.wholeRecords(in: current.bytes)
    guard count > 0 else { return }
    // Taken out, so that the bytes are not copied to be changed.
    pending[place] = nil
    if !current.isRefused {
      do {
        try column.write(
          current.bytes.prefix(count), of: current.store, isFirst: !current.hasWritten)
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
