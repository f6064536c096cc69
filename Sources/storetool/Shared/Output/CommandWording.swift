import StoreDiagnostics

/// The wording of remedies and issues that the libraries describe as values, with the commands and options of the
/// program.
///
/// The compiler requires a wording for each remedy, because the switches are exhaustive.
struct CommandWording: DiagnosticWording {
  func sentence(for remedy: DiagnosticRemedy) -> String {
    switch remedy {
    case .text(let text): text
    case .model(let remedy): sentence(for: remedy)
    case .store(let remedy): sentence(for: remedy)
    case .request(let remedy): sentence(for: remedy)
    case .importing(let remedy): sentence(for: remedy)
    case .migration(let remedy): sentence(for: remedy)
    }
  }

  func sentence(for problem: ArgumentIssue) -> String {
    switch problem {
    case .rulesWithoutEntity: "--map requires an entity"
    case .ruleThroughToMany(let rule, let key):
      "--map '\(rule)' can't continue after '\(key)', which is a to-many relationship"
    case .ruleWithoutRelationship(let rule, let key, let entity):
      "--map '\(rule)': '\(key)' of '\(entity)' isn't a relationship"
    case .ruleWithUnknownProperty(let rule, let key, let entity):
      "--map '\(rule)': '\(entity)' has no property '\(key)'"
    case .unknownLoss(let name): "--allow-loss: unknown name '\(name)'"
    case .groupFilterWithoutGroups: "--having requires groups"
    }
  }

  private func sentence(for remedy: ModelRemedy) -> String {
    switch remedy {
    case .name(.noModel): "no model was found; specify one with --model"
    case .name(.otherModel): "it belongs to another model: specify that model with --model"
    case .name(.newerVersion):
      """
      it contains entities that the available versions don't have, so a later version wrote it: get the newest \
      model, or specify it with --model
      """
    case .name(.editedVersion):
      """
      the version that wrote it isn't available, or was edited since: find it in version control, or specify \
      it with --model
      """
    case .chooseVersion: "specify a version with --model-version, or correct .xccurrentversion"
    case .listTemplates: "to list them: storetool templates"
    case .runFetchedProperty(let entity, let name):
      "it is a separate request: storetool apply-template \(entity).\(name)"
    case .resolveConflicts:
      "resolve them manually, or run 'storetool git install' and then 'git mergetool --tool=storetool-model'"
    case .check: "for details, run storetool model check"
    case .overwriteFile: "choose another name, or overwrite the file with --force"
    }
  }

  private func sentence(for remedy: StoreRemedy) -> String {
    switch remedy {
    case .create(let path?): "'storetool create \(path)' creates an empty store"
    case .create(nil): "or create one: storetool create"
    case .repair:
      "'storetool verify --repair --dry-run' shows which of them can be repaired"
    case .verify: "to list the invalid values, run storetool verify"
    case .proposeRules:
      "to get suggested rules for --rules, run the command with --print-rules instead of --output"
    case .chooseOtherContent:
      "--other-content drop removes it, --other-content keep copies it unchanged"
    case .replaceLink:
      "replace the link with its target; 'migrate --no-backup' doesn't create a copy"
    case .setValue(let entity, let property, let id, let isMissing):
      """
      give it \(isMissing ? "one" : "another value"): storetool batch-update \(entity) \
      '\(property)=…' --where 'SELF == "\(id)"'
      """
    }
  }

  private func sentence(for remedy: RequestRemedy) -> String {
    switch remedy {
    case .chooseRows(orSkipValidation: true):
      """
      exclude such rows with --where, or add --no-validate to store the values unchecked, as Core Data's batch \
      updates do
      """
    case .chooseRows(orSkipValidation: false): "exclude such rows with --where"
    case .showMatches(let entity): "to test the predicate: storetool fetch \(entity) --where '…'"
    case .countAgain: "to count them again, use --dry-run without --expect"
    case .moveAggregate:
      "use it in --select or --having; for the members of a to-many relationship: items.@count or items.@sum.price"
    case .sortForFirst(let keyPath, let isDescending):
      "to get the row with that value: --sort \(isDescending ? "-" : "")\(keyPath) --limit 1"
    case .link(let entity, let relationship):
      "to link rows: storetool link \(entity).\(relationship) 'PREDICATE' 'DESTINATION-PREDICATE'"
    case .groupOrFold(let keyPath?):
      "add --group-by \(keyPath), or aggregate it with \(RequestRemedy.aggregates)"
    case .groupOrFold(nil): "add --group-by, or aggregate it with \(RequestRemedy.aggregates)"
    case .nameSelectedValue(let name):
      "add a value with this name to --select: 'count(SELF) AS \(name)'"
    case .selectOrCountGroups:
      "specify the values of a group with --select, or count the groups with --count"
    case .groupOrFilterRows: "add --group-by, or use --where to filter rows"
    case .giveValue:
      "replace the variable with a value; only the predicates of templates can contain variables"
    case .exportOneEntity: "specify one entity, or use --format ndjson"
    case .nameKey(let entity):
      "specify a key: --key '\(entity).ATTRIBUTE'; or choose other entities with --entity"
    }
  }

  private func sentence(for remedy: ImportRemedy) -> String {
    switch remedy {
    case .chooseEntity(orTagRecords: false): "add --entity"
    case .chooseEntity(orTagRecords: true): "add --entity, or \"$entity\" to each record"
    case .chooseRoot: "specify the path of the records, for example --root response.venues"
    case .mapInside(let attribute):
      "to use a value in the object: --map \(attribute)=\(attribute).KEY"
    case .ignoreOrMapKeys(let key):
      "omit --strict to ignore them, or map them: --map property=\(key)"
    case .chooseConflictPolicy:
      "to keep the other row: --on-conflict ignore; to overwrite it: --on-conflict update"
    case .updateAfterwards: "omit it, and set it with 'storetool batch-update'"
    case .chooseDelimiter(let delimiter): "--delimiter '\(delimiter)' reads such fields"
    case .chooseKey(let entity):
      "specify the attribute that identifies a row of '\(entity)': add --key ATTRIBUTE"
    case .identifyRows:
      "--key ENTITY.ATTRIBUTE specifies an attribute that identifies rows"
    case .readTogetherOrSkip:
      "if another file contains the missing row, add this file to the command; --links skip skips such links"
    case .raiseRecordLimit:
      "--max-record allows longer records; reading a record requires about four times its length in memory"
    case .importInstead(.numericDates):
      "'import --date-format UnixTime' reads dates that are numbers"
    case .importInstead(.exportedRecords): "'import' reads the records that 'export' writes"
    case .importInstead(.arrays): "'import' accepts arrays for to-many relationships"
    case .importInstead(.nestedRecords): "'import' accepts nested records"
    }
  }

  private func sentence(for remedy: MigrationRemedy) -> String {
    switch remedy {
    case .allowLoss(let names):
      "to accept the loss: --allow-loss '\(names.joined(separator: ","))'"
    case .allowSharedLoss(let loss, let source):
      """
      --allow-loss '\(loss)' keeps each destination only in the row with the lowest key; or specify in a \
      definition which rows to drop: <drop entity="\(source)" where="…"/>
      """
    case .moveBackup: "--backup specifies another path, --no-backup doesn't create a backup"
    case .passVersion(let version): "or choose the path: --via '\(version)'"
    case .goStraight:
      "choose another path: --via direct migrates directly, without definitions in between"
    case .passVersionsBetween:
      "--via accepts versions between the store's version and the target, each of them once"
    case .passVersionsOfCarried:
      "this path has no definitions; to choose intermediate versions: --via VERSION"
    case .writeDefinition: "to write a draft of a migration: storetool migrate new FROM TO"
    case .defineEntity(let entity):
      """
      specify it in a migration file: <entity name="\(entity)">; 'storetool migrate new FROM TO' writes a \
      draft
      """
    }
  }
}
