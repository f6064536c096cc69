import Foundation
import StoreEngine
import Testing

@testable import TeaServer

@Suite struct ItemTests {
  struct Row: Decodable, Equatable {
    var id: Int64
    var name: String
    var done: Bool
    var priority: Int
    var note: String?
  }
  struct Rows: Decodable {
    var total: Int
    var rows: [Row]
  }
  struct ProblemDetails: Decodable {
    struct FieldError: Decodable {
      var code: String
      var message: String
      var line: Int?
    }
    var title: String
    var errors: [FieldError]
  }

  @Test func createsChangesAndDeletesItem() async throws {
    try await TestServer.run { client in
      let created = try await client.send(
        "POST", "/items", #"{"name": "Buy tapioca", "priority": 2, "note": "black"}"#)
      #expect(created.status == 201)
      var item: Row = try created.json()
      #expect(created.headers["Location"] as? String == "/items/\(item.id)")
      #expect(
        item == Row(id: item.id, name: "Buy tapioca", done: false, priority: 2, note: "black"))

      let path = "/items/\(item.id)"
      item = try await client.send("PATCH", path, #"{"done": true, "note": null}"#).json()
      #expect(item == Row(id: item.id, name: "Buy tapioca", done: true, priority: 2, note: nil))
      #expect(try await client.send("GET", path).json() == item)

      #expect(try await client.send("DELETE", path).status == 204)
      #expect(try await client.send("GET", path).status == 404)
      #expect(try await client.send("PATCH", path, "{}").status == 404)
      #expect(try await client.send("DELETE", path).status == 404)
    }
  }

  @Test func filtersItemsAndReturnsPages() async throws {
    try await TestServer.run { client in
      for number in 1...9 {
        _ = try await client.send(
          "POST", "/items", #"{"name": "Tée \#(number)", "priority": \#(number)}"#)
      }
      var rows: Rows = try await client.send("GET", "/items?urgent=4&limit=2&offset=1").json()
      #expect(rows.total == 6 && rows.rows.map(\.priority) == [8, 7])
      rows = try await client.send("GET", "/items?name=TEE%205&since=2026-01-01T00:00:00Z").json()
      #expect(rows.rows.map(\.priority) == [5])
      #expect(
        try await client.send("POST", "/items/finished?urgent=7").text == #"{"changed":3}"#)
      rows = try await client.send("GET", "/items?open=true").json()
      #expect(rows.total == 6)
      #expect(try await client.send("DELETE", "/items?open=false").text == #"{"changed":3}"#)
      #expect(try await client.send("DELETE", "/items").status == 400)
      for query in ["open=maybe", "limit=0", "limit=1001", "offset=-1", "since=today"] {
        #expect(try await client.send("GET", "/items?\(query)").status == 400, "\(query)")
      }
      #expect(try await client.send("GET", "/items/seven").status == 400)
      #expect(try await client.send("POST", "/items", #"{"priority": 1}"#).status == 400)
    }
  }

  @Test func uploadInsertsAllRecordsOrNone() async throws {
    try await TestServer.run { client in
      let csv = "name,priority\nSencha,1\nAssam,2\n"
      #expect(
        try await client.send("POST", "/items/upload", csv, type: "text/csv").text
          == #"{"inserted":2}"#)
      let lines = "{\"name\": \"Oolong\"}\n{\"name\": \"Puer\", \"priority\": 3}\n"
      let type = "application/x-ndjson; charset=utf-8"
      #expect(
        try await client.send("POST", "/items/upload", lines, type: type).text
          == #"{"inserted":2}"#)

      let wrong = "name,priority\nGreen,1\nBlack,many\n"
      let refused = try await client.send("POST", "/items/upload", wrong, type: "text/csv")
      #expect(refused.status == 422)
      let problem: ProblemDetails = try refused.json()
      #expect(problem.title == "invalidData" && problem.errors.map(\.line) == [3])
      #expect(try await client.send("GET", "/items").json(Rows.self).total == 4)
      #expect(try await client.send("POST", "/items/upload", csv, type: "text/plain").status == 415)
    }
  }

  @Test func rejectsTooLargeUpload() async throws {
    try await TestServer.run(uploadLimit: 1_000) { client in
      let csv = "name\n" + String(repeating: "Sencha\n", count: 1_000)
      let refused = try await client.send("POST", "/items/upload", csv, type: "text/csv")
      #expect(refused.status == 413)
      #expect(try await client.send("GET", "/items").json(Rows.self).total == 0)
    }
  }
}
