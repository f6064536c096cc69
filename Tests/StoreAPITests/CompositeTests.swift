import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import TestSupport
import Testing

/// Composite attributes in typed requests. A book has the composites `publisher` and `printed`, which is optional.
struct CompositeTests {
  private let folder: TemporaryFolder
  private let store: PersistentStore
  private let shelf: Shelf.ID
  private let tokyo: Book.ID
  private let oslo: Book.ID

  init() async throws {
    folder = try TemporaryFolder()
    store = try await PersistentStore.openOrCreate(
      folder.path("Library.sqlite"), schema: LibraryModel.self)
    shelf = try await store.create(Shelf(name: "Green"))
    tokyo = try await store.create(
      Book(
        publisher: Book.Publisher(city: "Tokyo", year: 1990), title: "Tea", newestOf: shelf,
        shelf: shelf))
    oslo = try await store.create(
      Book(
        printed: Book.Printed(city: "Bergen", year: 2001),
        publisher: Book.Publisher(city: "Oslo", year: 2000), title: "Fjord", shelf: shelf))
  }

  @Test func conditionsSelectionsAndOrdersReadElements() async throws {
    let byCity = Book.all.ordered(by: \.publisher.city)
    #expect(try await store.fetch(byCity).map(\.id) == [oslo, tokyo])
    let query = Book.all.where(\.publisher.city == "Oslo" && \.printed.year > 1_999)
    #expect(try await store.fetch(query).map(\.id) == [oslo])
    let pairs = byCity.select(\.publisher.city, \.publisher.year)
    for (city, year) in try await store.fetch(pairs) {
      #expect((city == "Oslo") == (year == 2_000))
    }
    #expect(try await store.first(Book.all.select(\.publisher.year.max)) == 2_000)
    let groups = Book.all.grouped(by: \.publisher.city).select(\.publisher.city, \.title.count)
    #expect(try await store.fetch(groups).map(\.0) == ["Oslo", "Tokyo"])
    for try await batch in store.stream(byCity.select(\.printed.city)) {
      #expect(Array(batch) == ["Bergen", nil])
    }
  }

  @Test func relationshipsLeadToElements() async throws {
    let newest = Shelf.all.where(\.newest.publisher.city == "Tokyo")
    #expect(try await store.fetch(newest).map(\.id) == [shelf])
    #expect(try await store.first(Shelf.all.select(\.newest.publisher.year)) == 1_990)
    #expect(try await store.first(Shelf.all.select(\.books.publisher.year.max)) == 2_000)
    let any = Shelf.all.where(\.books.any.printed.city == "Bergen")
    #expect(try await store.fetch(any.count) == 1)
    #expect(try await store.fetch(Shelf.all.where(\.books.all.publisher.year > 1_995).count) == 0)
    try await store.update(shelf) { $0.newest = nil }
    #expect(try await store.first(Shelf.all.select(\.newest.publisher.year)) == .some(nil))
  }

  @Test func updatesSetElements() async throws {
    try await store.update(tokyo) {
      $0.publisher.city = "Kyoto"
      $0.printed.city = "Nara"
      $0.printed.year = 1_991
    }
    let changed = try await store.object(tokyo)
    #expect(changed?.publisher == Book.Publisher(city: "Kyoto", year: 1_990))
    #expect(changed?.printed == Book.Printed(city: "Nara", year: 1_991))
    try await store.update(tokyo) { $0.printed.city = nil }
    #expect(try await store.object(tokyo)?.printed == Book.Printed(city: nil, year: 1_991))

    let updated = try await store.batchUpdate(Book.self) {
      $0.publisher.year = 1_950
      $0.set(\.printed.city, to: \.publisher.city)
    }.where(\.publisher.city == "Oslo")
    #expect(updated.changed == 1)
    let book = try await store.object(oslo)
    #expect(book?.publisher.year == 1_950 && book?.printed.city == "Oslo")
  }

  @Test func updatesSetAllElements() async throws {
    try await store.transaction { [oslo] transaction in
      try transaction.update(oslo) {
        $0.set(\.publisher, to: Book.Publisher(city: "Rome", year: 1_800))
      }
    }
    #expect(try await store.object(oslo)?.publisher == Book.Publisher(city: "Rome", year: 1_800))
  }

  /// The last value of an element is used.
  @Test func laterValuesReplaceEarlierOnes() {
    var changes = Changes<Book>()
    changes.set(\.publisher, to: Book.Publisher(city: "Rome", year: 1_800))
    changes.publisher.city = "Oslo"
    #expect(changes.assignments.map(\.property) == ["publisher.year", "publisher.city"])
  }
}
