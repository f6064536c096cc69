import StoreModel

/// The meaning of a text, according to the name of its attribute. For example, the value of a `city` is the name of a
/// city.
enum TextKind: Hashable, Sendable, CaseIterable {
  case person, firstName, lastName, email, phone, city, country, street, postalCode, company, color
  case currency, language, address, web, fileName, code, title, sentence, label

  /// The kinds by a word in the name of the attribute. The first match is used, so longer words come before words that
  /// they contain.
  private static let words: [(String, TextKind)] = [
    ("firstname", .firstName), ("givenname", .firstName), ("forename", .firstName),
    ("lastname", .lastName), ("familyname", .lastName), ("surname", .lastName),
    ("filename", .fileName), ("path", .fileName), ("email", .email), ("mail", .email),
    ("username", .email), ("phone", .phone), ("mobile", .phone), ("fax", .phone),
    ("city", .city), ("town", .city), ("country", .country), ("street", .street),
    ("address", .address), ("location", .address), ("place", .address), ("postal", .postalCode),
    ("postcode", .postalCode), ("zip", .postalCode), ("company", .company),
    ("employer", .company), ("brand", .company), ("vendor", .company), ("currency", .currency),
    ("language", .language), ("locale", .language), ("color", .color), ("colour", .color),
    ("url", .web), ("link", .web), ("website", .web), ("homepage", .web), ("uri", .web),
    ("identifier", .code), ("uuid", .code), ("sku", .code), ("isbn", .code), ("code", .code),
    ("serial", .code), ("number", .code), ("token", .code), ("hash", .code),
    ("title", .title), ("subject", .title), ("headline", .title), ("caption", .title),
    ("description", .sentence), ("summary", .sentence), ("comment", .sentence),
    ("message", .sentence), ("content", .sentence), ("note", .sentence), ("memo", .sentence),
    ("body", .sentence), ("text", .sentence), ("bio", .sentence), ("detail", .sentence),
    ("author", .person), ("owner", .person), ("contact", .person), ("person", .person),
  ]

  /// Words in the names of entities whose `name` is the name of a person.
  private static let people = [
    "person", "people", "user", "author", "contact", "employee", "customer", "member", "player",
    "student", "teacher", "patient", "friend", "owner", "guest",
  ]

  init(_ attribute: AttributeDescription, of entity: String = "") {
    let name = attribute.name.lowercased().filter { $0.isLetter }
    if let found = Self.words.first(where: { name.contains($0.0) }) {
      self = found.1
    } else if attribute.type == .uri {
      self = .web
    } else if name.hasSuffix("name") {
      let owner = entity.lowercased()
      self = Self.people.contains { owner.contains($0) } ? .person : .title
    } else {
      self = .label
    }
  }

  func text(_ random: inout SeedRandom) -> String {
    switch self {
    case .person: "\(random.element(of: Words.first)) \(random.element(of: Words.last))"
    case .firstName: random.element(of: Words.first)
    case .lastName: random.element(of: Words.last)
    case .email: mailbox(&random) + "@example.\(random.element(of: Words.domains))"
    case .phone: "+1 555 \(digits(3, &random)) \(digits(4, &random))"
    case .city: random.element(of: Words.cities)
    case .country: random.element(of: Words.countries)
    case .street: street(&random)
    case .address: "\(street(&random)), \(random.element(of: Words.cities))"
    case .postalCode: digits(5, &random)
    case .company: "\(random.element(of: Words.last)) \(random.element(of: Words.companies))"
    case .color: random.element(of: Words.colors)
    case .currency: random.element(of: Words.currencies)
    case .language: random.element(of: Words.languages)
    case .web:
      "https://www.example.\(random.element(of: Words.domains))/\(random.element(of: Words.nouns))"
    case .fileName: "\(random.element(of: Words.nouns))-\(digits(3, &random)).jpg"
    case .code: letters(2, &random) + digits(6, &random)
    case .title: title(&random)
    case .sentence: sentence(&random)
    case .label: random.element(of: Words.nouns)
    }
  }

  /// Returns a text that is unique for the number. The number is at the end or, in an email address, before the @.
  func text(number: UInt64, length: ClosedRange<Int>, _ random: inout SeedRandom) -> String {
    let (before, after) = frame(&random)
    let mark = self == .email || self == .web || self == .code ? "\(number)" : " \(number)"
    let room = length.upperBound - mark.utf16.count
    // The suffix is omitted if there isn't enough room for it.
    let (start, end) = after.utf16.count < room ? (before, after) : (before, "")
    var text = start.shortened(to: max(0, room - end.utf16.count))
    while text.last?.isNumber == true { text.removeLast() }
    let missing = length.lowerBound - text.utf16.count - mark.utf16.count - end.utf16.count
    if missing > 0 { text += String(repeating: "x", count: missing) }
    return text + mark + end
  }

  private func frame(_ random: inout SeedRandom) -> (before: String, after: String) {
    switch self {
    case .email: (mailbox(&random), "@example.\(random.element(of: Words.domains))")
    case .web: ("https://www.example.org/\(random.element(of: Words.nouns))/", "")
    case .code: (letters(2, &random) + "-", "")
    case .sentence: (title(&random), "")
    default: (text(&random), "")
    }
  }

  /// Returns the number at the end of a text, or before an @.
  static func number(in text: String) -> UInt64? {
    let start = text.utf8.prefix { $0 != UInt8(ascii: "@") }
    let digits = start.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
    return UInt64(String(decoding: Array(digits), as: UTF8.self))
  }

  private func mailbox(_ random: inout SeedRandom) -> String {
    "\(random.element(of: Words.first)).\(random.element(of: Words.last))".lowercased()
  }

  private func street(_ random: inout SeedRandom) -> String {
    "\(1 + random.below(180)) \(random.element(of: Words.last)) \(random.element(of: Words.streets))"
  }

  private func title(_ random: inout SeedRandom) -> String {
    "\(random.element(of: Words.adjectives)) \(random.element(of: Words.nouns))"
  }

  private func sentence(_ random: inout SeedRandom) -> String {
    let count = 1 + random.below(3)
    return (0..<count).map { _ in
      "The \(random.element(of: Words.adjectives).lowercased()) \(random.element(of: Words.nouns))"
        + " \(random.element(of: Words.verbs)) the \(random.element(of: Words.nouns))."
    }.joined(separator: " ")
  }

  private func digits(_ count: Int, _ random: inout SeedRandom) -> String {
    String(decoding: (0..<count).map { _ in UInt8(0x30 + random.below(10)) }, as: UTF8.self)
  }

  private func letters(_ count: Int, _ random: inout SeedRandom) -> String {
    String(decoding: (0..<count).map { _ in UInt8(0x41 + random.below(26)) }, as: UTF8.self)
  }
}

extension String {
  /// Returns the beginning of the text, with at most `length` UTF-16 units. Characters aren't split.
  func shortened(to length: Int) -> String {
    guard utf16.count > length else { return self }
    var (text, count) = ("", 0)
    for character in self {
      count += String(character).utf16.count
      guard count <= length else { break }
      text.append(character)
    }
    return text
  }
}

/// The parts of generated texts.
enum Words {
  static let first = [
    "Ada", "Amir", "Ana", "Ben", "Chloé", "Daniel", "Elif", "Emma", "Finn", "Grace", "Hugo", "Ida",
    "Ivan", "Jun", "Karim", "Lara", "Leo", "Lucía", "Maja", "Mateo", "Mia", "Nina", "Noah", "Olga",
    "Omar", "Paul", "Priya", "Ray", "Sara", "Tom", "Yuki", "Zoë",
  ]
  static let last = [
    "Adams", "Baker", "Costa", "Dubois", "Evans", "Fischer", "García", "Hansen", "Ivanov", "Jones",
    "Kaya", "Kim", "Lopez", "Meyer", "Müller", "Nguyen", "Novak", "O'Brien", "Okafor", "Patel",
    "Rossi", "Sato", "Schmidt", "Silva", "Smith", "Tanaka", "Tran", "Vogel", "Walker", "Weber",
    "Wong", "Young",
  ]
  static let cities = [
    "Amsterdam", "Athens", "Berlin", "Bogotá", "Boston", "Cairo", "Chicago", "Delhi", "Dublin",
    "Geneva", "Hamburg", "Helsinki", "Kyoto", "Lagos", "Lisbon", "London", "Madrid", "Milan",
    "Montréal", "Nairobi", "Oslo", "Paris", "Prague", "Rome", "Seoul", "Sydney", "Tokyo", "Toronto",
    "Vienna", "Warsaw", "Zagreb", "Zürich",
  ]
  static let countries = [
    "Austria", "Brazil", "Canada", "Denmark", "Egypt", "France", "Germany", "India", "Italy",
    "Japan", "Kenya", "Mexico", "Norway", "Poland", "Spain", "United States",
  ]
  static let streets = ["Avenue", "Lane", "Road", "Square", "Street", "Way"]
  static let companies = ["& Sons", "GmbH", "Inc.", "Labs", "Ltd.", "Works"]
  static let colors = [
    "black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "teal", "white",
    "yellow",
  ]
  static let currencies = ["AUD", "CAD", "CHF", "EUR", "GBP", "INR", "JPY", "USD"]
  static let languages = ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "pt", "tr", "zh"]
  static let domains = ["com", "net", "org"]
  static let adjectives = [
    "Bright", "Broken", "Calm", "Cold", "Early", "Empty", "Fast", "First", "Green", "Happy",
    "Heavy", "Hidden", "Late", "Little", "Long", "New", "Old", "Open", "Quiet", "Red", "Round",
    "Sharp", "Silver", "Slow", "Small", "Soft", "Strong", "Sweet", "Tall", "Warm", "Wide", "Wild",
  ]
  static let nouns = [
    "anchor", "apple", "bicycle", "book", "bridge", "candle", "cloud", "coffee", "door", "engine",
    "forest", "garden", "hammer", "harbor", "island", "journey", "kettle", "ladder", "lamp",
    "letter", "mirror", "morning", "mountain", "paper", "pencil", "river", "shadow", "stone",
    "table", "train", "window", "winter",
  ]
  static let verbs = [
    "carries", "finds", "follows", "holds", "meets", "moves", "opens", "passes", "reaches", "sees",
    "turns", "watches",
  ]
}
