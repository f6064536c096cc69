import ArgumentParser
import StoreDiagnostics
import StoreEngine

/// `storetool verify`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Looks for damage in a store.",
    discussion: """
      SQLite's integrity check, references and pairs that lead nowhere, counters, uniqueness, \
      derived values, version hashes, files with large values. Exits 1 when there is an error; \
      warnings, such as NULL in a required attribute, are what real stores have. Without the model \
      only what the file itself tells is looked at. --repair does what loses nothing: optional \
      references that lead nowhere become NULL, pairs that do are removed, counters are raised.

        storetool verify
        storetool verify --repair --dry-run
      """)

  @Flag(name: .long, help: "Repair what can be repaired without loss, in one transaction.")
  var repair = false

  @Flag(name: .long, help: "Only say what --repair would repair.")
  var dryRun = false

  @OptionGroup var options: StoreOptions

  @Option(name: .long, help: "How to write the findings. Default: text.")
  var format = FindingFormat.text

  func validate() throws {
    if dryRun && !repair { throw ValidationError("--dry-run goes with --repair") }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let workspace = Workspace(options)
    guard repair else {
      let path = try workspace.storePath()
      let store = try Store.open(path, .reading)
      let layout = try workspace.identifiedLayout(of: store)
      let findings = try store.verify(in: layout)
      try print(findings, summary: summary(of: findings, layout))
      if findings.contains(where: { $0.severity == .error }) { throw CheckFound() }
      return
    }
    let store = try workspace.openStore(having: .nothing, for: dryRun ? .reading : .writing)
    let repaired =
      try dryRun ? store.store.repairable(in: store.layout) : store.store.repair(in: store.layout)
    let verb = dryRun ? "would repair" : "repaired"
    try print(repaired, summary: "\(verb) \(repaired.count) of the findings of verify")
  }

  private func print(_ findings: [Finding], summary: String) throws {
    guard case .facts(let rows) = format else {
      return try FindingWriter(format).print(findings.map(\.diagnostic), summary: summary)
    }
    try FactWriter(rows).print(VerificationFacts.facts(of: findings))
    Terminal.err.write("\(summary)\n")
  }

  private func summary(of findings: [Finding], _ layout: StoreLayout?) -> String {
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count - errors
    let known = layout == nil ? "; no model at hand wrote it, so rows were hardly looked at" : ""
    return "\(errors) error\(errors == 1 ? "" : "s"), "
      + "\(warnings) warning\(warnings == 1 ? "" : "s")\(known)"
  }
}
