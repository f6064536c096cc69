package import StoreModel
import StoreLayout

/// Proposes a rule for each attribute: the rule in its user info or, without one, a guess from its name and type.
package struct RuleProposal {
  private let model: DataModel

  package init(for model: DataModel) {
    self.model = model
  }

  /// The text of a file with rules: a section for each entity, in alphabetical order.
  package var text: String {
    let sections = model.entities.compactMap { entity -> String? in
      let lines = model.storedAttributes(declaredBy: entity).compactMap {
        line(for: $0, of: entity)
      }
      return lines.isEmpty ? nil : lines.joined()
    }
    return ([Self.head(model.name)] + sections).joined(separator: "\n")
  }

  private static func head(_ name: String) -> String {
    """
    # Suggested rules for '\(name)', guessed from names and types. Before use, check each attribute with 'keep', and \
    amounts such as 180d.

    """
  }

  private func line(for attribute: AttributeDescription, of entity: EntityDescription) -> String? {
    guard attribute.derivation == nil else { return nil }
    let (rule, remark) = proposal(
      for: attribute, of: entity, isUnique: isUnique(attribute.name, in: entity))
    return "\(entity.name).\(attribute.name): \(rule)\n"
      + (remark.map { "# ^ \($0)\n" } ?? "")
  }

  private func isUnique(_ name: String, in entity: EntityDescription) -> Bool {
    model.subtree(of: entity).flatMap(\.uniquenessConstraints).contains { $0.contains(name) }
  }

  private func proposal(
    for attribute: AttributeDescription, of entity: EntityDescription, isUnique: Bool
  ) -> (rule: String, remark: String?) {
    if let said = attribute.userInfo[RuleBook.userInfoKey] { return (said, nil) }
    let spelled = Self.words(of: attribute.name)
    var words = Set(spelled).union([attribute.name.lowercased()])
    // The meaning of a 'name' depends on the entity, so the words of the entity's name are added.
    if words.isDisjoint(with: Self.qualifiers), words.contains("name") {
      words.formUnion(
        model.subtree(of: entity).flatMap { Self.words(of: $0.name) + [$0.name.lowercased()] })
    }
    if attribute.type == .transformable || attribute.type == .undefined {
      return attribute.isOptional
        ? ("null", nil) : ("keep", "only its app can read it, so only a constant can replace it")
    }
    let rule = Self.guess(for: attribute.type, spelled, words)
    return (isUnique && rule.mergesValues ? "keep" : rule.text, nil)
  }

  /// Guesses a rule from the words of a name. The last word has priority: `userURL` is a URL, and `avatarId` is an ID.
  /// `emailAddress` and `ipAddress` aren't addresses of places.
  private static func guess(
    for type: AttributeType, _ spelled: [String], _ words: Set<String>
  ) -> AnonymizationRule {
    var last = spelled.last ?? ""
    var words = words
    if last.hasSuffix("url") { last = "url" }
    if last == "address", !words.isDisjoint(with: machines) {
      words.subtract(["address"])
      last = ""
    }
    if last == "address", !words.isDisjoint(with: ["email", "mail"]) { last = "email" }
    let guesses = guesses(for: type)
    let guess =
      guesses.first { $0.words.contains(last) }
      ?? guesses.first { $0.words.isEmpty || !$0.words.isDisjoint(with: words) }
    return guess?.rule ?? .keep
  }

  /// Words in the names of attributes that contain addresses of devices and accounts. Such addresses aren't replaced by
  /// postal addresses.
  private static let machines: Set = [
    "ip", "ipv", "mac", "bluetooth", "wallet", "bitcoin", "ethereum", "host", "server", "device",
    "network", "peer", "proxy", "memory",
  ]
  private static let qualifiers: Set = ["first", "last", "given", "family", "nick"]
  private static let people: Set = [
    "person", "people", "user", "contact", "author", "owner", "sender", "recipient", "customer",
    "client", "employee", "member", "patient", "student", "teacher", "friend", "player", "artist",
    "fullname", "username", "login", "screenname",
  ]

  private typealias Guess = (words: Set<String>, rule: AnonymizationRule)

  /// The guesses, in the order in which they are tried. A guess without words always matches.
  private static func guesses(for type: AttributeType) -> [Guess] {
    switch type {
    case .string:
      [
        (["email", "mail"], .fake(.email)), (["phone", "mobile", "fax", "tel"], .fake(.phone)),
        (["first", "given", "forename", "nickname", "nick"], .fake(.firstName)),
        (["last", "family", "surname"], .fake(.lastName)),
        (["street", "address"], .fake(.address)), (["city", "town", "place"], .fake(.city)),
        (["company", "organization", "employer"], .fake(.company)),
        (["url", "uri", "href", "website", "homepage", "link", "permalink"], .fake(.url)),
        (
          ["id", "identifier", "uuid", "key", "token", "guid", "hash", "password", "secret"], .hash
        ),
        (people, .fake(.name)),
        ([], .scramble),
      ]
    case .uri: [([], .fake(.url))]
    case .uuid, .binary: [([], .hash)]
    case .date: [([], .shift(seconds: AnonymizationRule.usualShift))]
    case .decimal, .double, .float:
      [(["latitude", "longitude", "lat", "lon", "lng"], .round(.number(0.5)))]
    case .undefined, .integer16, .integer32, .integer64, .boolean, .transformable, .objectID,
      .composite:
      []
    }
  }

  /// Splits a name into words: `firstName` into `first` and `name`, `avatarURL` into `avatar` and `url`, `IPAddress`
  /// into `ip` and `address`.
  private static func words(of name: String) -> [String] {
    let characters = Array(name)
    var words: [String] = [""]
    for (index, character) in characters.enumerated() {
      let isStart =
        character.isUppercase
        && (index == 0 || !characters[index - 1].isUppercase
          || index + 1 < characters.count && characters[index + 1].isLowercase)
      if isStart || !character.isLetter { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
    }
    return words.filter { !$0.isEmpty }
  }
}
