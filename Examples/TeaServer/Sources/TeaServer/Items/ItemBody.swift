import Foundation
import Hummingbird
import StoreModel

/// The JSON of an item in responses.
struct ItemBody: ResponseEncodable {
  var id: Int64
  var name: String
  var done: Bool
  var priority: Int16
  var note: String?
  var createdAt: Date?

  init(_ item: Stored<Item>) {
    id = item.id.number
    name = item.name
    done = item.done
    priority = item.priority
    note = item.note
    createdAt = item.createdAt
  }
}

/// The JSON of a new item in requests. Omitted values use the model's defaults.
struct NewItem: Decodable {
  var name: String
  var done: Bool?
  var priority: Int16?
  var note: String?

  func item(createdAt date: Date) -> Item {
    Item(createdAt: date, done: done ?? false, name: name, note: note, priority: priority ?? 0)
  }
}

/// The JSON of a change of an item: `{"done": true, "note": null}`.
struct ItemChange: Decodable {
  var name: String?
  var done: Bool?
  var priority: Int16?
  /// Nil keeps the note. `.some(nil)` removes it.
  var note: String??

  private enum CodingKeys: CodingKey { case name, done, priority, note }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    done = try values.decodeIfPresent(Bool.self, forKey: .done)
    priority = try values.decodeIfPresent(Int16.self, forKey: .priority)
    if values.contains(.note) { note = .some(try values.decode(String?.self, forKey: .note)) }
  }

  func apply(to changes: inout Changes<Item>) {
    if let name { changes.name = name }
    if let done { changes.done = done }
    if let priority { changes.priority = priority }
    if let note { changes.note = note }
  }
}

/// The filter of a query string: `?open=true&urgent=3&since=2026-11-01T00:00:00Z&name=tea`.
struct ItemFilter {
  let query: TypedQuery<Item>

  /// - Throws: `HTTPError` with status 400 for an invalid value.
  init(_ parameters: Parameters) throws {
    var query = Item.all
    if let priority = try parameters.optional("urgent", as: Int16.self) {
      query = Templates.urgentItems(priority: priority)
    }
    if let isOpen = try parameters.optional("open", as: Bool.self) {
      query = query.where(\.done == !isOpen)
    }
    if let day = try parameters.optional("since", as: Day.self) {
      query = query.where(\.createdAt >= day.date)
    }
    if let name = parameters.get("name") {
      query = query.where(.contains(\.name, name, [.caseInsensitive, .diacriticInsensitive]))
    }
    self.query = query
  }

  private struct Day: LosslessStringConvertible {
    var date: Date
    var description: String { date.ISO8601Format() }

    init?(_ text: String) {
      guard let date = try? Date(text, strategy: .iso8601) else { return nil }
      self.date = date
    }
  }
}
