import StoreDiagnostics
import StoreModel

/// Creates a model from the objects of an archive, which can be from an unknown source.
///
/// The number and the depth of objects are limited, and each name is checked before it is used.
struct CompiledModelDecoder {
  /// The maximum number of parts of a model: entities, properties, indexes, fetch requests, composites, names in lists
  /// and entries of user info.
  static let partLimit = 200_000
  /// The maximum number of an entity's ancestors.
  static let ancestorLimit = 100

  let archive: KeyedArchive
  var expressions = ArchivedExpressions()
  var diagnostics: [DiagnosticMessage] = []
  private var parts = 0

  /// The objects of the entities, by the entity's name.
  var entities: [String: EntityObject] = [:]
  /// The names of the entities, by the index of the entity's object in the archive.
  var names: [Int: String] = [:]
  var composites: [CompositeDescription] = []
  var compositeDepth = 0

  /// An entity whose properties haven't been decoded.
  struct EntityObject {
    var object: KeyedArchive.Object
    var name: String
    var parent: String?
    /// The objects of the entity's own and inherited properties, by the property's name.
    var properties: [String: KeyedArchive.Object] = [:]
  }

  init(archive: KeyedArchive) {
    self.archive = archive
  }

  mutating func decode(name: String) throws(KeyedArchiveError) -> CompiledModelReading {
    let root = archive.root
    try require(root, .model)
    try readEntities(of: root)
    var decoded: [EntityDescription] = []
    // The order of entities in an archive is arbitrary. They are sorted by name, so that diagnostics always have the
    // same order.
    for (_, entity) in entities.sorted(by: { $0.key < $1.key }) {
      decoded.append(try decodeEntity(entity))
    }
    try checkInverses(of: decoded)
    let model = DataModel(
      name: name, versionIdentifiers: try identifiers(of: root), entities: decoded,
      templates: try templates(of: root), configurations: try configurations(of: root),
      composites: composites)
    return CompiledModelReading(model: model, diagnostics: diagnostics)
  }

  // MARK: The model

  /// Returns the version identifiers in alphabetical order, because the archive contains them as a set.
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
  ) throws(KeyedArchiveError) -> [ConfigurationDescription] {
    try namedParts(ArchivedKey.configurations, of: root, "configuration", "lists of entities") {
      decoder, name, list throws(KeyedArchiveError) in
      try decoder.configuration(name, of: list)
    }.sorted { $0.name < $1.name }
  }

  /// Returns the parts in a dictionary of the root. A part that can't be read, or whose name another part has, is
  /// omitted.
  private mutating func namedParts<Part>(
    _ key: String, of root: KeyedArchive.Object, _ kind: String, _ expected: String,
    _ decodePart: (inout Self, String, KeyedArchive.Object) throws(KeyedArchiveError) -> Part
  ) throws(KeyedArchiveError) -> [Part] {
    var parts: [Part] = []
    var names: Set<String> = []
    for (name, value) in try optionalEntries(key, of: root) {
      let part = try optionalPart("the \(kind) '\(name)'") { decoder throws(KeyedArchiveError) in
        guard !names.contains(name) else { throw root.secondName(name, at: key) }
        guard case .object(let object) = value else {
          throw root.fault(value, at: key, expected: expected)
        }
        return try decodePart(&decoder, name, object)
      }
      guard let part else { continue }
      names.insert(name)
      parts.append(part)
    }
    return parts
  }

  /// Reads a configuration. Members that aren't entities of the model are omitted.
  private mutating func configuration(
    _ name: String, of list: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> ConfigurationDescription {
    let members = try list.memberObjects(expected: "an entity")
    try count(members.count + 1)
    var entities: [String] = []
    for member in members {
      let entity = try optionalPart("a member of the configuration '\(name)'") {
        decoder throws(KeyedArchiveError) in try decoder.entityName(of: member)
      }
      if let entity { entities.append(entity) }
    }
    return ConfigurationDescription(name: name, entities: entities.sorted())
  }

  private mutating func templates(
    of root: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [FetchRequestTemplate] {
    try namedParts(ArchivedKey.templates, of: root, "fetch request", "fetch requests") {
      decoder, name, request throws(KeyedArchiveError) in
      try decoder.decodeRequest(
        request, name: name, entityName: nil, context: "in fetch request '\(name)'")
    }
  }

  // MARK: For all parts

  /// Adds `number` to the count of parts, and throws an error if the count exceeds `partLimit`.
  mutating func count(_ number: Int) throws(KeyedArchiveError) {
    parts += number
    guard parts <= Self.partLimit else { throw KeyedArchiveError(.entangled) }
  }

  func require(
    _ object: KeyedArchive.Object, _ classes: ClassChain...
  ) throws(KeyedArchiveError) {
    guard let name = try object.className, classes.contains(where: { $0.name == name }) else {
      let names = classes.map { "'\($0.name)'" }.joined(separator: " or ")
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

  /// Returns the error for two names that look alike but have different bytes.
  func twinFault(_ twins: NameTwins, at place: String) -> KeyedArchiveError {
    KeyedArchiveError(
      .unexpected("'\(twins.second)', which looks like '\(twins.first)': \(twins.difference)"),
      at: place, expected: "names that differ in more than the spelling of a character")
  }

  /// Returns the name of the entity that `object` represents.
  func entityName(of object: KeyedArchive.Object) throws(KeyedArchiveError) -> String {
    guard let name = names[object.index] else {
      throw object.fault(expected: "an entity of the model")
    }
    return name
  }

  /// Returns the name of the entity in the value of a key, or nil if the key is missing.
  func entityName(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> String? {
    guard let entity = try object.object(key) else { return nil }
    guard let name = names[entity.index] else {
      throw object.fault(.object(entity), at: key, expected: "an entity of the model")
    }
    return name
  }

  /// Returns the renaming identifier, or nil if it is missing, empty, or equal to the name.
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

  /// Returns a text, or nil if the value isn't a text or a list of texts. A list is joined by commas, because the names
  /// of an R-tree's attributes are archived either as a list or as a text with commas.
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

  /// Adds a warning about a part of the archive that `DataModel` can't represent.
  mutating func keepOpaque(_ what: String, context: String) {
    diagnostics.append(
      DiagnosticMessage(
        .warning, "model.compiled-opaque", "\(what) \(context), which is omitted"))
  }

  /// The maximum number of nested composites, which is also the maximum in model XML.
  static let compositeLimit = 16

  /// Returns the name of an attribute's composite, and adds the composite to `composites` if it is new. An archive
  /// repeats the composite's attributes in each attribute, so composites with the same attributes are treated as one
  /// composite with the name of the first.
  mutating func decodeComposite(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> String {
    compositeDepth += 1
    defer { compositeDepth -= 1 }
    guard compositeDepth <= Self.compositeLimit else {
      throw KeyedArchiveError(.tooDeep(limit: Self.compositeLimit), at: object.place)
    }
    var attributes: [AttributeDescription] = []
    let elements = try object.objects(ArchivedKey.elements, expected: "an attribute")
    try count(elements.count + 1)
    for element in elements {
      try require(element, .attribute, .compositeAttribute)
      let elementName = try element.requiredText(ArchivedKey.propertyName)
      attributes.append(
        try decodeAttribute(element, named: elementName, of: "\(entity).\(name)"))
    }
    try requireUnique(attributes.map(\.name), in: object)
    let archived = try object.text(ArchivedKey.compositeName)
    return try addComposite(
      attributes, named: archived ?? name.prefix(1).uppercased() + name.dropFirst())
  }

  private mutating func addComposite(_ attributes: [AttributeDescription], named name: String)
    throws(KeyedArchiveError) -> String
  {
    // The number of composites is limited, because each new one is compared with all others.
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
    composites.append(CompositeDescription(name: free, attributes: attributes))
    return free
  }
}
