/// What a made-up text is to look like.
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

  /// Whether two values may get the same text: there are only so many words.
  var isOfFewWords: Bool {
    switch self {
    case .name, .firstName, .lastName, .address, .city, .company: true
    case .email, .phone, .url: false
    }
  }

  /// - Parameters:
  ///   - text: what it takes the place of.
  ///   - isUnique: whether no two values may get the same one: letters behind it see to that.
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
      // Nobody can have an address there: RFC 2606.
      return names.map { $0.lowercased() }.joined(separator: ".")
        + ".\(Self.token(&draw))@example.com"
    case .url: return "https://example.com/\(Self.token(&draw))"
    case .phone: return ""
    }
  }

  /// 999 is the code of no country, and the form of the number stays: digits and what is between them.
  private static func phone(for text: String, from source: ValueSource) -> String {
    let number = text.hasPrefix("+") ? text.dropFirst() : text[...]
    return "+999 " + ScrambledText(source: source).scrambled(String(number))
  }

  /// 60 bits.
  private static func token(_ draw: inout Draw) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    return String(decoding: (0..<12).map { _ in letters[Int(draw.byte() & 31)] }, as: UTF8.self)
  }
}
