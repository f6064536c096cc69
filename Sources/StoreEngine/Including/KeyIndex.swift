/// An index from keys to the row numbers of a table. It is an array if the range of the keys is small or at most about
/// four times their number, and otherwise a dictionary.
struct KeyIndex {
  /// The row number of a known key whose row hasn't been read.
  static let unplaced: Int32 = -1
  private static let unknown: Int32 = -2
  /// The number that stands for a missing key. Core Data's keys are at least 1.
  static let noKey = Int64.min

  /// The number of different keys, and their minimum and maximum.
  private(set) var count = 0
  private(set) var bounds: ClosedRange<Int64>?
  /// The row numbers of consecutive keys, beginning with the minimum key. Empty if the dictionary is used.
  private var dense: [Int32] = []
  private var sparse: [Int64: Int32] = [:]

  private static let leastWidth = 1_024

  /// - Parameters:
  ///   - keys: the keys. `noKey` and duplicates are ignored.
  ///   - arePlaced: true if the row number of a key is its position in `keys`. Otherwise, `place` sets the row numbers.
  init(_ keys: [Int64], arePlaced: Bool) {
    var (least, greatest) = (Int64.max, Int64.min)
    for key in keys where key != Self.noKey {
      least = min(least, key)
      greatest = max(greatest, key)
    }
    guard least <= greatest else { return }
    bounds = least...greatest
    if let width = Self.width(of: least...greatest), width <= Self.leastWidth + 4 * keys.count {
      dense = [Int32](repeating: Self.unknown, count: width)
      for (index, key) in keys.enumerated() where key != Self.noKey {
        let offset = Int(key - least)
        if dense[offset] == Self.unknown { count += 1 }
        dense[offset] = arePlaced ? Int32(index) : Self.unplaced
      }
    } else {
      for (index, key) in keys.enumerated() where key != Self.noKey {
        sparse[key] = arePlaced ? Int32(index) : Self.unplaced
      }
      count = sparse.count
    }
  }

  private static func width(of bounds: ClosedRange<Int64>) -> Int? {
    let (width, overflows) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    return overflows || width == .max ? nil : Int(width) + 1
  }

  /// Returns the row number of a key, or `unplaced` if it isn't set yet. Returns nil for an unknown key.
  subscript(key: Int64) -> Int32? {
    guard let bounds, bounds.contains(key) else { return nil }
    guard !dense.isEmpty else { return sparse[key] }
    let row = dense[Int(key - bounds.lowerBound)]
    return row == Self.unknown ? nil : row
  }

  /// Stores the row of a known key.
  mutating func place(_ key: Int64, at row: Int32) {
    if let bounds, !dense.isEmpty {
      dense[Int(key - bounds.lowerBound)] = row
    } else {
      sparse[key] = row
    }
  }

  /// Whether at least a quarter of the keys from the minimum to the maximum are in the index.
  var isDense: Bool {
    guard let bounds, let width = Self.width(of: bounds) else { return false }
    return width / 4 <= count
  }

  /// All keys, ascending.
  var keys: [Int64] {
    guard let bounds else { return [] }
    guard !dense.isEmpty else { return sparse.keys.sorted() }
    return dense.indices.filter { dense[$0] != Self.unknown }
      .map { bounds.lowerBound + Int64($0) }
  }
}
