import SQLiteAccess
import StoreCore

/// The current result of a request, followed by each result that differs from the previous one.
/// `PersistentStore.values(of:)` creates it.
///
/// Changes are detected regardless of their source, as for `LiveResults`. The request is run when the program waits for
/// the next result, so several writes can lead to one result, and results aren't queued for a slow program. Two results
/// are equal if the same rows were read for both, or if the results are `Equatable` and equal.
///
/// The sequence ends when the store is closed. It throws `CancellationError` if the task is cancelled, `StoreError` if
/// the store can't be read, and the errors of `fetch`. If the store is locked, or busy with other requests, the
/// sequence tries again unless it hasn't returned a result yet.
public struct StoreValues<Output: Sendable>: AsyncSequence, Sendable {
  let store: PersistentStore
  let read: @Sendable (StoreSnapshot) throws -> Output

  /// Returns an iterator that starts with the current result.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(store: store, read: read)
  }

  /// An iterator over the results of a request.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private struct Reading {
      var output: Output
      var digest: Int
    }

    private let store: PersistentStore
    private let read: @Sendable (StoreSnapshot) throws -> Output
    /// Nil before the first result.
    private var writes: WriteCounter?
    /// The number of writes before the last reading.
    private var seenWrites = 0
    private var last: Reading?
    private var isOver = false

    init(store: PersistentStore, read: @escaping @Sendable (StoreSnapshot) throws -> Output) {
      self.store = store
      self.read = read
    }

    /// Returns the next result, or `nil` after the store was closed.
    ///
    /// - Returns: the next result.
    /// - Throws: the errors of the request; `CancellationError`.
    public mutating func next() async throws -> Output? {
      guard !isOver else { return nil }
      do {
        if let output = try await nextOutput() { return output }
        isOver = true
        return nil
      } catch {
        isOver = true
        throw error
      }
    }

    private mutating func nextOutput() async throws -> Output? {
      guard let writes, var last else {
        let following = store.following
        writes = try await following.add { _, _ in WriteCounter(in: following) }
        do {
          let reading = try await reading()
          last = reading
          return reading.output
        } catch let error as StoreError where error.reason == .closed {
          return nil
        }
      }
      while let count = try await writes.next(after: seenWrites) {
        do {
          let reading = try await reading()
          seenWrites = count
          let isSame =
            reading.digest == last.digest || areEqual(reading.output, last.output)
          last = reading
          self.last = reading
          if !isSame { return reading.output }
        } catch let error as StoreError where error.reason == .closed {
          return nil
        } catch let error as StoreError where error.isPassing {
          try await Task.sleep(for: StoreError.pauseBeforeRetry)
        }
      }
      return nil
    }

    private func reading() async throws -> Reading {
      try await store.performReading(StoreRequest(.read)) { [store, read] in
        let snapshot = StoreSnapshot(of: store, on: $0, $1, $2)
        defer { snapshot.end() }
        let digest = RowDigest()
        snapshot.digest = digest
        return Reading(output: try read(snapshot), digest: digest.value)
      }
    }
  }
}

extension StoreError {
  /// Whether an observation tries again.
  var isPassing: Bool { reason == .locked || reason == .timedOut }
  static let pauseBeforeRetry = Duration.milliseconds(50)
}

/// Returns false if the values aren't `Equatable`.
private func areEqual<Value>(_ one: Value, _ other: Value) -> Bool {
  guard let one = one as? any Equatable else { return false }
  return one.equals(other)
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { other as? Self == self }
}

/// Counts the writes to a store, for a task that waits for the next one.
private final class WriteCounter: StoreFollower {
  let needsChecks = true
  private let following: StoreFollowing
  private let count = LatestValue(0, generation: 0)

  init(in following: StoreFollowing) { self.following = following }

  deinit { following.hasten() }

  func update(from store: Store) {
    let next = count.value + 1
    count.replace(with: next, generation: next)
  }

  func end(_ result: Result<Void, any Error>) { count.end(result) }

  /// Waits until the number of writes isn't `count`, and returns it. Returns nil after the store was closed.
  ///
  /// - Throws: `StoreError`, `CancellationError`.
  func next(after count: Int) async throws -> Int? { try await self.count.next(after: count) }
}

/// A hash of all rows that were read.
final class RowDigest {
  private var hasher = Hasher()

  var value: Int { hasher.finalize() }

  func add(_ batch: PackedRows) {
    for row in 0..<batch.count {
      let cells = batch.cells(ofRow: row)
      for index in 0..<batch.width {
        let cell = cells[index]
        hasher.combine(cell.kind)
        switch cell.kind {
        case .null: break
        case .integer, .real: hasher.combine(cell.bits)
        case .text, .blob:
          hasher.combine(cell.length)
          hasher.combine(bytes: UnsafeRawBufferPointer(batch.bytes(of: cell)))
        }
      }
    }
  }

  func add(_ number: Int64) { hasher.combine(number) }

  /// Separates the rows of two requests.
  func endRequest() { hasher.combine(-1) }
}
