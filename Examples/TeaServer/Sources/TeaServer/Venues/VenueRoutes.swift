import Hummingbird
import StoreEngine

/// The routes for venues where bubble tea is sold.
struct VenueRoutes: Sendable {
  let bubbleTea: StoreService
  let uploads: Uploads

  var routes: RouteCollection<BasicRequestContext> {
    RouteCollection()
      .get(use: list)
      .post(use: create)
      .post("upload", use: upload)
      .get(":id", use: venue)
      .post(":id/checkins", use: checkIn)
      .delete(":id", use: remove)
  }

  /// `GET /venues?category=Tea%20Room`: venues that match one of the model's fetch request templates, or all venues. A
  /// page of any size requires five statements.
  @Sendable func list(_ request: Request, _: BasicRequestContext) async throws -> Page<VenueBody> {
    let query = try query(request.uri.queryParameters)
    let range = try PageRange(request.uri.queryParameters)
    let page = query.ordered(by: \.name).limit(range.limit).offset(range.offset)
      .including(\.location, \.priceInfo, \.stats, \.categories)
    return try await bubbleTea.store.read { snapshot in
      Page(
        total: try snapshot.fetch(query.count), rows: try snapshot.fetch(page).map(VenueBody.init))
    }
  }

  private func query(_ parameters: Parameters) throws -> TypedQuery<Venue> {
    if let category = parameters.get("category") {
      Templates.venuesOfCategory(category: category)
    } else if let price = parameters.get("price") {
      Templates.venuesOfPrice(price: price)
    } else if let checkins = try parameters.optional("checkins", as: Int32.self) {
      Templates.popularVenues(checkins: checkins)
    } else if try parameters.optional("specials", as: Bool.self) == true {
      Templates.venuesWithSpecials()
    } else {
      Venue.all
    }
  }

  /// `POST /venues`: one transaction creates all rows of a venue.
  @Sendable func create(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> EditedResponse<VenueBody> {
    var body = try await request.decode(as: VenueBody.self, context: context)
    let new = body
    let id = try await bubbleTea.store.transaction(author: "api") { try new.create(in: $0) }
    body.id = id.number
    return EditedResponse(
      status: .created, headers: [.location: "/venues/\(id.number)"], response: body)
  }

  /// `GET /venues/7`
  @Sendable func venue(_: Request, _ context: BasicRequestContext) async throws -> VenueBody {
    let query = Venue.all.where(.id(is: try Venue.ID(context)))
      .including(\.location, \.priceInfo, \.stats, \.categories)
    guard let venue = try await bubbleTea.store.first(query) else { throw HTTPError(.notFound) }
    return try VenueBody(venue)
  }

  /// `POST /venues/7/checkins?tip=true`: counts a check-in, and optionally a tip.
  @Sendable func checkIn(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> VenueBody.Counts {
    let id = try Venue.ID(context)
    let hasTip = try request.uri.queryParameters.optional("tip", as: Bool.self) == true
    return try await bubbleTea.store.transaction(author: "api") { transaction in
      guard let venue = try transaction.object(id) else { throw HTTPError(.notFound) }
      guard let stats = venue.stats else { throw HTTPError(.conflict) }
      try transaction.update(stats) {
        $0.set(\.checkinsCount, to: \.checkinsCount + 1)
        if hasTip { $0.set(\.tipCount, to: \.tipCount + 1) }
      }
      guard let counts = try transaction.object(stats) else { throw HTTPError(.conflict) }
      return VenueBody.Counts(
        checkins: counts.checkinsCount, tips: counts.tipCount, users: counts.usersCount)
    }
  }

  /// `DELETE /venues/7`: the model's delete rules also delete the related rows.
  @Sendable func remove(
    _: Request, _ context: BasicRequestContext
  ) async throws -> HTTPResponse.Status {
    try await bubbleTea.store.delete(Venue.ID(context), author: "api")
    return .noContent
  }

  /// `POST /venues/upload`: inserts venues without related rows.
  @Sendable func upload(
    _ request: Request, _: BasicRequestContext
  ) async throws -> Uploads.Answer {
    try await uploads.insert(request, as: Venue.self, into: bubbleTea.store)
  }
}
