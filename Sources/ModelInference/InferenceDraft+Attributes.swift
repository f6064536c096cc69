import SQLiteAccess
import StoreLayout
import StoreModel

extension InferenceDraft {
  mutating func addAttributes() throws(DatabaseError) {
    for table in tables {
      for attribute in table.attributes { try add(attribute, of: table.table) }
    }
  }

  private mutating func add(
    _ attribute: TableReading.Attribute, of table: String
  ) throws(DatabaseError) {
    guard let (entity, isSettled, holding) = owner(of: attribute.column, in: table) else { return }
    let (name, isSpelled) = labels.spelling(of: attribute.name, in: table)
    guard claim(name, for: entity) else {
      leaveOut("\(table).\(attribute.column)", .nameInUse)
      return
    }
    let part = part(name, of: entity)
    if !isSpelled { guess(part, .spelling(column: attribute.column)) }
    if !isSettled { guessOwner(of: attribute.column, part, holding) }
    var made = Attribute(name: name, type: .undefined, isOptional: true)
    try addType(to: &made, of: attribute, in: table, part)
    if labels.derived[table]?.contains(attribute.column) == true { guess(part, .derived) }
    attributes[entity, default: []].append(made)
    properties[table, default: [:]][attribute.column] = (name, entity)
  }

  mutating func guessOwner(of column: String, _ part: ModelPart, _ holding: [Int64]) {
    guess(
      part, .declaringEntity(column: column, valuesIn: holding.map(name).filter { !$0.isEmpty }))
  }

  private mutating func addType(
    to attribute: inout Attribute, of read: TableReading.Attribute, in table: String,
    _ part: ModelPart
  ) throws(DatabaseError) {
    let column = read.column
    switch DeclaredType(rawValue: read.declaredType.uppercased()) {
    case .integer:
      // The widest: it reads the values of all of them.
      attribute.type = .integer64
      guess(part, .type(column: column, among: [.boolean, .integer16, .integer32]))
    case .timestamp: attribute.type = .date
    case .float:
      attribute.type = .double
      guess(part, .type(column: column, among: [.float]))
    case .decimal: attribute.type = .decimal
    case .varchar:
      attribute.type = .string
      guess(part, .type(column: column, among: [.uri]))
    case .blob: try addBlobType(to: &attribute, column, in: table, part)
    case nil:
      attribute.type = .undefined
      guess(part, .foreignType(column: column, declared: read.declaredType))
    }
  }

  private mutating func addBlobType(
    to attribute: inout Attribute, _ column: String, in table: String, _ part: ModelPart
  ) throws(DatabaseError) {
    let kind = BlobKind(try evidence.blobs(in: column, of: table))
    attribute.type = kind.type
    attribute.allowsExternalStorage = kind.isExternal
    let others = [AttributeType.binary, .transformable, .uuid, .undefined].filter {
      $0 != kind.type
    }
    guess(
      part,
      kind.hasValues
        ? .typeByValues(column: column, among: others) : .type(column: column, among: others))
    if kind.isExternal { guess(part, .externalStorage) }
    if kind.mayBeExternal { guess(part, .maybeExternalStorage) }
  }
}
