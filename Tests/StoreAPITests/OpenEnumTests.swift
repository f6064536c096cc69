import StoreEngine
import StoreModel
import TestSupport
import Testing

/// Values of an enumeration to which a later version of the app has added a case.
struct OpenEnumTests {
  @Test func unknownValuesAreKept() async throws {
    let folder = try TemporaryFolder()
    let store = try await PersistentStore.openOrCreate(
      folder.path("Library.sqlite"), schema: LibraryModel.self)
    let shelf = try await store.create(Shelf(name: "Green"))
    let values: [OpenEnum<Book.Urgency>?] = [.known(.low), .unknown(7), nil]
    for (number, value) in values.enumerated() {
      try await store.create(Book(priority: value, title: "\(number)", shelf: shelf))
    }
    let books = try await store.fetch(Book.all.ordered(by: \.title))
    #expect(books.map(\.priority) == values)
    #expect(books.map { $0.priority?.known } == [.low, nil, nil])

    // Another attribute is set. The unknown value stays.
    var book = books[1]
    book.title = "changed"
    try await store.update(book)
    #expect(
      try await store.fetch(Book.all.where(\.priority == .unknown(7))).map(\.title) == ["changed"])
    #expect(try await store.fetch(Book.all.where(\.priority == .known(.low)).count) == 1)
    try await store.close()
  }

  @Test func rawValueOfACaseIsKnown() {
    #expect(OpenEnum<Book.Urgency>(rawValue: 2) == .known(.high))
    #expect(OpenEnum<Book.Urgency>(rawValue: 1) == .unknown(1))
    #expect(OpenEnum<Book.Urgency>.unknown(2) == .known(.high))
    #expect(OpenEnum<Book.Urgency>.unknown(2).known == .high)
  }
}
