import Foundation
import StoreEngine
import StoreModelReader
import StorePredicate

/// Writes transactions to a store and reports each one, until it is killed. `KilledWriterTests` runs it.
///
///     StoreWriter STORE MODEL ROWS FIRST
///
/// Each transaction adds as many items as `ROWS` says, named by the transaction's number, which goes up from `FIRST`.
@main
struct StoreWriter {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let rows = Int(arguments[3]), let first = Int(arguments[4]) else {
      exit(64)
    }
    let models = try ModelBundle(at: arguments[2]).versions.map { try $0.read().model }
    let store = try await PersistentStore.open(arguments[1], models: models)
    var number = first
    while true {
      let name = Value.string("transaction \(number)")
      try await store.transaction { transaction in
        // One by one, so that there are moments with half of them.
        for _ in 0..<rows { try transaction.batchInsert([["name": name]], into: "Item") }
      }
      try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
      number += 1
    }
  }
}
