/// A remedy if records of the input can't be imported as rows.
public enum ImportRemedy: Hashable, Sendable {
  /// Specify the entity of all records. If `orTagRecords` is true, each record can specify its own entity instead.
  case chooseEntity(orTagRecords: Bool)
  /// Specify the location of the records in the document.
  case chooseRoot
  /// The attribute's key contains an object instead of a value. Map a value inside of this object to the attribute.
  case mapInside(attribute: String)
  /// Ignore unknown keys, such as `key`, or map them.
  case ignoreOrMapKeys(key: String)
  /// Choose whether to keep the input's or the store's values where they differ.
  case chooseConflictPolicy
  /// Omit the value, and set it by an update afterwards.
  case updateAfterwards
  /// Specify the character that separates the fields of a line.
  case chooseDelimiter(String)
  /// Specify attributes of the entity that identify its rows in this run.
  case chooseKey(entity: String)
  /// Specify attributes that identify the destinations of relationships.
  case identifyRows
  /// Import the file with the linked rows in the same run, or skip links to missing rows.
  case readTogetherOrSkip
  /// Allow longer records.
  case raiseRecordLimit
  /// Use an import instead of a batch insert, which only accepts flat records.
  case importInstead(Reason)

  /// A feature that only an import supports.
  public enum Reason: Hashable, Sendable {
    /// The records of an export.
    case exportedRecords
    /// Arrays for to-many relationships.
    case arrays
    /// Nested records.
    case nestedRecords
    /// Dates as numbers.
    case numericDates
  }

  var sentence: String {
    switch self {
    case .chooseEntity(orTagRecords: false): "specify the entity"
    case .chooseEntity(orTagRecords: true): "specify the entity, or add \"$entity\" to each record"
    case .chooseRoot: "specify the path of the records, such as 'response.venues'"
    case .mapInside(let attribute):
      "a rule from '\(attribute)' to '\(attribute).KEY' imports a value inside of it"
    case .ignoreOrMapKeys(let key): "ignore them, or map them: '\(key)' to a property"
    case .chooseConflictPolicy:
      "choose the values to keep: the input's or the store's"
    case .updateAfterwards: "omit it, and set it with an update"
    case .chooseDelimiter(let delimiter): "specify the delimiter: '\(delimiter)'"
    case .chooseKey: "specify the attributes that identify a row"
    case .identifyRows:
      "to refer to rows by an attribute, specify a key, a uniqueness constraint, or relatedByAttribute in the user info"
    case .readTogetherOrSkip:
      "import the file that contains the missing row in the same run, or omit links to rows that don't exist"
    case .raiseRecordLimit:
      "raise the limit; a record requires about four times its length in memory"
    case .importInstead(.exportedRecords): "an import reads the records that an export writes"
    case .importInstead(.arrays): "an import accepts arrays for to-many relationships"
    case .importInstead(.numericDates):
      "an import reads dates that are numbers, if their format is specified"
    case .importInstead(.nestedRecords): "an import accepts nested records"
    }
  }
}
