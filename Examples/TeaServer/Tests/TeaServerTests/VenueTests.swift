import Foundation
import Testing

@testable import TeaServer

@Suite struct VenueTests {
  private static let body = """
    {"name": "Ten Ren", "specials": 1, "location": {"city": "New York"},
     "price": {"category": "$", "tier": 1}, "categories": ["Tea Room", "Dessert"]}
    """

  @Test func createsVenueInOneTransaction() async throws {
    try await TestServer.run { client in
      let created = try await client.send("POST", "/venues", Self.body)
      #expect(created.status == 201)
      let id = try #require(try created.json(VenueBody.self).id)
      let venue: VenueBody = try await client.send("GET", "/venues/\(id)").json()
      #expect(venue.name == "Ten Ren" && venue.location?.city == "New York")
      #expect(venue.price?.tier == 1 && venue.stats?.checkins == 0)
      #expect(venue.categories == ["Dessert", "Tea Room"])

      // The second part fails, and the first part is rolled back.
      let refused = try await client.send(
        "POST", "/venues",
        #"{"name": "", "location": {"city": "Nowhere"}, "price": {"tier": 99999}}"#)
      #expect(refused.status == 400)
      #expect(try await client.send("GET", "/venues/\(id + 1)").status == 404)
    }
  }

  struct Rows: Decodable {
    var total: Int
    var rows: [VenueBody]
  }

  @Test func filtersVenuesWithTemplates() async throws {
    try await TestServer.run { client in
      _ = try await client.send("POST", "/venues", Self.body)
      _ = try await client.send(
        "POST", "/venues", #"{"name": "Plain", "stats": {"checkins": 9, "tips": 0, "users": 2}}"#)
      for (query, names) in [
        ("category=Tea%20Room", ["Ten Ren"]), ("price=$", ["Ten Ren"]), ("checkins=5", ["Plain"]),
        ("specials=true", ["Ten Ren"]), ("", ["Plain", "Ten Ren"]),
        ("limit=1&offset=1", ["Ten Ren"]),
      ] {
        let rows: Rows = try await client.send("GET", "/venues?\(query)").json()
        #expect(rows.rows.map(\.name) == names, "\(query)")
      }
    }
  }

  @Test func countsConcurrentCheckins() async throws {
    try await TestServer.run { client in
      let venue: VenueBody = try await client.send("POST", "/venues", Self.body).json()
      let path = "/venues/\(try #require(venue.id))"
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...40 {
          group.addTask {
            try await client.send("POST", "\(path)/checkins?tip=\(number.isMultiple(of: 4))").status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
      let counted: VenueBody = try await client.send("GET", path).json()
      #expect(counted.stats?.checkins == 40 && counted.stats?.tips == 10)
    }
  }

  @Test func deletesVenueWithRelatedRows() async throws {
    try await TestServer.run { client in
      let venue: VenueBody = try await client.send("POST", "/venues", Self.body).json()
      let path = "/venues/\(try #require(venue.id))"
      #expect(try await client.send("DELETE", path).status == 204)
      #expect(try await client.send("GET", path).status == 404)
      let store = try await PersistentStoreFile.open(
        client.folder, "BubbleTea", BubbleTeaModel.self)
      #expect(try await store.fetch(Category.all.count) == 0)
      #expect(try await store.fetch(Location.all.count) == 0)
      #expect(try await store.fetch(Stats.all.count) == 0)
    }
  }

  @Test func uploadsVenues() async throws {
    try await TestServer.run { client in
      let json = #"[{"name": "A", "specialCount": 2}, {"name": "B", "url": "https://b.example"}]"#
      let answer = try await client.send("POST", "/venues/upload", json)
      #expect(answer.text == #"{"inserted":2}"#)
      let rows: Rows = try await client.send("GET", "/venues?specials=true").json()
      #expect(rows.rows.map(\.name) == ["A"])
    }
  }
}
