/// Why a JSON document can't become rows.
package enum ImportError: Error, Hashable {
  case rulesWithoutEntity
  case badRule(ImportRule, RuleIssue)
  /// The path to the records leads to nothing.
  case noRoot([String])
  /// What stands at the root is neither records nor a record.
  case noRecords(String)
  case notAnObject(String)
  /// `$entity` or `$id` holds something else than a text.
  case notAText(String, String)
  case noEntity
  /// No key of an object is a property.
  case noProperty([String], entity: String, known: [String], path: [String])
  case unknownEntity(String, known: [String])
  case abstractEntity(String, path: [String])
  case wrongEntity(String, expected: String, path: [String])
  case notATarget(String, path: [String])
  case notAnArray(String, path: [String])
  /// An object or an array under an attribute's name.
  case notAValue(String, attribute: String)
  /// A reference to a row of an entity that the relationship does not lead to.
  case wrongTarget(Reference, entity: String, expected: String)
  /// `$id`s or object IDs that no record and no row has.
  case dangling([Reference])
  case repeatedIdentity(String)
  /// Several rows have the value of the key that a reference names.
  case severalRows(Reference, key: String)
  /// A row has another to-one already, or two objects that are the same do not agree.
  case contradiction(Reference)
  /// A name of a key that the caller has chosen.
  case badKey(String, entity: String, known: [String])
  /// A `$id` of a row that is another entity's.
  case otherRow(String, entity: String, actual: String)
  /// Two records give a row that can have one partner different ones.
  case contradictingLinks(Reference)
  /// A row would be left without a partner that it needs.
  case lostPartner(Reference, property: String)
  /// Keys that no property has, where the caller wants that to be an error.
  case ignoredKeys([String: Int])

  package enum RuleIssue: Hashable {
    case throughToMany(String)
    case noRelationship(String, entity: String)
    case unknownKey(String, entity: String, known: [String])
  }

  /// A relationship whose target was not found.
  package struct Reference: Hashable {
    package var relationship: String
    package var target: String
    /// The number of the first record that has it.
    package var record: Int
    /// The record's file; nil where there is only one.
    package var file: String?
  }
}
