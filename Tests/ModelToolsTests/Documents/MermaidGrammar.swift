import Testing

/// The subset of the grammar of Mermaid's class diagrams that we use, statement by statement, according to
/// <https://mermaid.js.org/syntax/classDiagram.html>. Mermaid's own parser is tested too if it is available.
struct MermaidGrammar {
  /// Returns the errors in a text; empty if it is valid.
  static func mistakes(in text: String) -> [String] {
    var grammar = MermaidGrammar()
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == "classDiagram" else { return ["no head"] }
    guard lines.popLast() == "" else { return ["no line feed at the end"] }
    guard !lines.isEmpty else { return ["no statement"] }
    for line in lines { grammar.read(line) }
    let unknown = grammar.used.subtracting(grammar.declared).sorted()
    return grammar.mistakes + unknown.map { "no class '\($0)'" }
      + (grammar.isInside ? ["a class without an end"] : [])
  }

  private var declared: Set<String> = []
  private var used: Set<String> = []
  private var isInside = false
  private var mistakes: [String] = []

  private mutating func read(_ line: Substring) {
    if isInside { return readMember(line) }
    if line == "  direction TB" { return }
    if line.contains(/%%|direction\s+(TB|BT|LR|RL)/) { mistakes.append(String(line)) }
    // Entities count as one letter, because they are replaced before the text is parsed.
    let line = line.replacing(/#\d+;/, with: "x")
    if let match = line.wholeMatch(of: /\s+class (?<name>\w+)(\["[^"\]]+"\])?(?<body> \{)?/) {
      declare(String(match.name))
      isInside = match.body != nil
    } else if let match = line.wholeMatch(
      of: /\s+(?<a>\w+) ("[^"]+" )?(<\|--|\*--|-->|--) ("[^"]+" )?(?<b>\w+)( : [^:;"]+)?/)
    {
      used.formUnion([String(match.a), String(match.b)])
    } else if let match = line.wholeMatch(of: /\s+style (?<name>\w+) [\w:#,]+/) {
      used.insert(String(match.name))
    } else {
      mistakes.append(String(line))
    }
  }

  private mutating func readMember(_ line: Substring) {
    if line.wholeMatch(of: /\s+\}/) != nil {
      isInside = false
    } else if line.wholeMatch(of: /\s+(<<\w+>>|[^\s{}"()][^{}"()]*)/) == nil {
      mistakes.append(String(line))
    }
  }

  private mutating func declare(_ name: String) {
    if !declared.insert(name).inserted { mistakes.append("class '\(name)' twice") }
    if Self.keywords.contains(name) { mistakes.append("class '\(name)' is a keyword") }
  }

  private static let keywords: Set = [
    "call", "callback", "class", "classDef", "classDiagram", "click", "cssClass", "direction",
    "href",
    "link", "namespace", "note", "style", "o", "accTitle", "accDescr", "TB", "BT", "LR", "RL",
  ]
}
