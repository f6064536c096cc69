import Foundation
import Hummingbird
import StoreEngine

/// The JSON of a venue with its related rows, in requests and responses.
struct VenueBody: ResponseCodable {
  struct Place: Codable {
    var address: String?
    var city: String?
    var country: String?
    var latitude: Double?
    var longitude: Double?
  }
  struct Price: Codable {
    var category: String?
    var tier: Int16?
  }
  struct Counts: ResponseCodable {
    var checkins: Int32
    var tips: Int32
    var users: Int32
  }

  /// The row number, which the server assigns.
  var id: Int64?
  var name: String
  var phone: String?
  var url: URL?
  var specials: Int32?
  var location: Place?
  var price: Price?
  var stats: Counts?
  var categories: [String]?

  /// Creates the JSON of a fetched venue.
  ///
  /// - Throws: `StoreError` for a relationship that wasn't included in the fetch.
  init(_ venue: Included<Venue>) throws {
    id = venue.id.number
    (name, phone, url, specials) = (venue.name, venue.phone, venue.url, venue.specialCount)
    location = try venue[\.location].map {
      Place(
        address: $0.address, city: $0.city, country: $0.country, latitude: $0.latitude,
        longitude: $0.longitude)
    }
    price = try venue[\.priceInfo].map { Price(category: $0.priceCategory, tier: $0.tier) }
    stats = try venue[\.stats].map {
      Counts(checkins: $0.checkinsCount, tips: $0.tipCount, users: $0.usersCount)
    }
    categories = try venue[\.categories].map(\.name).sorted()
  }

  /// Creates the rows of a new venue: the venue, up to three related rows, and one row for each category.
  ///
  /// - Throws: `StoreError`
  func create(in transaction: StoreTransaction) throws -> Venue.ID {
    let location = try location.map {
      try transaction.create(
        Location(
          address: $0.address, city: $0.city, country: $0.country, latitude: $0.latitude,
          longitude: $0.longitude))
    }
    let price = try price.map {
      try transaction.create(PriceInfo(priceCategory: $0.category, tier: $0.tier))
    }
    let counts = stats ?? Counts(checkins: 0, tips: 0, users: 0)
    let stats = try transaction.create(
      Stats(checkinsCount: counts.checkins, tipCount: counts.tips, usersCount: counts.users))
    let venue = try transaction.create(
      Venue(
        name: name, phone: phone, specialCount: specials ?? 0, url: url, location: location,
        priceInfo: price, stats: stats))
    try transaction.create((categories ?? []).map { Category(name: $0, venue: venue) })
    return venue
  }
}
