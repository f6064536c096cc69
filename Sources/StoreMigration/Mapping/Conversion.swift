package import StoreModel

/// How a value of one type becomes one of another.
package enum Conversion: Hashable, Sendable {
  /// The stored value is good as it is.
  case copy
  /// By `VALUE_CONVERT`, which gives NULL for a value that does not survive it. All must.
  case checked

  /// Nil when there is no safe way.
  package init?(from old: AttributeType, to new: AttributeType) {
    switch (old, new) {
    case (old, old): self = .copy
    // The wider column holds the same bytes, or gets them by its affinity.
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
      (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.integer16, .double), (.integer32, .double), (.integer16, .float), (.float, .double),
      (.boolean, .decimal), (.integer16, .decimal), (.integer32, .decimal),
      (.integer64, .decimal), (.uri, .string), (.boolean, .double), (.boolean, .float):
      self = .copy
    case (let old, let new) where old.isNumber && new.isNumber: self = .checked
    case (let old, .string) where old.hasText: self = .checked
    case (.string, let new) where new.hasText || new == .uri: self = .checked
    default: return nil
    }
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }

  /// There is one text for each value, and it reads back.
  fileprivate var hasText: Bool { isNumber || self == .date || self == .uuid }
}
