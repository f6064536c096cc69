import StoreDiagnostics
import StoreModel

/// Makes a model of the objects of an archive, whoever has written it.
///
/// What an archive holds is bounded in number and depth, and each name is looked up before the model
/// relies on it.
struct CompiledModelDecoder {
  /// Entities, properties, indexes, names in lists, entries of user info: a model has no more of them in all.
  static let partLimit = 200_000
  /// How many ancestors an entity may have.
  static let ancestorLimit = 100

  let archive: KeyedArchive
  var expressions = ArchivedExpressions()
  var diagnostics: [Diagnostic] = []
  private var parts = 0

  /// By name, with the objects that stand for them.
  var entities: [String: EntityObject] = [:]
  /// The name of each by the number of its object.
  var names: [Int: String] = [:]
  var composites: [Composite] = []
  var compositeDepth = 0

  /// An entity before its properties are read.
  struct EntityObject {
    var object: KeyedArchive.Object
    var name: String
    var parent: String?
    /// Own and inherited ones.
    var properties: [String: KeyedArchive.Object] = [:]
  }

  init(archive: KeyedArchive) {
    self.archive = archive
  }

  mutating func decode(name: String) throws(KeyedArchiveError) -> CompiledModelReading {
    let root = archive.root
    try require(root, ArchivedClass.model)
    try readEntities(of: root)
    var decoded: [Entity] = []
    // The order of an archive is that of a hash table: by name, diagnostics are the same each time.
    for name in entities.keys.sorted() {
      guard let entity = entities[name] else { continue }
      decoded.append(try decodeEntity(entity))
    }
    try checkInverses(of: decoded)
    let model = Model(
      name: name, versionIdentifiers: try identifiers(of: root), entities: decoded,
      templates: try templates(of: root), configurations: try configurations(of: root),
      composites: composites)
    return CompiledModelReading(model: model, diagnostics: diagnostics)
  }

  // MARK: The model

  /// A set of texts: in the order of the text, since a set has none.
  private mutating func identifiers(
    of root: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [String] {
    let identifiers = try optionalPart("the version identifiers") {
      decoder throws(KeyedArchiveError) in
      let identifiers = try root.texts(ArchivedKey.versionIdentifiers)
      try decoder.count(identifiers.count)
      return identifiers
    }
    return identifiers?.sorted() ?? []
  }

  private mutating func configurations(
    of root: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [Configuration] {
    var configurations: [String: Configuration] = [:]
    for (name, value) in try optionalEntries(ArchivedKey.configurations, of: root) {
      let configuration = try optionalPart("the configuration '\(name)'") {
        decoder throws(KeyedArchiveError) in
        guard configurations[name] == nil else {
          throw root.secondName(name, at: ArchivedKey.configurations)
        }
        guard case .object(let list) = value else {
          throw root.fault(value, at: ArchivedKey.configurations, expected: "lists of entities")
        }
        return try decoder.configuration(name, of: list)
      }
      if let configuration { configurations[name] = configuration }
    }
    return configurations.values.sorted { $0.name < $1.name }
  }

  /// Members that aren't entities of the model are left out.
  private mutating func configuration(
    _ name: String, of list: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> Configuration {
    let members = try list.memberObjects(expected: "an entity")
    try count(members.count + 1)
    var entities: [String] = []
    for member in members {
      let entity = try optionalPart("a member of the configuration '\(name)'") {
        decoder throws(KeyedArchiveError) in try decoder.entityName(of: member)
      }
      if let entity { entities.append(entity) }
    }
    return Configuration(name: name, entities: entities.sorted())
  }

  private mutating func templates(
    of root: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [FetchRequestTemplate] {
    var templates: [FetchRequestTemplate] = []
    var names: Set<String> = []
    for (name, value) in try optionalEntries(ArchivedKey.templates, of: root) {
      let template = try optionalPart("the fetch request '\(name)'") {
        decoder throws(KeyedArchiveError) in
        guard !names.contains(name) else { throw root.secondName(name, at: ArchivedKey.templates) }
        guard case .object(let request) = value else {
          throw root.fault(value, at: ArchivedKey.templates, expected: "fetch requests")
        }
        return try decoder.decodeRequest(
          request, name: name, entityName: nil, context: "in fetch request '\(name)'")
      }
      guard let template else { continue }
      names.insert(name)
      templates.append(template)
    }
    return templates
  }

  // MARK: For all parts

  /// Counts parts of the model that were found.
  mutating func count(_ number: Int) throws(KeyedArchiveError) {
    parts += number
    guard parts <= Self.partLimit else { throw KeyedArchiveError(.entangled) }
  }

  func require(
    _ object: KeyedArchive.Object, _ classes: String...
  ) throws(KeyedArchiveError) {
    guard let name = try object.className, classes.contains(name) else {
      let names = classes.map { "'\($0)'" }.joined(separator: " or ")
      throw object.fault(expected: "an object of class \(names)")
    }
  }

  func requireUnique(
    _ names: [String], in object: KeyedArchive.Object
  ) throws(KeyedArchiveError) {
    if let twins = names.firstTwin { throw twinFault(twins, at: object.place) }
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted { throw object.secondName(name) }
  }

  /// Two names that look alike and have different bytes.
  func twinFault(_ twins: NameTwins, at place: String) -> KeyedArchiveError {
    KeyedArchiveError(
      .unexpected("'\(twins.second)', which looks like '\(twins.first)': \(twins.difference)"),
      at: place, expected: "names that differ in more than the spelling of a character")
  }

  /// The name of an entity that the model lists.
  func entityName(of object: KeyedArchive.Object) throws(KeyedArchiveError) -> String {
    guard let name = names[object.index] else {
      throw object.fault(expected: "an entity of the model")
    }
    return name
  }

  /// The name of the entity that an object's value is; nil where there is none.
  func entityName(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> String? {
    guard let entity = try object.object(key) else { return nil }
    guard let name = names[entity.index] else {
      throw object.fault(.object(entity), at: key, expected: "an entity of the model")
    }
    return name
  }

  /// A renaming identifier that says no more than the name is none.
  func renamingIdentifier(
    of object: KeyedArchive.Object, named name: String
  ) throws(KeyedArchiveError) -> String? {
    let identifier = try object.text(ArchivedKey.renamingIdentifier)
    return identifier.isExactly(name) || identifier == "" ? nil : identifier
  }

  mutating func userInfo(
    of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> [String: String] {
    let entries = try optionalPart("the user info \(context)") {
      decoder throws(KeyedArchiveError) in
      let entries = try object.entries(ArchivedKey.userInfo)
      try decoder.count(entries.count)
      return entries
    }
    var found: [String: String] = [:]
    for (key, value) in entries ?? [] {
      if let text = try text(inUserInfo: value) {
        found[key] = text
      } else {
        keepOpaque("'\(key)' of the user info is \(value.kindName)", context: context)
      }
    }
    return found
  }

  /// A list of texts is joined by commas: the names of an R-tree's attributes are archived as a list or as such a text.
  private mutating func text(
    inUserInfo value: KeyedArchive.Value
  ) throws(KeyedArchiveError) -> String? {
    switch value {
    case .text(let text): return text
    case .object(let list):
      guard list.isArray(try list.className) else { return nil }
      var texts: [String] = []
      for member in try list.members {
        guard case .text(let text) = member else { return nil }
        texts.append(text)
      }
      try count(texts.count)
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    default: return nil
    }
  }

  /// Something that the archive holds and a model has no place for.
  mutating func keepOpaque(_ what: String, context: String) {
    diagnostics.append(
      Diagnostic(
        .warning, "model.compiled-opaque", "\(what) \(context), which is left out"))
  }

  /// How deep composites may be nested, as in model XML.
  static let compositeLimit = 16

  /// The name of the composite that an attribute stands for. An archive has only its attributes, so those
  /// with the same ones share a composite, which is named after the first.
  mutating func decodeComposite(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> String {
    compositeDepth += 1
    defer { compositeDepth -= 1 }
    guard compositeDepth <= Self.compositeLimit else {
      throw KeyedArchiveError(.tooDeep(limit: Self.compositeLimit), at: object.place)
    }
    var attributes: [Attribute] = []
    let elements = try object.objects(ArchivedKey.elements, expected: "an attribute")
    try count(elements.count + 1)
    for element in elements {
      try require(element, ArchivedClass.attribute, ArchivedClass.compositeAttribute)
      let elementName = try element.requiredText(ArchivedKey.propertyName)
      attributes.append(
        try decodeAttribute(element, named: elementName, of: "\(entity).\(name)"))
    }
    try requireUnique(attributes.map(\.name), in: object)
    let archived = try object.text(ArchivedKey.compositeName)
    return try addComposite(
      attributes, named: archived ?? name.prefix(1).uppercased() + name.dropFirst())
  }

  private mutating func addComposite(_ attributes: [Attribute], named name: String)
    throws(KeyedArchiveError) -> String
  {
    // More than a model can have columns for.
    guard composites.count < Self.partLimit / 200 else { throw KeyedArchiveError(.entangled) }
    let known = composites.first { composite in
      composite.attributes.count == attributes.count
        && zip(composite.attributes, attributes).allSatisfy { $0.isExactly($1) }
    }
    if let known { return known.name }
    let taken = Set(composites.map(\.name))
    var free = name
    var number = 2
    while taken.contains(free) {
      free = "\(name)\(number)"
      number += 1
    }
    composites.append(Composite(name: free, attributes: attributes))
    return free
  }
}
