import SQLiteAccess

/// Numbers that differ from row to row, so that SQLite must not compute them once for all.
enum RandomFunction: String, CaseIterable {
  /// From 0 up to 1.
  case unit = "NUMBER_RANDOM"
  /// An integer from 0 up to the argument; 0 where there is none.
  case below = "NUMBER_RANDOM_BELOW"

  var argumentCount: Int32 { self == .unit ? 0 : 1 }

  static func call(_ function: RandomFunction) -> (FunctionCall) -> Void {
    { call in
      switch function {
      case .unit: call.answer(.real(Double.random(in: 0..<1)))
      case .below:
        guard let limit = call.integer(at: 0) else { return call.returnNull() }
        call.answer(.integer(limit > 0 ? Int64.random(in: 0..<limit) : 0))
      }
    }
  }
}
