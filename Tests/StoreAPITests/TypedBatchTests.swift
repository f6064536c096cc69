import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct TypedBatchTests {
  @Test func updatesRowsThatMatch() async throws {
    let sample = try await SampleStore.items(10)
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let outcome = try await store.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
    #expect(outcome == UpdateResult(matched: 5, changed: 5))
    let ids = try await store.batchUpdate(Item.self) { $0.set(\.priority, to: \.priority + 1) }
      .where(\.priority > 2, returning: .objectIDs)
    #expect(ids.count == 4)
    let typed: [Item.ID] = try await all(ids)
    #expect(typed.map(\.objectID.primaryKey) == [4, 5, 9, 10])
    #expect(try await store.object(typed[0])?.priority == 4)
    let notes = ProgressNotes()
    let ok = try await store.batchUpdate(Item.self) { $0.note = "x" }
      .everywhere(returning: .status, progress: notes.note)
    #expect(ok)
    #expect(notes.all.last == BatchProgress(rows: 10, total: 10))
    let byText = try await store.batchUpdate(Item.self) { $0.note = nil }
      .where(TypedCondition(try matching("name == 'item 3'")))
    #expect(byText.changed == 1)
    #expect(try await store.fetch(Item.all.where(\.note == nil)).map(\.name) == ["item 3"])
  }

  @Test func deletesRowsThatMatch() async throws {
    let sample = try await SampleStore.items(10)
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let outcome = try await store.batchDelete(Item.self).where(\.done == true)
    #expect(outcome.deletedCount == 5)
    let ids = try await store.batchDelete(Item.self)
      .where(\.priority == 1, returning: .objectIDs)
    #expect(try await all(ids).compactMap(Item.ID.init).map(\.objectID.primaryKey) == [2])
    #expect(try await store.batchDelete(Item.self).everywhere(returning: .status))
    #expect(try await store.fetch(Item.all.count) == 0)
  }

  @Test func insertsObjects() async throws {
    let sample = try await SampleStore("Todo")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let notes = ProgressNotes()
    let outcome = try await store.batchInsert(
      (1...3_000).lazy.map { Item(name: "item \($0)") }, progress: notes.note)
    #expect(outcome.inserted == 3_000)
    #expect(notes.all.last?.rows == 3_000)
    let ids = try await store.batchInsert([Item(name: "last")], returning: .objectIDs)
    let typed: [Item.ID] = try await all(ids)
    #expect(typed.map(\.objectID.primaryKey) == [3_001])
  }

  /// A sequence is read in blocks of 512 objects.
  @Test(arguments: [0, 1, 511, 512, 513, 1_024, 1_500]) @MainActor
  func insertsSequenceOfActor(_ count: Int) async throws {
    let sample = try await SampleStore.items(0)
    defer { withExtendedLifetime(sample) {} }
    final class Prefix {
      var text = "item "
    }
    let prefix = Prefix()
    let inserted = try await sample.store.batchInsert(
      (0..<count).lazy.map { Item(name: "\(prefix.text)\($0)") })
    #expect(inserted.inserted == count)
    let names = try await sample.store.fetch(Item.all.select(\.name))
    #expect(Set(names.compactMap(\.self)) == Set((0..<count).map { "item \($0)" }))
  }

  /// The request ends after 20 errors or a cancellation, although the sequence doesn't end.
  @Test func endlessSequenceCanFailOrBeCancelled() async throws {
    let sample = try await SampleStore.items(3)
    let store = sample.store
    let rejected = try await failure {
      try await store.batchInsert(
        sequence(first: 0) { $0 + 1 }.lazy.map {
          [$0 >= 2_000 ? "nmae" : "name": DataValue.string("item \($0)")]
        }, into: "Item")
    }
    #expect(rejected?.diagnostics.map(\.code) == ["value.unknown-property"])
    let task = Task {
      try await store.batchInsert(
        sequence(first: 0) { $0 + 1 }.lazy.map { Item(name: "item \($0)") })
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.fetch(Item.all.count) == 3)
  }

  @Test func subentitiesMayStay() async throws {
    let sample = try await SampleStore("Company")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    try await store.create(Employee(name: "Ada"))
    try await store.batchInsert([["name": .string("Grace")]], into: "Manager")
    let own = try await store.batchUpdate(Employee.self) { $0.age = 30 }.withoutSubentities()
      .everywhere()
    #expect(own.changed == 1)
    #expect(try await store.batchUpdate(Employee.self) { $0.age = 30 }.everywhere().changed == 1)
    #expect(
      try await store.batchDelete(Employee.self).withoutSubentities().everywhere().deleted
        == ["Employee": 1])
    #expect(
      try await failure {
        try await store.batchUpdate(Employee.self) { $0.age = 7 }.everywhere()
      }?.reason == .invalidData)
    #expect(
      try await store.batchUpdate(Employee.self, validates: false) { $0.age = 7 }.everywhere()
        .changed == 1)
  }
}
