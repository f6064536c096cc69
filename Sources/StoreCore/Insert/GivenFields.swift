import Synchronization

/// Which fields a record gives; records of one input mostly give the same.
package struct GivenFields: Hashable, Sendable {
  /// Indexes of the plan's fields, ascending.
  package var fields: [Int]
  /// A required property that it does not give and that has no default: no new row can do without.
  package var missing: String?
}

/// The sets of given fields that an input has shown, numbered. One thread adds, another looks up.
package final class GivenFieldSets: Sendable {
  private struct State {
    var all: [GivenFields] = []
    var numbers: [GivenFields: UInt32] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var count: UInt32 { state.withLock { UInt32($0.all.count) } }

  func number(of given: GivenFields) -> UInt32 {
    state.withLock { state in
      if let known = state.numbers[given] { return known }
      let number = UInt32(state.all.count)
      state.all.append(given)
      state.numbers[given] = number
      return number
    }
  }

  package subscript(number: UInt32) -> GivenFields { state.withLock { $0.all[Int(number)] } }
}
