import SQLiteAccess
import StoreModel

extension InferenceDraft {
  mutating func addAttributes() throws(DatabaseError) {
    for table in tables {
      let kinds = try blobKinds(of: table)
      for attribute in table.attributes {
        add(attribute, of: table.table, kinds[attribute.column])
      }
    }
  }

  /// Returns the apparent types of the BLOB columns, by column. Core Data places UUID columns before other BLOB
  /// columns, except columns that were added later. So in the first group of adjacent BLOB columns, once a column
  /// contains other values, no later column is a UUID column (docs/formats/store-layout.md, "Column order").
  private func blobKinds(of table: TableReading) throws(DatabaseError) -> [String: BlobKind] {
    var kinds: [String: BlobKind] = [:]
    for attribute in table.attributes
    where DeclaredType(rawValue: attribute.declaredType.uppercased()) == .blob {
      kinds[attribute.column] = BlobKind(
        try evidence.blobs(in: attribute.column, of: table.table))
    }
    let others = table.blobRun.firstIndex { column in
      kinds[column].map { $0.hasValues && $0.type != .uuid } ?? false
    }
    for column in table.blobRun[(others ?? table.blobRun.endIndex)...]
    where kinds[column]?.type == .uuid {
      kinds[column]?.type = .binary
    }
    return kinds
  }

  private mutating func add(
    _ attribute: TableReading.Attribute, of table: String, _ kind: BlobKind?
  ) {
    guard let (entity, isSettled, holding) = owner(of: attribute.column, in: table) else { return }
    let (name, isSpelled) = labels.spelling(of: attribute.name, in: table)
    guard claim(name, for: entity) else {
      leaveOut("\(table).\(attribute.column)", .nameInUse)
      return
    }
    let part = part(name, of: entity)
    if !isSpelled { guess(part, .spelling(column: attribute.column)) }
    if !isSettled { guessOwner(of: attribute.column, part, holding) }
    var made = AttributeDescription(name: name, type: .undefined, isOptional: true)
    addType(to: &made, of: attribute, kind, part)
    if labels.derived[table]?.contains(attribute.column) == true { guess(part, .derived) }
    attributes[entity, default: []].append(made)
    properties[table, default: [:]][attribute.column] = (name, entity)
  }

  mutating func guessOwner(of column: String, _ part: ModelPart, _ holding: [Int64]) {
    guess(
      part, .declaringEntity(column: column, valuesIn: holding.map(name).filter { !$0.isEmpty }))
  }

  private mutating func addType(
    to attribute: inout AttributeDescription, of read: TableReading.Attribute, _ kind: BlobKind?,
    _ part: ModelPart
  ) {
    let column = read.column
    switch DeclaredType(rawValue: read.declaredType.uppercased()) {
    case .integer:
      // The widest integer type can represent all values.
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
    case .blob: addType(to: &attribute, column, kind ?? BlobKind([]), part)
    case nil:
      attribute.type = .undefined
      guess(part, .foreignType(column: column, declared: read.declaredType))
    }
  }

  private mutating func addType(
    to attribute: inout AttributeDescription, _ column: String, _ kind: BlobKind, _ part: ModelPart
  ) {
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
