import SQLiteAccess

/// The temporary tables of a script's statements.
struct ScratchTables {
  /// The names of the tables and their indexes, in lower case.
  let names: Set<String>

  init(of statements: [SQL]) {
    var names: Set<String> = []
    for statement in statements {
      let tokens = statement.tokens.filter { $0.kind != .blank }
      for (place, token) in tokens.enumerated() where token.kind == .name {
        if tokens[..<place].isSchemaOfTemporaries { names.insert(token.name.lowercased()) }
        if token.isWord("TABLE"), place > 0, tokens[place - 1].isTemporaryWord,
          let name = tokens.name(behind: place)
        {
          names.insert(name)
        }
      }
    }
    self.names = names
  }

  func mentioned(in statement: SQL) -> Set<String> {
    Set(statement.tokens.filter { $0.kind == .name }.map { $0.name.lowercased() })
      .intersection(names)
  }

  /// Returns the temporary table that a statement creates, fills, changes or drops, or nil for other statements.
  func target(of statement: SQL) -> String? {
    let tokens = statement.tokens.filter { $0.kind != .blank }
    guard let first = tokens.first else { return nil }
    let place: Int? =
      switch first.name.uppercased() {
      case "INSERT", "REPLACE": tokens.firstIndex { $0.isWord("INTO") }
      case "DELETE": tokens.firstIndex { $0.isWord("FROM") }
      case "UPDATE": 0
      // The target of CREATE INDEX is the table after ON.
      case "CREATE", "DROP", "ALTER": tokens.firstIndex { $0.isWord("TABLE") || $0.isWord("ON") }
      default: nil
      }
    guard let name = place.flatMap(tokens.name) else { return nil }
    return names.contains(name) ? name : nil
  }
}

extension SQLToken {
  fileprivate var isTemporaryWord: Bool { isWord("TEMP") || isWord("TEMPORARY") }
}

extension Collection<SQLToken> where Self: BidirectionalCollection {
  /// Whether the tokens end with `temp.`, so that the next token is the name of a temporary table.
  fileprivate var isSchemaOfTemporaries: Bool {
    last?.isOther(".") == true && dropLast().last?.isWord("TEMP") == true
  }
}

extension [SQLToken] {
  /// Returns the name after the keyword at `place`, in lower case. Keywords such as IF EXISTS, and the schema, are
  /// skipped.
  fileprivate func name(behind place: Int) -> String? {
    var rest = self[(place + 1)...]
    if rest.first?.isWord("OR") == true { rest = rest.dropFirst(2) }
    while let word = rest.first, ["IF", "NOT", "EXISTS"].contains(where: word.isWord) {
      rest = rest.dropFirst()
    }
    if rest.dropFirst().first?.isOther(".") == true { rest = rest.dropFirst(2) }
    guard let name = rest.first, name.kind == .name else { return nil }
    return name.name.lowercased()
  }
}
