package import StoreDiagnostics

extension Connection {
  /// SQLite's own check of the file.
  package enum IntegrityCheck {
    /// Structure, and whether indexes agree with rows.
    case whole
    /// Structure alone.
    case quick

    fileprivate var ofAll: SQL {
      switch self {
      case .whole: "PRAGMA integrity_check(20)"
      case .quick: "PRAGMA quick_check(1)"
      }
    }

    fileprivate func of(_ table: String) -> SQL {
      switch self {
      case .whole: "PRAGMA integrity_check(\(name: table))"
      case .quick: "PRAGMA quick_check(\(name: table))"
      }
    }
  }

  /// What the check finds, in SQLite's words; empty for a sound file.
  ///
  /// The check of all ends at a virtual table that SQLite can't read; that of a single table looks at none.
  package func check(_ check: IntegrityCheck) throws(DatabaseError) -> [String] {
    var questions = [check.ofAll]
    if try !unusableTables().isEmpty {
      questions = try (["sqlite_master"] + tableNames()).map(check.of)
    }
    var words: [String] = []
    for question in questions {
      do throws(DatabaseError) {
        words += try rows(question).compactMap { $0.first?.text }.filter { $0 != "ok" }
      } catch .sql(_, _, let message) {
        // An index may need what this SQLite does not have, such as a collation.
        words.append(message)
      }
    }
    return words
  }

  /// SQLite's quick look at the whole file: structure, but not whether indexes agree with rows.
  ///
  /// - Throws: `DatabaseError.damaged` with the first finding.
  package func quickCheck(naming path: FilePath? = nil) throws(DatabaseError) {
    guard let words = try check(.quick).first else { return }
    throw .damaged(path: path ?? self.path, message: words)
  }
}
