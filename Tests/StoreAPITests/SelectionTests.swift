import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Selections that are sorted, limited and counted.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct SelectionTests {
  private func shop() async throws -> SampleStore {
    let sample = try await SampleStore("Shop")
    try await sample.store.create([
      Product(amount: 5, country: "Japan", price: 12, title: "Sencha"),
      Product(amount: 7, country: "India", price: 8, title: "Assam"),
      Product(amount: 2, country: "Japan", price: 20, title: "Gyokuro"),
      Product(amount: 1, country: nil, price: 3, title: "Mint"),
      Product(amount: 3, country: nil, price: 3, title: "Rooibos"),
    ])
    return sample
  }

  @Test func valuesAreSortedAndLimited() async throws {
    let store = try await shop().store
    let titles = Product.all.select(\.title)
    #expect(
      try await store.fetch(titles.ordered(by: \.price, \.title).limit(2)) == ["Mint", "Rooibos"])
    #expect(
      try await store.fetch(titles.ordered(by: .descending(\.price)).offset(1).limit(2))
        == ["Sencha", "Assam"])
    #expect(try await store.first(titles.ordered(by: .descending(\.price), \.title)) == "Gyokuro")
    let countries = Product.all.select(\.country).distinct()
    #expect(
      try await store.fetch(countries.ordered(by: .descending(\.country)))
        == ["Japan", "India", nil])
  }

  @Test func tuplesAreSortedAndLimited() async throws {
    let store = try await shop().store
    let pairs = Product.all.select(\.title, \.amount).ordered(by: .descending(\.amount)).limit(2)
    #expect(try await store.fetch(pairs).map { "\($0) \($1)" } == ["Assam 7", "Sencha 5"])
    let sums = Product.all.grouped(by: \.country).select(\.country, \.amount.sum)
      .ordered(by: .descending(\.amount.sum), \.country)
    #expect(
      try await store.fetch(sums).map { "\($0 ?? "none") \($1)" }
        == ["India 7", "Japan 7", "none 4"])
    #expect(try await store.fetch(sums.limit(1)).count == 1)
  }

  @Test func resultsAreCounted() async throws {
    let store = try await shop().store
    #expect(try await store.fetch(Product.all.select(\.title).count) == 5)
    #expect(try await store.fetch(Product.all.limit(3).select(\.title, \.amount).count) == 3)
    #expect(try await store.fetch(Product.all.select(\.country).distinct().count) == 3)
    #expect(try await store.fetch(Product.all.select(\.country).distinct().offset(1).count) == 2)
    #expect(try await store.fetch(Product.all.select(\.country, \.price).distinct().count) == 4)
    let groups = Product.all.grouped(by: \.country)
    #expect(try await store.fetch(groups.count) == 3)
    #expect(try await store.fetch(groups.having(\.amount.sum > 4).count) == 2)
    #expect(try await store.fetch(groups.select(\.price.max).count) == 3)
  }
}
