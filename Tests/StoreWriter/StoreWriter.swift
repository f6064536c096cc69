import Foundation
import StoreEngine
import StoreModelReader
import StorePredicate

/// Writes transactions to a store and reports each one, until it is killed. `KilledWriterTests` runs it.
///
///     StoreWriter STORE MODEL ROWS FIRST
///
/// Each transaction adds `ROWS` items. Their name is the number of the transaction, which begins with `FIRST`.
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
      let name = DataValue.string("transaction \(number)")
      try await store.transaction { transaction in
        // The rows are inserted one by one, so that a kill can occur between them.
        for _ in 0..<rows { try transaction.batchInsert([["name": name]], into: "Item") }
      }
      try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
      number += 1
    }
  }
}
