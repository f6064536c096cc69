/// What helps where records of an input do not become rows.
public enum ImportRemedy: Hashable, Sendable {
  /// Say which entity the records are; `orTagRecords` where each record may say it itself.
  case chooseEntity(orTagRecords: Bool)
  /// Say where in the document the records stand.
  case chooseRoot
  /// Take a value from inside of what stands under the attribute's key.
  case mapInside(attribute: String)
  /// Ignore keys that no property takes, or map them: one of them is `key`.
  case ignoreOrMapKeys(key: String)
  /// Say whose values count where the store has other ones.
  case chooseConflictPolicy
  /// Leave the value out, and set it by an update afterwards.
  case updateAfterwards
  /// Name the character between the fields.
  case chooseDelimiter(String)
  /// Name attributes of the entity that identify its rows in this run.
  case chooseKey(entity: String)
  /// Read the other file in the same run, or leave out links to rows that don't exist.
  case readTogetherOrSkip
  /// Take longer records.
  case raiseRecordLimit
  /// Use an import, which takes more than flat records.
  case importInstead(Reason)

  /// What only an import takes.
  public enum Reason: Hashable, Sendable {
    /// The records that an export has written.
    case exportedRecords
    /// Arrays for to-many relationships.
    case arrays
    /// Records inside records.
    case nestedRecords
    /// Dates as numbers.
    case numericDates
  }

  var sentence: String {
    switch self {
    case .chooseEntity(orTagRecords: false): "name the entity"
    case .chooseEntity(orTagRecords: true): "name the entity, or add \"$entity\" to each record"
    case .chooseRoot: "the path 'response.venues' would say where the records stand"
    case .mapInside(let attribute):
      "a rule from '\(attribute)' to '\(attribute).KEY' takes a value from inside"
    case .ignoreOrMapKeys(let key): "ignore them, or map them: '\(key)' to a property"
    case .chooseConflictPolicy:
      "choose whose values count: those of the input, or those that are there"
    case .updateAfterwards: "leave it out, and set it by an update"
    case .chooseDelimiter(let delimiter): "name the delimiter: '\(delimiter)'"
    case .chooseKey: "name attributes that identify a row"
    case .readTogetherOrSkip:
      "import the files with both rows together, or leave out links to rows that don't exist"
    case .raiseRecordLimit:
      "a higher limit takes longer ones; each takes about four times its length in memory"
    case .importInstead(.exportedRecords): "an import reads the records that an export writes"
    case .importInstead(.arrays): "an import takes arrays for to-many relationships"
    case .importInstead(.numericDates): "an import reads dates that are numbers, if told their form"
    case .importInstead(.nestedRecords): "an import takes nested records"
    }
  }
}
