extension PersistentStore {
  /// How an open store deals with its requests.
  public struct Options: Sendable {
    /// How long a request waits for a lock that another process holds before it fails with `locked`.
    public var lockTimeout: Duration
    /// How long a request waits for its turn behind those of this program before it fails with `timedOut`; nil for as
    /// long as it takes. `within` limits a request as a whole.
    public var turnTimeout: Duration?
    /// How many reads run at a time beside each other and beside a write; with 0 all requests take their turn. Each
    /// costs a thread and up to 2 MB, from the first time that so many are needed.
    public var readers: Int
    /// Who is told of the requests. Without one nothing is measured.
    public var observer: (any StoreObserver)?

    public init(
      lockTimeout: Duration = .seconds(2), turnTimeout: Duration? = nil, readers: Int = 4,
      observer: (any StoreObserver)? = nil
    ) {
      self.lockTimeout = lockTimeout
      self.turnTimeout = turnTimeout
      self.readers = readers
      self.observer = observer
    }
  }
}
