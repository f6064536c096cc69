import StoreSQL

/// The temporary tables of a script's statements.
///
/// A statement's own connection has them; engines that run each statement on any connection do not, and get ordinary
/// tables in their place, under names of ours.
struct ScratchTables {
  static let prefix = "storetool_"

  /// In lower case; indexes of theirs among them.
  let names: Set<String>
  /// As they are written, by their names in lower case.
  private let written: [String: String]

  init(of statements: [SQL]) {
    var names: Set<String> = []
    var written: [String: String] = [:]
    for statement in statements {
      let tokens = statement.tokens.filter { $0.kind != .blank }
      for (place, token) in tokens.enumerated() where token.kind == .name {
        written[token.name.lowercased()] = token.name
        if tokens[..<place].isSchemaOfTemporaries { names.insert(token.name.lowercased()) }
        if token.isWord("TABLE"), place > 0, tokens[place - 1].isTemporaryWord,
          let name = tokens.name(behind: place)
        {
          names.insert(name)
        }
      }
    }
    self.names = names
    self.written = written.filter { names.contains($0.key) }
  }

  /// What they are called as ordinary tables.
  var ordinaryNames: [String] { names.map(ordinary).sorted() }

  func ordinary(_ name: String) -> String {
    let name = written[name] ?? name
    return name.lowercased().hasPrefix(Self.prefix) ? name : Self.prefix + name
  }

  func mentioned(in statement: SQL) -> Set<String> {
    Set(statement.tokens.filter { $0.kind == .name }.map { $0.name.lowercased() })
      .intersection(names)
  }

  /// The one that a statement makes, fills, changes or drops; nil where it is about something else.
  func target(of statement: SQL) -> String? {
    let tokens = statement.tokens.filter { $0.kind != .blank }
    guard let first = tokens.first else { return nil }
    let place: Int? =
      switch first.name.uppercased() {
      case "INSERT", "REPLACE": tokens.firstIndex { $0.isWord("INTO") }
      case "DELETE": tokens.firstIndex { $0.isWord("FROM") }
      case "UPDATE": 0
      // An index is its table's.
      case "CREATE", "DROP", "ALTER": tokens.firstIndex { $0.isWord("TABLE") || $0.isWord("ON") }
      default: nil
      }
    guard let name = place.flatMap(tokens.name) else { return nil }
    return names.contains(name) ? name : nil
  }

  /// The same with ordinary tables.
  func ordinary(_ statement: SQL) -> SQL {
    var result: [SQLToken] = []
    for token in statement.tokens {
      if token.isTemporaryWord, result.last(where: { $0.kind != .blank })?.isWord("CREATE") == true
      {
        while result.last?.kind == .blank { result.removeLast() }
        continue
      }
      let isTemporary = result.isSchemaOfTemporaries
      if isTemporary { result.removeLast(2) }
      guard token.kind == .name, names.contains(token.name.lowercased()) else {
        result.append(token)
        continue
      }
      let name = ordinary(token.name)
      result.append(SQLToken(kind: .name, segment: .name(name), name: name))
    }
    return SQL(tokens: result)
  }
}

extension SQLToken {
  fileprivate var isTemporaryWord: Bool { isWord("TEMP") || isWord("TEMPORARY") }
}

extension Collection<SQLToken> where Self: BidirectionalCollection {
  /// Whether what follows is a name in `temp.`
  fileprivate var isSchemaOfTemporaries: Bool {
    last?.isOther(".") == true && dropLast().last?.isWord("TEMP") == true
  }
}

extension [SQLToken] {
  /// The name, in lower case, that follows a keyword, past its options and its schema.
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
