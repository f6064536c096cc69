import Foundation
import TestSupport
import Testing

/// The bubble tea tutorial with its own data: the import by the model, then its four counts.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct TutorialTests {
  private static let venues = Corpus.shared.appendingPathComponent("bubble-tea/venues.json").path

  @Test(arguments: [
    // The `mappedKeyName` entries of the model contain the paths of the values.
    "",
    "--map phone=contact.phone --map priceInfo.priceCategory=price.currency",
  ])
  func countsVenuesByPrice(mapping: String) throws {
    let folder = try SampleFolder()
    try folder.expect("storetool create --model Models/BubbleTea.xcdatamodeld")
    try folder.expect(
      "storetool import '\(Self.venues)' --entity Venue --root response.venues \(mapping)")
    func count(_ price: String) throws -> String {
      try folder.expect("storetool apply-template venuesOfPrice --count 'PRICE=\(price)'")
    }
    #expect(try count("$") == "27\n")
    #expect(try count("$$") == "2\n")
    #expect(try count("$$$") == "1\n")
    let sum = try folder.expect("storetool fetch Venue --select 'sum(specialCount)' --format csv")
    #expect(sum == "sum(specialCount)\n12\n")
  }
}
