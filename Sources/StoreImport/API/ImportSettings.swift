import StoreCore
import StoreDiagnostics
import StoreEngine
import StoreLayout
public import StoreModel
import StorePredicate

/// The rules for converting records to rows. Each property corresponds to an option of `storetool import`.
public struct ImportSettings: Hashable, Sendable {
  /// The entity of records without `$entity`.
  public var entity: String?
  /// The keys that lead to the records in a JSON document, such as `["response", "venues"]`.
  public var root: [String] = []
  /// Properties or key paths of the model, each with the path of its value in the JSON, such as
  /// `["phone": "contact.phone"]`. They override the paths in the model.
  public var mapping: [String: String] = [:]
  /// The format of dates such as `M/d/yyyy H:mm` or `UnixTime`, for attributes whose format the model doesn't specify.
  /// `nil` means ISO 8601.
  public var dateFormat: String?
  /// The attributes that identify objects of an entity, instead of the model's uniqueness constraints.
  public var keys: [String: [String]] = [:]
  /// The behavior if the row of an object already exists.
  public var conflictPolicy = ConflictPolicy.fail
  /// The effect of a list on the to-many relationship of an existing row.
  public var members = MemberPolicy.replace
  /// The behavior for references to missing rows.
  public var missingLinks = MissingLinkPolicy.wait
  /// Whether JSON keys and CSV columns without a property are errors.
  public var isStrict = false

  /// Creates settings for records that `export` wrote, or for records of one entity.
  ///
  /// - Parameters:
  ///   - entity: the entity of records without `$entity`.
  ///   - conflictPolicy: the behavior if the row of an object already exists.
  public init(entity: String? = nil, conflictPolicy: ConflictPolicy = .fail) {
    self.entity = entity
    self.conflictPolicy = conflictPolicy
  }
}

/// The effect of a list in the input on the members of an existing row.
public enum MemberPolicy: String, Hashable, Sendable, CaseIterable {
  /// The list is the new value: other members are removed, and an ordered relationship has the order of the list.
  case replace
  /// New members of the list are added to the existing members.
  case add
}

/// The behavior for references to rows that are neither in the input nor in the store.
public enum MissingLinkPolicy: String, Hashable, Sendable, CaseIterable {
  /// A reference to a missing row is an error, which is thrown after all files are read.
  case wait
  /// References to missing rows are omitted.
  case skip
}

extension ImportSettings {
  /// - Parameter store: the UUID of the store.
  /// - Throws: `StoreError`, `ModelLookupError`, `ImportError`, `DateFormatError`
  func graphImport(into layout: StoreLayout, store: String) throws -> GraphImport {
    let rules = try mapping.sorted { $0.key < $1.key }.map { property, path in
      guard let rule = ImportRule(property: property, json: path) else {
        throw invalid("mapping", "'\(property)' with the path '\(path)'")
      }
      return rule
    }
    let choices = try keys.sorted { $0.key < $1.key }.map { entity, attributes in
      guard let key = ImportKeyChoice(entity: entity, attributes: attributes) else {
        throw invalid("key", "'\(entity)' with the attributes \(attributes)")
      }
      return key
    }
    return try GraphImport(
      into: layout, store: store, entity: entity, rules: rules, root: root, isStrict: isStrict,
      dateFormat: pattern(), keys: choices, on: conflictPolicy, members: members,
      links: missingLinks)
  }

  private func invalid(_ name: String, _ value: String) -> StoreError {
    StoreError(
      .invalidRequest,
      [DiagnosticMessage(.error, "import.settings", "invalid \(name): \(value)", cause: .usage)])
  }

  private func pattern() throws -> DatePattern? {
    do throws(DatePatternError) {
      return try dateFormat.map { text throws(DatePatternError) in try DatePattern(text) }
    } catch {
      throw StoreError(
        .invalidRequest, DateFormatError(error, in: .argument("dateFormat")).diagnostics)
    }
  }
}
