/// The kinds of fake texts, such as names and addresses.
package enum FakeKind: String, CaseIterable, Hashable, Sendable {
  case name
  case firstName = "first-name"
  case lastName = "last-name"
  case email
  case phone
  case address
  case city
  case company
  case url

  /// Whether the text is composed from short lists, with a house number in an address, so that different values can get
  /// the same text.
  var isOfFewWords: Bool {
    switch self {
    case .name, .firstName, .lastName, .address, .city, .company: true
    case .email, .phone, .url: false
    }
  }

  /// - Parameters:
  ///   - text: the original text, which is replaced.
  ///   - isUnique: whether texts must be unique. If `isOfFewWords` is true, letters and digits are then added to each
  ///     text. E-mail addresses and URLs always contain them, and phone numbers ignore the parameter.
  func text(for text: String, from source: ValueSource, isUnique: Bool) -> String {
    if self == .phone { return Self.phone(for: text, from: source) }
    var draw = source.draw(for: "fake \(rawValue)", Array(text.utf8))
    let made = words(&draw)
    return isUnique && isOfFewWords ? "\(made) \(Self.token(&draw))" : made
  }

  private func words(_ draw: inout Draw) -> String {
    switch self {
    case .name:
      return draw.element(of: FakeWords.firstNames) + " " + draw.element(of: FakeWords.lastNames)
    case .firstName: return draw.element(of: FakeWords.firstNames)
    case .lastName: return draw.element(of: FakeWords.lastNames)
    case .city: return draw.element(of: FakeWords.cities)
    case .address:
      let number = 1 + draw.number(below: 180)
      let street = draw.element(of: FakeWords.streets)
      return "\(number) \(street) \(draw.element(of: FakeWords.streetKinds))"
    case .company:
      return draw.element(of: FakeWords.companies) + " " + draw.element(of: FakeWords.trades)
    case .email:
      let names = [draw.element(of: FakeWords.firstNames), draw.element(of: FakeWords.lastNames)]
      // RFC 2606 reserves this domain, so the address doesn't exist.
      return names.map { $0.lowercased() }.joined(separator: ".")
        + ".\(Self.token(&draw))@example.com"
    case .url: return "https://example.com/\(Self.token(&draw))"
    case .phone: return ""
    }
  }

  /// Returns `+999`, which isn't a country code, followed by the number with other digits and the same format.
  private static func phone(for text: String, from source: ValueSource) -> String {
    let number = text.hasPrefix("+") ? text.dropFirst() : text[...]
    return "+999 " + ScrambledText(source: source).scrambled(String(number))
  }

  /// Returns 12 random letters and digits (60 bits), determined by the secret key of `ValueSource` and the original
  /// text.
  private static func token(_ draw: inout Draw) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    return String(decoding: (0..<12).map { _ in letters[Int(draw.byte() & 31)] }, as: UTF8.self)
  }
}

/// The words from which fake values are composed. They don't come from the store.
enum FakeWords {
  static let firstNames = words(
    """
    Ada Adam Agnes Aiko Alba Amara Amir Ana Anders Anton Aroha Ayla Bela Bianca Bruno Carla Carmen Chen Chloe \
    Clara Dalia Dario David Dina Doris Edgar Elena Elias Ella Emil Emma Erik Esra Eva Fatima Felix Finn Frida \
    Gita Greta Hana Hannes Hector Hugo Ida Ines Iris Ivan Jamal Jana Jonas Jun Kai Kamala Karim Keiko Lara Lea \
    Leon Lina Linh Luca Lucia Mai Malik Mara Marco Maria Maya Mei Mila Milan Mira Nadia Naomi Nico Nina Noah \
    Nora Omar Olga Oskar Paula Pedro Petra Priya Rafael Rania Ravi Rosa Ruth Samir Sara Selma Simon Sofia Sven \
    Tara Tariq Theo Tina Tomas Uma Vera Victor Yara Yusuf Zoe
    """)

  static let lastNames = words(
    """
    Abbas Adler Almeida Amado Andersen Arslan Bach Baker Banerjee Barros Bauer Becker Berg Blanc Bose Brandt Brook \
    Calder Castro Chang Cohen Costa Cruz Dahl Delgado Demir Diaz Dubois Eder Ekholm Falk Farah Ferrer Fischer \
    Fontaine Forster Frost Garner Gomes Grant Gruber Haas Haddad Hale Hansen Hara Herrera Hoffman Holm Horvat \
    Ibarra Ito Jansen Jensen Kaiser Kapoor Keller Khan Klein Kovacs Kumar Lang Larsen Leclerc Lindgren Lopez \
    Maier Marino Mehta Mendez Meyer Moreau Mori Nagy Nair Navarro Nguyen Novak Okafor Olsen Ortega Park Petrov \
    Quinn Ramos Reyes Ricci Rossi Sato Schmid Silva Simic Sousa Stone Suzuki Tanaka Torres Vance Vargas Vogel \
    Wagner Walsh Weber Winter Wolf Yamada Young Ziegler
    """)

  static let cities = words(
    """
    Alderbrook Ashford Bayview Birkenau Blackwell Brightwater Brookhaven Castelmar Cedarville Clearlake Costanera \
    Dunmore Eastbridge Elmstead Fairhaven Ferndale Foxhollow Glenrock Goldbach Grimsvik Halvor Hawthorne Highmoor \
    Isola Kaltenbrunn Kestrelton Lakeside Larkspur Lindenau Marigny Maplewood Meadowbank Millbrook Montclair \
    Nordhaven Oakridge Oldenfeld Pinecrest Port-Selva Quarrytown Ravensburg Redcliff Riverbend Rosenthal Saltmarsh \
    Santa-Brisa Silverton Stonebridge Sunndal Thornbury Valmora Vesterby Waldheim Westerlund Willowdale Windermoor \
    Yarrowfield Zellhof
    """)

  static let streets = words(
    """
    Acorn Alder Amber Ash Aspen Bank Beech Birch Bridge Canal Castle Cedar Chapel Cherry Church Clay Clover Corner \
    Crescent Dale Elm Fern Field Forest Fountain Garden Grove Harbor Hazel Heath Hill Holly Ivy Juniper Kiln Lake \
    Larch Laurel Lime Linden Maple Market Meadow Mill Moss North Oak Olive Orchard Park Pine Poplar Quarry River \
    Rose School South Spring Station Stone Summer Tower Valley Vine Walnut Water Willow Winter
    """)

  static let streetKinds = words("Street Road Lane Avenue Way Place Row Square")

  static let companies = words(
    """
    Acorn Anchor Atlas Aurora Beacon Birch Blue-Heron Bridge Canyon Cedar Cobalt Compass Copper Coral Crescent Delta \
    Ember Falcon Fern Granite Harbor Hazel Horizon Indigo Ivory Juniper Kestrel Lantern Larch Lighthouse Maple \
    Meridian Mistral Nimbus Nova Oak Onyx Orchid Osprey Pebble Pine Polar Prairie Quartz Raven Ridge Saffron Sierra \
    Summit Tamarind Tidal Topaz Tundra Umber Vela Willow Zephyr
    """)

  static let trades = words(
    """
    Analytics Bakery Books Builders Catering Consulting Design Electric Engineering Foods Foundry Freight Furniture \
    Gardens Glass Hotels Imports Instruments Labs Logistics Media Motors Optics Paper Partners Pharma Press Printing \
    Software Studios Supplies Systems Textiles Tools Trading Travel Works
    """)

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map { $0.map { $0 == "-" ? " " : String($0) }.joined() }
  }
}
