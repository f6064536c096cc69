import ArgumentParser
import StoreDiagnostics
import StoreModel
import StoreModelReader

/// A command line that is being written: the word at the cursor, and what the others say.
struct CompletionLine {
  /// The word at the cursor.
  let current: ShellWord
  private let command: CommandOptions
  private let given: [CommandOptions.Given]

  /// - Parameters:
  ///   - words: all of them as they are typed, the program's own first.
  ///   - index: that of the word at the cursor.
  /// - Throws: what the parser throws where it can't describe the command.
  init(_ words: [String], at index: Int, isRaw: Bool) throws {
    let typed = words.map { ShellWord($0, isRaw: isRaw) }
    let raw = isRaw ? nil : Workspace.environment(ShellWord.variable).map { ShellWord($0) }
    let word = raw ?? (typed.indices.contains(index) ? typed[index] : ShellWord(""))
    let (type, rest) = CommandRow.named(by: typed.map(\.text).dropFirst())
    command = try CommandOptions(of: type)
    given = command.given(in: rest).filter { $0.word != index }
    // bash hands such a word over in two.
    let isBoth = word.text.contains("=") && command.takes(String(word.text.prefix { $0 != "=" }))
    current = isBoth ? word.value : word
  }

  /// What an option or an argument is given elsewhere on the line.
  func value(of name: String) -> String? { given.first { $0.name == name }?.value }

  /// The same where it may be given several times.
  func values(of name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }

  private var workspace: Workspace {
    let isOfStore = command.takes("--store")
    return Workspace(
      store: (value(of: "--store") ?? (isOfStore ? value(of: "store") : nil))
        .map(ArgumentText.path),
      simulator: value(of: "--simulator"),
      model: (value(of: "--app") ?? value(of: "--model") ?? (isOfStore ? nil : value(of: "path")))
        .map(ArgumentText.path),
      modelVersion: value(of: "--model-version"))
  }

  /// The models that the command may be about: those of the stores at hand where it takes one, else the current
  /// versions.
  var models: [Model] { workspace.modelsInReach(isOfStore: command.takes("--store")) }

  /// The versions of the models at hand, by name.
  var versions: [(name: String, isCurrent: Bool)] {
    get throws {
      try workspace.bundles().flatMap { bundle in
        bundle.versions.map { ($0.name, $0.name == bundle.currentVersion?.name) }
      }
    }
  }

  /// The same; none where they can't be found.
  var versionsAtHand: [(name: String, isCurrent: Bool)] {
    do {
      return try versions
    } catch {
      return []
    }
  }

  /// The entity that the line names, or that of the template that it names, in each model that has it.
  var entities: [(Model, Entity)] {
    let name =
      value(of: "entity") ?? value(of: "--entity") ?? value(of: "entities")
      ?? value(of: "Entity.relationship").map { String($0.prefix { $0 != "." }) }
    let template = value(of: "template")
    return models.compactMap { model in
      let name = name ?? template.flatMap { model.template(named: $0)?.entity }
      return name.flatMap { model.entity(named: $0) }.map { (model, $0) }
    }
  }
}

extension Workspace {
  /// The models that an unfinished command may be about. What can't be read is passed over.
  ///
  /// - Parameter isOfStore: whether the versions count that wrote the stores at hand, where there are any.
  func modelsInReach(isOfStore: Bool) -> [Model] {
    let written = isOfStore ? modelsOfStores() : []
    guard written.isEmpty else { return written }
    do {
      return try bundles().compactMap { readableModel(of: $0) }
    } catch {
      return []
    }
  }

  private func modelsOfStores() -> [Model] {
    do {
      let stores = try usableStores().map { try $0.opened.get() }
      guard let only = stores.first, stores.count == 1 else {
        return try candidates(of: stores).map(\.model.model)
      }
      return [try model(of: only).model]
    } catch {
      return []
    }
  }

  private func readableModel(of bundle: ModelBundle) -> Model? {
    do {
      return try FoundModel(version(of: bundle), of: VersionsAtHand(of: bundle)).model
    } catch {
      return nil
    }
  }
}
