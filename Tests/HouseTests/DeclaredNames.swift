/// The names that a source declares: its types, the types that it extends, and members.
struct DeclaredNames {
  private(set) var types: Set<String> = []
  private(set) var members: Set<String> = []

  init(_ source: SourceText) {
    let code = source.pieces.filter { $0.part == .code }.map(\.text).joined(separator: "\n")
    let type = #/\b(?:struct|class|enum|protocol|actor|extension|typealias)\s+(?:\w+\.)*(\w+)/#
    let member = #/\b(?:func|var|let|case)\s+(\w+)/#
    types = Set(code.matches(of: type).map { String($0.output.1) })
    members = Set(code.matches(of: member).map { String($0.output.1) })
    if code.contains(#/\binit\b/#) { members.insert("init") }
  }

  init(_ all: some Sequence<DeclaredNames>) {
    for names in all {
      types.formUnion(names.types)
      members.formUnion(names.members)
    }
  }

  func has(_ type: String, _ member: String) -> Bool {
    types.contains(type) && (members.contains(member) || types.contains(member))
  }
}
