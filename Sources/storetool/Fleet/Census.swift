import StoreDiagnostics
import RecordFormats
import StorePredicate

/// The summary of `each … -- info`: the number and the sizes of the stores, by version of the model. Stores with an
/// unknown version are grouped by the reason.
struct Census: StoreColumn {
  private let format: RowFormat
  private let style: RowStyle
  private var groups: [Group.Key: Group] = [:]

  fileprivate struct Group {
    /// A version, or the reason why it is unknown.
    struct Key: Hashable {
      var model: String?
      var version: String?
      var reason: String?
    }

    struct Store {
      var path: LocalPath
      /// For `smallest` and `largest`, the size in bytes. For `oldest` and `newest`, the time of the last change, in
      /// seconds since 2001.
      var value: Double
    }

    var count = 0
    var bytes = 0
    var rows = 0
    var smallest: Store?
    var largest: Store?
    var oldest: Store?
    var newest: Store?
  }

  init(_ format: RowFormat, _ style: RowStyle) {
    self.format = format
    self.style = style
  }

  mutating func write(_ records: ArraySlice<UInt8>, of store: LocalPath, isFirst: Bool) {
    for line in records.split(separator: UInt8(ascii: "\n")) {
      guard let page = JSONValue(text: line) else { continue }
      let key = Group.Key(
        model: page["model"]?.text, version: page["version"]?.text,
        reason: page["modelUnknownBecause"]?.text)
      groups[key, default: Group()].add(
        store, bytes: page["bytes"]?.number ?? 0, rows: page["rows"]?.number ?? 0)
    }
  }

  func finish(_ summary: FleetSummary) throws {
    let groups = groups.sorted { one, other in
      (one.key.model ?? "", one.key.version ?? "", one.key.reason ?? "")
        < (other.key.model ?? "", other.key.version ?? "", other.key.reason ?? "")
    }
    let page = Page(
      stores: groups.reduce(0) { $0 + $1.value.count },
      failed: summary.failed + summary.failedBefore,
      bytes: groups.reduce(0) { $0 + $1.value.bytes },
      rows: groups.reduce(0) { $0 + $1.value.rows },
      versions: groups.filter { $0.key.reason == nil }.map { key, group in
        VersionFacts(model: key.model, version: key.version, group: GroupFacts(group))
      },
      unknown: groups.filter { $0.key.reason != nil }.map { key, group in
        UnknownFacts(because: key.reason, group: GroupFacts(group))
      },
      failures: summary.failures.map {
        FailureFacts(code: $0.code, stores: $0.count, example: $0.store, message: $0.message)
      })
    try FactWriter(format, style).print(.page(page))
  }

  private struct Page: Encodable {
    let stores, failed, bytes, rows: Int
    let versions: [VersionFacts]
    let unknown: [UnknownFacts]
    let failures: [FailureFacts]
  }

  private struct VersionFacts: Encodable {
    let model, version: String?
    @Flattened var group: GroupFacts
  }

  private struct UnknownFacts: Encodable {
    let because: String?
    @Flattened var group: GroupFacts
  }

  private struct GroupFacts: Encodable {
    let stores, bytes, rows: Int
    let smallest, largest, oldest, newest: String?

    init(_ group: Group) {
      (stores, bytes, rows) = (group.count, group.bytes, group.rows)
      smallest = group.smallest.map { "\($0.path) (\(Int($0.value)))" }
      largest = group.largest.map { "\($0.path) (\(Int($0.value)))" }
      oldest = group.oldest.map { "\($0.path) (\(ISODate.text($0.value) ?? ""))" }
      newest = group.newest.map { "\($0.path) (\(ISODate.text($0.value) ?? ""))" }
    }
  }

  private struct FailureFacts: Encodable {
    let code: String
    let stores: Int
    let example: LocalPath
    let message: String?
  }
}

extension Census.Group {
  fileprivate mutating func add(_ store: LocalPath, bytes: Int, rows: Int) {
    count += 1
    self.bytes += bytes
    self.rows += rows
    let size = Store(path: store, value: Double(bytes))
    if size.value < smallest?.value ?? .infinity { smallest = size }
    if size.value > largest?.value ?? -1 { largest = size }
    guard let time = Self.lastChange(of: store) else { return }
    let changed = Store(path: store, value: time)
    if time < oldest?.value ?? .infinity { oldest = changed }
    if time > newest?.value ?? -.infinity { newest = changed }
  }

  private static let secondsFrom1970 = 978_307_200.0

  /// Returns the later time of the last changes of the store's file and of its `-wal`, in seconds since 2001.
  private static func lastChange(of store: LocalPath) -> Double? {
    ["", "-wal"].compactMap { ("\(store.followed)\($0)" as LocalPath).status() }
      .map { Double($0.modified.seconds) - secondsFrom1970 }.max()
  }
}

extension JSONValue {
  var number: Int? {
    if case .number(let digits) = content { Int(digits) } else { nil }
  }
}
