import ArgumentParser
import StoreDiagnostics
import StoreModel
import StorePredicate

/// `storetool predicate check`
struct PredicateCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks a predicate against a model: names, types, variables.",
    discussion: """
      Prints each key path with its type, and each variable with the type of what it is compared \
      with; or all mistakes, each at its place. Needs no store; beside one, its model version is \
      the one that counts.

        storetool predicate check 'city.name ==[cd] $CITY' --entity Person
        storetool predicate check --template peopleFR --format json
      """)

  @OptionGroup var predicate: PredicateArgument

  @Option(
    name: .long, help: ArgumentHelp("Whose rows the predicate is about.", valueName: "entity"),
    completion: .entities)
  var entity: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Check a template of the model, or a fetched property: Employee.colleagues.",
      valueName: "name"),
    completion: .templates)
  var template: String?

  @OptionGroup var options: StoreOptions

  @Flag(name: .long, help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    switch (entity, template) {
    case (nil, nil):
      throw ValidationError("name the entity that the predicate is about: --entity Person")
    case (_?, _?):
      throw ValidationError("a template has its own entity: leave out --entity or --template")
    case (nil, _?) where predicate.text != nil:
      throw ValidationError("name a predicate or a template, not both")
    default: break
    }
  }

  func run() throws {
    let model = try Workspace(options, closest: closest).modelOfStore().model
    try FactWriter(format).print(try template.map { try check($0, in: model) } ?? check(in: model))
  }

  private func check(in model: Model) throws -> Facts {
    let entity = try model.requireEntity(named: entity ?? "").name
    let text = try predicate.read()
    let parsed = try text.predicate()
    Terminal.report(parsed.remarks.map(text.diagnostic))
    let checked = try PredicateChecker(model: model, entity: entity).check(parsed, in: text)
    return PredicateFacts.page(of: checked, on: entity, as: parsed.format)
  }

  private func check(_ name: String, in model: Model) throws -> Facts {
    let template = try model.requireTemplate(named: name)
    let checked = try template.checked(in: model)
    // Without a predicate it fetches every row.
    let predicate = template.predicate ?? .constant(true)
    return PredicateFacts.page(of: checked, on: template.entity, as: predicate.format)
  }
}
