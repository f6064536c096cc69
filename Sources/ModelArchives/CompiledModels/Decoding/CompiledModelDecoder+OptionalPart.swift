import StoreDiagnostics

/// Parts of a model that neither version hashes nor rows depend on.
extension CompiledModelDecoder {
  /// Reads such a part, or leaves it out with a warning when the archive's form of it is unknown or damaged.
  ///
  /// - Parameter what: `the index 'byName' of 'Person'`
  /// - Throws: what concerns the whole archive, such as too many parts.
  mutating func optionalPart<Part>(
    _ what: String, _ read: (inout Self) throws(KeyedArchiveError) -> Part
  ) throws(KeyedArchiveError) -> Part? {
    do {
      return try read(&self)
    } catch {
      guard !error.concernsArchive else { throw error }
      leaveOut(what, because: error.reason)
      return nil
    }
  }

  mutating func leaveOut(_ what: String, because reason: String) {
    diagnostics.append(
      Diagnostic(.warning, CompiledModel.omissionCode, "left out \(what): \(reason)"))
  }

  /// The entries of a dictionary of such parts.
  mutating func optionalEntries(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [(key: String, value: KeyedArchive.Value)] {
    try optionalPart("'\(key)'") { _ throws(KeyedArchiveError) in try object.entries(key) } ?? []
  }

  mutating func optionalText(
    _ key: String, of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> String? {
    try optionalPart("'\(key)' \(context)") { _ throws(KeyedArchiveError) in
      try object.text(key)
    } ?? nil
  }

  mutating func optionalFlag(
    _ key: String, of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> Bool {
    try optionalPart("'\(key)' \(context)") { _ throws(KeyedArchiveError) in
      try object.flag(key)
    } ?? false
  }
}

extension KeyedArchiveError {
  /// Whether it concerns more than the part that was being read.
  fileprivate var concernsArchive: Bool {
    switch cause {
    case .notAnArchive, .tooLarge, .entangled: true
    case .missing, .unexpected, .dangling, .damaged, .tooManyValues, .tooDeep: false
    }
  }
}

extension KeyedArchive.Object {
  /// - Parameter key: the value that has the names; nil for the object.
  func secondName(_ name: String, at key: String? = nil) -> KeyedArchiveError {
    KeyedArchiveError(
      .unexpected("a second '\(name)'"), at: key.map(place(of:)) ?? place,
      expected: "each name once")
  }
}
