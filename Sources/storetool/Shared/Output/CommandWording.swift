import StoreDiagnostics

/// What libraries leave open, in the words of the command line: its commands and options.
///
/// A new remedy does not compile before it has its words here.
struct CommandWording: DiagnosticWording {
  func sentence(for remedy: Remedy) -> String {
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
    case .rulesWithoutEntity: "--map counts from an entity, and none is given"
    case .ruleThroughToMany(let rule, let key):
      "--map '\(rule)' continues after '\(key)', a to-many: there is no one object to fill"
    case .ruleWithoutRelationship(let rule, let key, let entity):
      "--map '\(rule)': '\(key)' of '\(entity)' is not a relationship"
    case .ruleWithUnknownProperty(let rule, let key, let entity):
      "--map '\(rule)': '\(entity)' has no property '\(key)'"
    case .unknownLoss(let name): "--allow-loss: nothing is called '\(name)'"
    case .groupFilterWithoutGroups: "--having filters groups, and there are none"
    }
  }

  private func sentence(for remedy: ModelRemedy) -> String {
    switch remedy {
    case .name(.noModel): "no model was found; name one with --model"
    case .name(.otherModel): "it belongs to another model: name that with --model"
    case .name(.newerVersion):
      """
      it has entities that no version here knows, so a later version wrote it: get the newest model, \
      or name it with --model
      """
    case .name(.editedVersion):
      """
      the version that wrote it is not here, or was edited since: look in the model's history for it, \
      or name it with --model
      """
    case .chooseVersion: "choose one with --model-version"
    case .listTemplates: "storetool templates lists them"
    case .runFetchedProperty(let entity, let name):
      "it is a request of its own: storetool apply-template \(entity).\(name)"
    case .resolveConflicts:
      "resolve them by hand, or 'git mergetool --tool=storetool-model', once 'storetool git install' was run"
    case .check: "storetool model check says more"
    case .overwriteFile: "choose another name, or overwrite the file with --force"
    }
  }

  private func sentence(for remedy: StoreRemedy) -> String {
    switch remedy {
    case .create(let path): "'storetool create \(path)' makes an empty store"
    case .repair:
      "'storetool verify --repair' makes what can be made; 'storetool verify' names the rest"
    case .verify: "storetool verify says which values are wrong"
    case .proposeRules:
      "'storetool anonymize --print-rules' proposes a file of rules for --rules"
    case .chooseOtherContent:
      "--other-content drop leaves it out, --other-content keep takes it as it is"
    case .replaceLink:
      "put the folder or the file itself there; 'migrate --no-backup' makes no copy"
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
      "--where leaves such rows out; --no-validate stores them as Core Data's batch updates do"
    case .chooseRows(orSkipValidation: false): "--where leaves such rows out"
    case .showMatches(let entity): "storetool fetch \(entity) --where '…' shows what matches"
    case .moveAggregate: "it belongs in --select, --having, or behind a to-many relationship"
    case .sortForFirst(let keyPath, let isDescending):
      "for the row with that value: --sort \(isDescending ? "-" : "")\(keyPath) --limit 1"
    case .link(let entity, let relationship):
      "storetool link \(entity).\(relationship) '…' '…' links rows that match two predicates"
    case .groupOrFold(let keyPath?):
      "add --group-by \(keyPath), or fold it with \(RequestRemedy.aggregates)"
    case .groupOrFold(nil): "add --group-by, or fold it with \(RequestRemedy.aggregates)"
    case .nameSelectedValue(let name): "name a value in --select: 'count(SELF) AS \(name)'"
    case .selectOrCountGroups:
      "choose what to show of a group with --select, or count the groups with --count"
    case .groupOrFilterRows: "add --group-by, or use --where to filter rows"
    case .giveValue:
      "write the value in its place: only templates have variables, for 'storetool apply-template'"
    case .exportOneEntity: "name one entity, or use --format ndjson"
    case .nameKey(let entity):
      "name what does: --key '\(entity).ATTRIBUTE'; or choose other entities with --entity"
    }
  }

  private func sentence(for remedy: ImportRemedy) -> String {
    switch remedy {
    case .chooseEntity(orTagRecords: false): "add --entity"
    case .chooseEntity(orTagRecords: true): "add --entity, or \"$entity\" to each record"
    case .chooseRoot: "--root response.venues says where the records stand"
    case .mapInside(let attribute):
      "--map \(attribute)=\(attribute).KEY takes a value from inside"
    case .ignoreOrMapKeys(let key):
      "leave out --strict to ignore them, or map them: --map property=\(key)"
    case .chooseConflictPolicy:
      "--on-conflict update takes the values of the input, --on-conflict ignore those that are there"
    case .updateAfterwards: "leave it out, and set it with 'storetool batch-update'"
    case .chooseDelimiter(let delimiter): "--delimiter '\(delimiter)' reads such fields"
    case .chooseKey(let entity):
      "--key ATTRIBUTE names what identifies a row: 'storetool batch-insert \(entity) --key ATTRIBUTE'"
    case .readTogetherOrSkip:
      "import the files with both rows in one run, or leave such links out with --links skip"
    case .raiseRecordLimit:
      "--max-record takes longer ones; each takes about four times its length in memory"
    case .importInstead(.numericDates):
      "'import --date-format UnixTime' reads dates that are numbers"
    case .importInstead(.exportedRecords): "'import' reads the records that 'export' writes"
    case .importInstead(.arrays): "'import' takes arrays for to-many relationships"
    case .importInstead(.nestedRecords): "'import' takes nested records"
    }
  }

  private func sentence(for remedy: MigrationRemedy) -> String {
    switch remedy {
    case .allowLoss(let names): "--allow-loss '\(names.joined(separator: ","))' drops it"
    case .allowSharedLoss(let loss, let source):
      """
      --allow-loss '\(loss)' leaves each destination to the row with the lowest key; or say in a \
      definition which rows go: <drop entity="\(source)" where="…"/>
      """
    case .moveBackup: "--backup puts the backup elsewhere, --no-backup leaves it out"
    case .passVersion(let version): "or choose the way: --via '\(version)'"
    case .goStraight:
      "choose another one: --via direct takes the straight one, past all definitions"
    case .passVersionsBetween:
      "--via names only versions between the store's and the target, each once"
    case .passVersionsOfCarried: "no definition is passed: --via names versions to go over"
    case .writeDefinition: "storetool migrate new FROM TO writes a migration to begin with"
    case .defineEntity(let entity):
      """
      say in a migration file what it does: <entity name="\(entity)">; storetool migrate new FROM TO \
      writes one to begin with
      """
    }
  }
}
