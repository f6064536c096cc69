/// What is wrong with an archive, and where.
package struct KeyedArchiveError: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// Neither whole nor a keyed archive in a binary property list.
    case notAnArchive
    /// In bytes.
    case tooLarge(limit: Int)
    /// There is nothing.
    case missing
    /// What is there: `a number`, `an object of class 'NSDate'`.
    case unexpected(String)
    /// It refers to an object that the archive does not have.
    case dangling(Int, objects: Int)
    /// The bytes there are no value.
    case damaged
    /// One object has more values than any that is honest.
    case tooManyValues(limit: Int)
    /// Objects inside each other.
    case tooDeep(limit: Int)
    /// Its parts are used so often that reading them all would take too long or too much memory.
    case entangled
  }

  /// `$objects[12].NSEntityName`; empty for the archive as a whole.
  package var place: String
  package var cause: Cause
  /// What should be there: `a text`.
  package var expected: String?

  package init(_ cause: Cause, at place: String = "", expected: String? = nil) {
    self.place = place
    self.cause = cause
    self.expected = expected
  }

  /// A sentence without its end: what is wrong, and what should be there.
  package var reason: String {
    switch cause {
    case .notAnArchive: "it is no keyed archive, or not whole"
    case .tooLarge(let limit): "it holds more than \(limit >> 20) MB"
    case .entangled: "its objects refer to each other more often than those of any honest archive"
    case .missing: "'\(place)' is missing\(expectation)"
    case .unexpected(let found): "'\(place)' is \(found)\(expectation)"
    case .dangling(let index, let objects):
      "'\(place)' refers to '$objects[\(index)]', of \(objects)"
    case .damaged: "'\(place)' is damaged\(expectation)"
    case .tooManyValues(let limit): "'\(place)' has more than \(limit) values"
    case .tooDeep(let limit): "'\(place)' is nested more than \(limit) levels deep"
    }
  }

  private var expectation: String { expected.map { ", expected \($0)" } ?? "" }
}
