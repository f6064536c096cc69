import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreModel
import StorePredicate

/// `storetool predicate …`: commands for predicates, without a store.
struct PredicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predicate", _superCommandName: Storetool.name,
    abstract: "Parse, format and check predicates.",
    discussion: """
      The predicate is an argument, or is read from standard input. Write -- before a predicate that begins with a \
      minus.

        storetool predicate format 'name="Ray" and not(age<18)'
        storetool predicate check 'city.name ==[cd] $CITY' --entity Person
      """,
    subcommands: CommandRow.subcommands(of: Self.self))
}

struct PredicateParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Print the tree and the variables of a predicate.",
    discussion: """
      The output lists each node of the tree with its kind and details. Nodes without parts also have their \
      text. In JSON, the nodes are nested, and each of them has its text.

        storetool predicate parse 'ANY groups.name ==[c] $NAME' --format table
      """)

  @OptionGroup var predicate: PredicateArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    let parsed = try predicate.read().predicate()
    let isNested = [.json, .ndjson].contains(format.resolved)
    try FactWriter(format).print(PredicateFacts.page(of: parsed, isNested: isNested))
  }
}

struct PredicateFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Print the canonical text of a predicate.",
    discussion: """
      The text is a single line with == instead of =, uppercase keywords and strings in double quotes. Parentheses \
      are printed around an AND or OR that is a part of another AND or OR, and elsewhere only where they are necessary.

        storetool predicate format 'name="Ray" and not(age<18)'
        echo 'a=1||b<>2' | storetool predicate format
      """)

  @OptionGroup var predicate: PredicateArgument

  func run() throws {
    try OutputFile.standard.write("\(predicate.read().predicate().format)\n")
  }
}

/// A predicate as an argument, or from standard input.
struct PredicateArgument: ParsableArguments {
  @Argument(
    help: "The predicate, or '-' for standard input. Default: standard input.",
    completion: .predicate())
  var text: String?

  /// The maximum number of bytes that are read from standard input, because the tree requires about thirty times as
  /// much memory. Arguments don't need a limit, because the limit of the system is lower.
  private static let limit = 4_000_000

  /// - Throws: `InputFileError`, or `DiagnosticError` for input that is too long or isn't text.
  func read() throws -> PredicateText {
    if let text, text != "-" { return PredicateText(text) }
    let source = InputFile.standard
    guard let bytes = try source.readAll(atMost: Self.limit) else {
      throw DiagnosticError(
        DiagnosticMessage(
          .error, "predicate.too-long",
          "the predicate from '\(source.name)' has more than \(Self.limit / 1_000_000) MB"))
    }
    guard let input = String(validating: bytes, as: UTF8.self) else {
      throw DiagnosticError(
        DiagnosticMessage(.error, "input.encoding", "'\(source.name)' isn't UTF-8")
          .helping("convert it to UTF-8"))
    }
    return PredicateText(input, origin: SourceOrigin(file: source.name, linesOf: input))
  }
}

struct PredicateCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the names, types and variables of a predicate against a model.",
    discussion: """
      The output lists the types of the key paths and variables. A variable has the type of what it is compared with. \
      If the predicate is invalid, all errors are reported with their positions. A store \
      isn't required. If there is one, the command uses the model version that wrote it.

        storetool predicate check 'city.name ==[cd] $CITY' --entity Person
        storetool predicate check --template peopleFR --format json
      """)

  @OptionGroup var predicate: PredicateArgument

  @Option(
    help: ArgumentHelp(
      "The entity of the rows that the predicate applies to.", valueName: "name"),
    completion: .entities)
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "Check a template of the model, or a fetched property: Employee.colleagues.",
      valueName: "name"),
    completion: .templates)
  var template: String?

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    switch (entity, template) {
    case (nil, nil):
      throw ValidationError("specify the entity of the predicate: --entity NAME")
    case (_?, _?):
      throw ValidationError("a template has its own entity: omit --entity or --template")
    case (nil, _?) where predicate.text != nil:
      throw ValidationError("specify either a predicate or a template")
    default: break
    }
  }

  func run() throws {
    let model = try Workspace(options, closest: closest).modelOfStore().model
    try FactWriter(format).print(try template.map { try check($0, in: model) } ?? check(in: model))
  }

  private func check(in model: DataModel) throws -> Facts {
    let entity = try model.requireEntity(named: entity ?? "").name
    let text = try predicate.read()
    let parsed = try text.predicate()
    Terminal.report(parsed.remarks.map(text.diagnostic))
    let checked = try PredicateChecker(model: model, entity: entity).check(parsed, in: text)
    return PredicateFacts.page(of: checked, on: entity, as: parsed.format)
  }

  private func check(_ name: String, in model: DataModel) throws -> Facts {
    let template = try model.requireTemplate(named: name)
    let checked = try template.checked(in: model)
    // Without a predicate, the template fetches all rows.
    let predicate = template.predicate ?? .constant(true)
    return PredicateFacts.page(of: checked, on: template.entity, as: predicate.format)
  }
}

/// The output of `predicate parse` and `predicate check`.
enum PredicateFacts {
  private struct Parsed<Tree: Encodable>: Encodable {
    let predicate: String
    let variables: [String]
    let tree: Tree
  }

  private struct Node: Encodable {
    let kind: String
    let detail: String?
    let text: String
    let parts: [Node]

    init(_ node: PredicateOutline) {
      (kind, detail, text) = (node.kind.rawValue, node.detail, node.text)
      parts = node.parts.map(Node.init)
    }
  }

  private struct Line: Encodable {
    let node: String
    let text: String?

    /// Creates the line of a node. If the node has parts, its text is omitted, because the lines of the parts contain
    /// it.
    init(_ depth: Int, _ node: PredicateOutline) {
      let name = [node.kind.rawValue, node.detail].compactMap(\.self).joined(separator: " ")
      self.node = String(repeating: "  ", count: depth) + name
      text = node.parts.isEmpty ? node.text : nil
    }
  }

  private struct Checked: Encodable {
    let entity, predicate: String
    let keyPaths: [KeyPathType]
    let variables: [TemplateFacts.Variable]
  }

  private struct KeyPathType: Encodable { let keyPath, type: String }

  /// Returns the tree of a predicate.
  ///
  /// - Parameter isNested: Whether nodes contain their parts. Otherwise the tree is a list of lines, one per node.
  static func page(of predicate: FormatPredicate, isNested: Bool) -> Facts {
    let (text, variables) = (predicate.format, predicate.variables)
    let outline = PredicateOutline(predicate)
    if isNested {
      return .page(Parsed(predicate: text, variables: variables, tree: Node(outline)))
    }
    let lines = outline.lines.map(Line.init)
    return .page(Parsed(predicate: text, variables: variables, tree: lines))
  }

  /// Returns the types of the key paths and variables of a predicate.
  static func page(of checked: CheckedPredicate, on entity: String, as text: String) -> Facts {
    .page(
      Checked(
        entity: entity, predicate: text,
        keyPaths: checked.keyPaths.map {
          KeyPathType(keyPath: $0.keyPath.format, type: $0.type.description)
        },
        variables: checked.variables.map { .init(name: $0.name, type: $0.type.description) }))
  }
}
