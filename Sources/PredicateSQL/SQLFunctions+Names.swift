package import SQLiteAccess

extension SQLFunctions {
  /// The functions of ours that a statement calls, which another SQLite engine lacks.
  package static func called(in sql: SQL) -> Set<String> {
    var called: Set<String> = []
    for case .text(let text) in sql.segments {
      var word = ""
      for scalar in text.unicodeScalars {
        if scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar) {
          word.unicodeScalars.append(scalar)
          continue
        }
        if scalar == "(", names.contains(word) { called.insert(word) }
        word = ""
      }
    }
    return called
  }

  private static let names = Set(wordings.keys)
}
