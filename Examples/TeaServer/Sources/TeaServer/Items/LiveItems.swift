import AsyncAlgorithms
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreEngine

/// `GET /items/live`: the open items, the most urgent first, as server-sent events.
///
/// The first event contains the list, with one section for each priority. Each later event contains changes, which may
/// come from this server, the command line or an app. All clients share one list.
actor LiveItems {
  typealias Results = LiveResults<Stored<Item>>

  private let todo: StoreService
  /// The list that all clients share. The connected clients retain it.
  private weak var shared: Results?

  init(todo: StoreService) {
    self.todo = todo
  }

  private func results() async throws -> Results {
    if let shared { return shared }
    let items = Templates.openItems().ordered(by: .descending(\.priority), .ascending(\.name))
    let results = try await todo.store.liveResults(items, sectionedBy: \.priority)
    shared = results
    return results
  }

  @Sendable nonisolated func follow(
    _: Request, _: BasicRequestContext
  ) async throws -> Response {
    let results = try await results()
    let body = ResponseBody { writer in
      let list = results.list
      try await writer.write(Self.event("list", try await LiveList(list, results)))
      for try await signal in Self.signals(results.changes(since: list)) {
        switch signal {
        case .change(let change):
          try await writer.write(Self.event("change", try await LiveChange(change, results)))
        case .pulse:
          try await writer.write(ByteBuffer(string: ": still here\n\n"))
        }
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: body)
  }

  private enum Signal: Sendable {
    case change(ResultChange)
    /// A periodic comment. Writing it detects clients that have disconnected.
    case pulse
  }

  /// Returns changes and pulses until the server shuts down or the store is closed.
  private static func signals(
    _ changes: ResultChanges
  ) -> some AsyncSequence<Signal, any Error> & Sendable {
    let pulses = AsyncTimerSequence(interval: .seconds(15), clock: .continuous)
    return merge(changes.map { Signal.change($0) }, pulses.map { _ in Signal.pulse })
      .cancelOnGracefulShutdown()
  }

  private static func event(_ name: String, _ data: some Encodable) throws -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    // The JSON must be a single line, because each line of an event requires a prefix.
    let json = String(decoding: try encoder.encode(data), as: UTF8.self)
    return ByteBuffer(string: "event: \(name)\ndata: \(json)\n\n")
  }
}

/// The JSON of a complete list.
private struct LiveList: Encodable {
  struct Section: Encodable {
    var name: String
    var items: [ItemBody]
  }

  var sections: [Section]

  init(_ list: ResultList, _ results: LiveItems.Results) async throws {
    var rows = try await results.rows(list.objectIDs)[...]
    sections = list.sections.map { section in
      defer { rows = rows.dropFirst(section.count) }
      return Section(
        name: section.name, items: rows.prefix(section.count).compactMap { $0.map(ItemBody.init) })
    }
  }
}

/// The JSON of the difference between two successive lists. The indexes of deleted sections and rows refer to the
/// previous list. All other indexes refer to the new list.
private struct LiveChange: Encodable {
  struct Place: Encodable {
    var section: Int
    var row: Int

    init(_ path: ResultIndexPath) {
      (section, row) = (path.section, path.row)
    }
  }
  struct Row: Encodable {
    /// The position in the previous list, or nil for a new row.
    var from: Place?
    var to: Place
    /// Nil if the item has been deleted since. A later change reports the deletion.
    var item: ItemBody?
  }

  var deletedSections: [Int]
  var insertedSections: [Int]
  var deleted: [Place]
  var inserted: [Row]
  var moved: [Row]
  var updated: [Row]

  init(_ change: ResultChange, _ results: LiveItems.Results) async throws {
    func rows(_ places: [(from: ResultIndexPath?, to: ResultIndexPath)]) async throws -> [Row] {
      let items = try await results.rows(places.map { change.list[$0.to] })
      return zip(places, items).map { place, item in
        Row(from: place.from.map(Place.init), to: Place(place.to), item: item.map(ItemBody.init))
      }
    }
    let difference = change.difference
    deletedSections = difference.deletedSections
    insertedSections = difference.insertedSections
    deleted = difference.deletions.map(Place.init)
    inserted = try await rows(difference.insertions.map { (nil, $0) })
    moved = try await rows(difference.moves.map { ($0.from, $0.to) })
    updated = try await rows(difference.updates.map { ($0.from, $0.to) })
  }
}
