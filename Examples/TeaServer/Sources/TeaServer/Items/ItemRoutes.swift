import Foundation
import Hummingbird
import StoreEngine

/// The routes for to-do items.
struct ItemRoutes: Sendable {
  let todo: StoreService
  let uploads: Uploads
  let live: LiveItems

  init(todo: StoreService, uploads: Uploads) {
    self.todo = todo
    self.uploads = uploads
    live = LiveItems(todo: todo)
  }

  var routes: RouteCollection<BasicRequestContext> {
    RouteCollection()
      .get(use: list)
      .post(use: create)
      .delete(use: clear)
      .get("live", use: live.follow)
      .post("finished", use: finish)
      .post("upload", use: upload)
      .get(":id", use: item)
      .patch(":id", use: change)
      .delete(":id", use: remove)
  }

  /// `GET /items?open=true&urgent=3&limit=20`: the page and the total come from one snapshot.
  @Sendable func list(_ request: Request, _: BasicRequestContext) async throws -> Page<ItemBody> {
    let query = try ItemFilter(request.uri.queryParameters).query
    let range = try PageRange(request.uri.queryParameters)
    let page = query.ordered(by: .descending(\.priority), .ascending(\.name))
      .limit(range.limit).offset(range.offset)
    return try await todo.store.read { snapshot in
      Page(
        total: try snapshot.fetch(query.count), rows: try snapshot.fetch(page).map(ItemBody.init))
    }
  }

  /// `POST /items`: the item is on the disk before the response is sent.
  @Sendable func create(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> EditedResponse<ItemBody> {
    let new = try await request.decode(as: NewItem.self, context: context)
    let item = new.item(createdAt: .now)
    let id = try await todo.store.create(item, author: "api")
    return EditedResponse(
      status: .created, headers: [.location: "/items/\(id.number)"],
      response: ItemBody(Stored(id: id, value: item)))
  }

  /// `GET /items/7`
  @Sendable func item(_: Request, _ context: BasicRequestContext) async throws -> ItemBody {
    guard let item = try await todo.store.object(Item.ID(context)) else {
      throw HTTPError(.notFound)
    }
    return ItemBody(item)
  }

  /// `PATCH /items/7`: omitted values stay unchanged, including concurrent changes by others.
  @Sendable func change(_ request: Request, _ context: BasicRequestContext) async throws -> ItemBody
  {
    let id = try Item.ID(context)
    let change = try await request.decode(as: ItemChange.self, context: context)
    return try await todo.store.transaction(author: "api") { transaction in
      try transaction.update(id) { change.apply(to: &$0) }
      guard let item = try transaction.object(id) else { throw HTTPError(.notFound) }
      return ItemBody(item)
    }
  }

  /// `DELETE /items/7`
  @Sendable func remove(
    _: Request, _ context: BasicRequestContext
  ) async throws -> HTTPResponse.Status {
    try await todo.store.delete(Item.ID(context), author: "api")
    return .noContent
  }

  struct Changed: ResponseEncodable {
    var changed: Int
  }

  /// `POST /items/finished?urgent=3`: one statement updates any number of items.
  @Sendable func finish(_ request: Request, _: BasicRequestContext) async throws -> Changed {
    let query = try ItemFilter(request.uri.queryParameters).query
    let update = BatchUpdate(
      entity: Item.entityName, values: [.init("done", .value(.boolean(true)))],
      predicate: query.request.predicate)
    return Changed(changed: try await todo.store.batchUpdate(update, author: "api").changed)
  }

  /// `DELETE /items?open=false`: requires a filter.
  @Sendable func clear(_ request: Request, _: BasicRequestContext) async throws -> Changed {
    guard let predicate = try ItemFilter(request.uri.queryParameters).query.request.predicate else {
      throw HTTPError(.badRequest, message: "a filter is required, for example ?open=false")
    }
    let outcome = try await todo.store.batchDelete(Item.self, author: "api")
      .where(TypedCondition(predicate))
    return Changed(changed: outcome.deletedCount)
  }

  /// `POST /items/upload`
  @Sendable func upload(
    _ request: Request, _: BasicRequestContext
  ) async throws -> Uploads.Answer {
    try await uploads.insert(request, as: Item.self, into: todo.store)
  }
}
