/// An error in an archive with its location.
package struct KeyedArchiveError: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The bytes are incomplete, or aren't a keyed archive in a binary property list.
    case notAnArchive
    /// The archive has more bytes than the limit.
    case tooLarge(limit: Int)
    case missing
    /// The value has another type or content than expected. The associated value describes it, such as `a number` or
    /// `an object of class 'NSDate'`.
    case unexpected(String)
    /// The value refers to the index of an object that the archive doesn't contain. `objects` is the number of objects.
    case dangling(Int, objects: Int)
    /// The bytes aren't a valid value.
    case damaged
    /// An object has more values than the limit.
    case tooManyValues(limit: Int)
    /// Objects are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// Reading all objects would take too much time or memory, because of their number or of the references between
    /// them.
    case entangled
  }

  /// The location, such as `$objects[12].NSEntityName`. Empty for the whole archive.
  package var place: String
  package var cause: Cause
  /// The expected value, such as `a text`.
  package var expected: String?

  package init(_ cause: Cause, at place: String = "", expected: String? = nil) {
    self.place = place
    self.cause = cause
    self.expected = expected
  }

  /// The error with the expected value, as a clause without a final period.
  package var reason: String {
    switch cause {
    case .notAnArchive: "it isn't a complete keyed archive"
    case .tooLarge(let limit): "it is larger than \(limit >> 20) MB"
    case .entangled: "its objects refer to each other too often"
    case .missing: "'\(place)' is missing\(expectation)"
    case .unexpected(let found): "'\(place)' is \(found)\(expectation)"
    case .dangling(let index, let objects):
      "'\(place)' refers to '$objects[\(index)]', but there are only \(objects) objects"
    case .damaged: "'\(place)' is damaged\(expectation)"
    case .tooManyValues(let limit): "'\(place)' has more than \(limit) values"
    case .tooDeep(let limit): "'\(place)' is nested more than \(limit) levels deep"
    }
  }

  private var expectation: String { expected.map { ", expected \($0)" } ?? "" }
}
