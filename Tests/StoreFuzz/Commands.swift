extension Sample {
  /// Commands that must not change any file.
  var readingCommands: [[String]] {
    let ofStore: [[String]] = [
      ["info"], ["info", "--format", "table"], ["verify"], ["verify", "--format", "json"],
      ["verify", "--repair", "--dry-run"], ["export"], ["export", entities[0], "--format", "csv"],
      ["fetch", entity], ["fetch", entity, "--format", "table"],
      ["fetch", entity, "--where", "\(attribute) ==[cd] '\(value)'", "--sort", "-\(attribute)"],
      ["fetch", entity, "--count"], ["show", "\(entity)/p1"],
      ["show", "\(entity)/p1", "--format", "json"],
      ["export", entity, "--where", "\(attribute) != '\(value)'"],
      ["fetch", entity, "--group-by", attribute, "--select", attribute],
      ["history"], ["history", "--changes"], ["history", "--statistics"],
      ["history", "--prune", "--before", "2", "--dry-run"], ["templates"], ["migrate", "status"],
      ["migrate", "plan"], ["migrate", "status", "--check"], ["migrate", "script"],
      ["explain", "fetch", entity, "--where", "\(attribute) == 'a'"],
      ["explain", "batch-delete", entity, "--all"], ["explain", "batch-insert", entity],
      ["explain", "batch-update", entity, "\(attribute)=a"],
      ["batch-delete", entity, "--all", "--dry-run"],
      ["batch-update", entity, "\(attribute)=a", "--dry-run"],
      ["page-model"], ["page-rows", entity], ["page-keys", entity, "--sort", attribute],
      ["page-rows", entity, "--keys", "1,2,3"], ["page-complete", entity, ""], ["page-diagram"],
      ["page-value", "\(entity)/p1", attribute], ["page-plain", "\(entity)/p1", attribute],
    ]
    return ofStore.map { $0 + named } + comparisons + entities.map { ["fetch", $0] + named }
      + ofModel
      + ofOwnModel
  }

  /// Comparisons of a store with itself.
  private var comparisons: [[String]] {
    let both = ["diff", Self.store, Self.store, "--model", model]
    return [both, both + ["--rows"]]
  }

  /// Commands with the model in the store, or with the model inferred from its tables.
  private var ofOwnModel: [[String]] {
    [
      ["model", "show", Self.store], ["model", "decompile", Self.store],
      ["fetch", entity, "--store", Self.store, "--model", Self.store],
    ]
  }

  private var ofModel: [[String]] {
    [
      ["model", "check", model], ["model", "show", model], ["model", "hash", model],
      ["generate", model],
      ["generate", model, "--style", "managed-objects"],
      ["generate", model, "--style", "swift-data", "--all-versions"],
      ["predicate", "check", "\(attribute) == 'a'", "--entity", entity, "--model", model],
    ]
  }

  /// Each command runs on a separate copy.
  var writingCommands: [[String]] {
    [
      ["verify", "--repair"], ["insert", entity, "\(attribute)=\(value)"],
      ["import", data] + importing, ["import", data, "--on-conflict", "update"] + importing,
      ["import", data, "--on-conflict", "ignore"] + importing,
      ["batch-update", entity, "\(attribute)=\(value)", "--where", "\(attribute) != 'x'"],
      ["batch-delete", entity, "--all"],
      ["batch-delete", entity, "--where", "\(attribute) == '\(value)'"],
      ["history", "--prune", "--before", "2"], ["migrate", "--no-backup", "--allow-loss", "all"],
      ["migrate", "--allow-loss", "all", "--dry-run"],
    ].map { $0 + named }
      + entities.map { ["batch-delete", $0, "--all"] + named }
  }

  /// Commands that only require a model.
  var modelCommands: [[String]] {
    ofModel + [
      ["create", "new.sqlite", "--model", model], ["fetch", entity] + named, ["verify"] + named,
      ["info"] + named, ["migrate", "plan"] + named, ["export"] + named,
      ["model", "diff", model, model],
    ]
  }
}
