import StoreDiagnostics
import StoreModel
import Testing

@testable import StoreAnonymization

/// The rules of a file: the rule of each attribute, and errors.
@Suite struct RuleBookTests {
  private static let model = DataModel(
    name: "People",
    entities: [
      EntityDescription(
        name: "Being", isAbstract: true,
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "born", type: .date),
          AttributeDescription(name: "age", type: .integer16, isOptional: true),
        ]),
      EntityDescription(
        name: "Person", parent: "Being",
        attributes: [
          AttributeDescription(name: "email", type: .string, userInfo: ["anonymize": "fake-email"]),
          AttributeDescription(name: "home", type: .composite("Place")),
          AttributeDescription(name: "shown", type: .string, isTransient: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "pet", destination: "Pet", cardinality: .toOne, isOptional: true)
        ], uniquenessConstraints: [["email"]]),
      EntityDescription(name: "Pet", parent: "Being"),
    ],
    composites: [
      CompositeDescription(
        name: "Place",
        attributes: [
          AttributeDescription(name: "street", type: .string, isOptional: true),
          AttributeDescription(name: "zip", type: .integer32, isOptional: true),
        ])
    ])

  private func rules(_ text: String) throws -> [String] {
    try RuleBook(of: Self.model, RulesText(text, file: "rules.txt")).entries.map {
      "\($0.entity).\($0.attribute.name): \($0.rule.text)\($0.isDefault ? " (by default)" : "")"
    }
  }

  private func errors(_ text: String) -> String {
    do {
      return try rules(text).joined(separator: "\n")
    } catch let error as any DiagnosableError {
      let renderer = DiagnosticRenderer(color: false, wording: NeutralWording())
      return error.diagnostics.map(renderer.render).joined()
    } catch {
      return "\(error)"
    }
  }

  @Test func theNearestRuleCounts() throws {
    #expect(
      try rules(
        """
        # Names
        name: fake-name
        Pet.name: keep
          born :  shift 30d\t
        Person.born: round year
        home.street: scramble
        """) == [
          "Person.age: keep (by default)", "Person.born: round year", "Person.email: fake-email",
          "Person.home.street: scramble", "Person.home.zip: keep (by default)",
          "Person.name: fake-name", "Pet.age: keep (by default)", "Pet.born: shift 30d",
          "Pet.name: keep",
        ])
  }

  @Test func aCompositeIsMeantWithItsElements() throws {
    let all = try rules("name: hash\nborn: shift\nhome: null\nPerson.home.street: blank\n")
    #expect(
      all.filter { $0.contains("home") } == ["Person.home.street: blank", "Person.home.zip: null"])
  }

  @Test func nothingSlipsThrough() {
    #expect(
      errors("Person.name: hash") == """
        error: 3 attributes have no rule: Being.born, Being.name, Person.home.street [anonymize.no-rule]
          help: begin with suggested rules
          help: the rule 'keep' leaves values as they are

        """)
  }

  @Test func allMistakesAreShownWithTheirPlaces() {
    #expect(
      errors(
        """
        Persn.name: keep
        name fake-name
        born: shfit
        Person.home.zip: hash now
        Person.pet: null
        shown: keep
        name: null
        home.street: jitter 3
        home.street: keep
        email: blank
        home.zip: constant x
        born: shift 5h
        age:
        """) == """
          rules.txt:1:1: error: the model has no attribute 'Persn.name' [anonymize.unknown-attribute]
            Persn.name: keep
            ^^^^^^^^^^
            help: did you mean 'Person.name'?
          rules.txt:2:1: error: a rule consists of an attribute, a colon and a replacement [anonymize.no-colon]
            name fake-name
            ^^^^^^^^^^^^^^
            help: write it as Person.name: fake-name
          rules.txt:3:7: error: unknown rule 'shfit' [anonymize.unknown-rule]
            born: shfit
                  ^^^^^
            help: did you mean 'shift'?
            help: the rules are: keep, null, blank, constant, hash, scramble, shift, jitter, round, fake-name, fake-first-name, fake-last-name, fake-email, fake-phone, fake-address, fake-city, fake-company, fake-url
          rules.txt:4:18: error: unexpected 'now' after 'hash' [anonymize.rule]
            Person.home.zip: hash now
                             ^^^^^^^^
          rules.txt:5:1: error: 'Person.pet' is a relationship, and relationships stay as they are [anonymize.relationship]
            Person.pet: null
            ^^^^^^^^^^
          rules.txt:6:1: error: 'shown' is transient, so the store doesn't contain its values [anonymize.transient]
            shown: keep
            ^^^^^
          rules.txt:7:7: error: 'Being.name' is required and can't become NULL [anonymize.unfit-rule]
            name: null
                  ^^^^
            help: 'blank' or a constant removes the values
          rules.txt:8:14: error: 'jitter 3' isn't a valid rule for 'Person.home.street', which is a String [anonymize.unfit-rule]
            home.street: jitter 3
                         ^^^^^^^^
            help: valid rules: keep, null, blank, constant …, hash, scramble, fake-name, fake-first-name, fake-last-name, fake-email, fake-phone, fake-address, fake-city, fake-company, fake-url
          rules.txt:9:1: error: 'home.street' has a rule already [anonymize.repeated]
            home.street: keep
            ^^^^^^^^^^^
          rules.txt:10:8: error: the values of 'Person.email' must be unique, but 'blank' can make them equal [anonymize.unfit-rule]
            email: blank
                   ^^^^^
            help: 'hash', 'scramble' and fake values result in different values
          rules.txt:11:11: error: 'x' isn't an Integer 32, which 'Person.home.zip' requires [anonymize.unfit-rule]
            home.zip: constant x
                      ^^^^^^^^^^
            help: write it as a whole number from -2147483648 to 2147483647
          rules.txt:12:7: error: '5h' is less than 1d, and dates are shifted by whole days [anonymize.rule]
            born: shift 5h
                  ^^^^^^^^
            help: write it as 90d, 12h, 30m or 45s
          rules.txt:13:4: error: the rule is missing [anonymize.unknown-rule]
            age:
               ^
            help: 'keep' leaves values as they are

          """)
  }

  @Test func theModelsOwnRulesAreChecked() throws {
    func errors(_ rule: String) -> String {
      let model = DataModel(
        name: "M",
        entities: [
          EntityDescription(
            name: "A",
            attributes: [
              AttributeDescription(name: "b", type: .string, userInfo: ["anonymize": rule])
            ])
        ])
      do {
        return try RuleBook(of: model, nil).entries.map(\.rule.text).joined()
      } catch let error as any DiagnosableError {
        return error.diagnostics.map { "\($0.message) \($0.help.first?.description ?? "")" }
          .joined()
      } catch {
        return "\(error)"
      }
    }
    #expect(errors("fake-name") == "fake-name")
    #expect(
      errors("fake-nmae")
        == "unknown rule 'fake-nmae', in the user info of 'A.b' did you mean 'fake-name'?")
    #expect(
      errors("null")
        == "'A.b' is required and can't become NULL, in the user info of 'A.b' 'blank' or a constant removes the values"
    )
  }

  @Test func rejectsInvalidRuleOfComposite() throws {
    func messages(_ rule: String) throws -> [String] {
      let place = CompositeDescription(
        name: "Place", attributes: [AttributeDescription(name: "street", type: .string)])
      let home = AttributeDescription(
        name: "home", type: .composite("Place"), userInfo: ["anonymize": rule])
      let model = DataModel(
        name: "M", entities: [EntityDescription(name: "A", attributes: [home])], composites: [place]
      )
      do {
        return try RuleBook(of: model, nil).entries.map(\.rule.text)
      } catch let error as any DiagnosableError {
        return error.diagnostics.map(\.message)
      }
    }
    #expect(try messages("scramble") == ["scramble"])
    #expect(try messages("scrambel") == ["unknown rule 'scrambel', in the user info of 'A.home'"])
  }

  @Test func aProposalIsAFileOfRules() throws {
    let text = RuleProposal(for: Self.model).text
    #expect(
      text == """
        # Suggested rules for 'People', guessed from names and types. Before use, check each attribute with 'keep', \
        and amounts such as 180d.

        Being.age: keep
        Being.born: shift 180d
        Being.name: fake-name

        Person.email: fake-email
        Person.home.street: fake-address
        Person.home.zip: keep

        """)
    #expect(try rules(text).count == 9)
  }

  private func proposal(_ name: String) -> String? {
    let model = DataModel(
      name: "M",
      entities: [
        EntityDescription(
          name: "A", attributes: [AttributeDescription(name: name, type: .string, isOptional: true)]
        )
      ])
    return RuleProposal(for: model).text.split(separator: "\n").last
      .map { String($0.drop { $0 != ":" }.dropFirst(2)) }
  }

  /// Acronyms are words, and the last word of a name is checked first.
  @Test(arguments: [
    ("avatarURL", "fake-url"), ("avatarUrl", "fake-url"), ("userIconURL", "fake-url"),
    ("userURL", "fake-url"), ("homeURL", "fake-url"), ("emailURL", "fake-url"),
    ("URLString", "fake-url"), ("imageurl", "fake-url"), ("profile_url", "fake-url"),
    ("url", "fake-url"), ("website", "fake-url"), ("ipAddress", "scramble"),
    ("IPAddress", "scramble"), ("ipv6Address", "scramble"), ("macAddress", "scramble"),
    ("emailAddress", "fake-email"), ("homeAddress", "fake-address"), ("userID", "hash"),
    ("userId", "hash"), ("placeID", "hash"), ("emailHash", "hash"), ("deviceToken", "hash"),
    ("password", "hash"), ("userLogin", "fake-name"), ("screenName", "fake-name"),
    ("userName", "fake-name"), ("username", "fake-name"), ("nickname", "fake-first-name"),
    ("firstName", "fake-first-name"), ("surname", "fake-last-name"), ("phoneNumber", "fake-phone"),
    ("cityName", "fake-city"), ("title", "scramble"),
  ])
  func proposesByTheLastWord(_ name: String, _ rule: String) {
    #expect(proposal(name) == rule)
  }

  /// One file can be used for stores of all versions.
  @Test func aLineForAnotherVersionIsANote() throws {
    let old = DataModel(
      name: "People",
      entities: [
        EntityDescription(
          name: "Person", attributes: [AttributeDescription(name: "fax", type: .string)]),
        EntityDescription(
          name: "Robot", attributes: [AttributeDescription(name: "serial", type: .string)]),
      ])
    func book(_ text: String) throws -> RuleBook {
      try RuleBook(
        of: Self.model, RulesText("name: keep\nborn: keep\nhome: keep\n" + text, file: "r")
      ) { [old] }
    }
    let notes = try book("Person.fax: fake-phone\nserial: hash").notes
    #expect(notes.map(\.severity) == [.note, .note])
    #expect(notes.map(\.code) == ["anonymize.other-version", "anonymize.other-version"])
    #expect(notes.map(\.place?.line) == [4, 5])
    #expect(throws: RulesError.self) { try book("Person.fux: fake-phone") }
    #expect(try book("").notes.isEmpty)
  }
}
