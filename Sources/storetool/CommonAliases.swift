import RecordFormats

/// Names of commands and options that users of other tools may type.
enum CommonAliases {
  /// The help for an unknown command, by the name of the command in other tools.
  static let commands = [
    "version": "print the version: storetool --version",
    "select": "fetch rows: storetool fetch Person --where '…'",
    "query": "fetch rows: storetool fetch Person --where '…'",
    "find": "fetch rows: storetool fetch Person --where '…'",
    "get": "fetch rows: storetool fetch Person --where '…'",
    "list": "list entities: storetool info; list the model's templates: storetool templates",
    "ls": "list entities: storetool info; list the model's templates: storetool templates",
    "entities": "list entities: storetool info",
    "count": "count rows: storetool fetch Person --count",
    "update": "update rows: storetool batch-update Person name=Ray --where '…'",
    "delete": "delete rows: storetool batch-delete Person --where '…'",
    "remove": "delete rows: storetool batch-delete Person --where '…'",
    "dump": "write all rows: storetool export",
    "load": "read records: storetool import",
    "schema": "print the model: storetool model show; describe the store: storetool info",
    "sql": "show the SQL of a request: storetool explain",
    "check": "check a store: storetool verify; check a model: storetool model check",
    "repair": "repair a store: storetool verify --repair",
    "backup": "'storetool migrate' creates a backup; a closed store can be copied as a file",
  ]

  /// The options of this program, by the names of similar options in other tools, without dashes. Not every command has
  /// the option.
  static let options = [
    "filter": "--where", "predicate": "--where", "sql": "--where", "order-by": "--sort",
    "orderby": "--sort", "order": "--sort", "top": "--limit", "max": "--limit", "skip": "--offset",
    "columns": "--select", "fields": "--select", "properties": "--select", "group": "--group-by",
    "groupby": "--group-by", "db": "--store", "database": "--store", "sqlite": "--store",
    "path": "--store", "schema": "--model", "policy": "--on-conflict",
    "upsert": "--on-conflict update",
    "simulate": "--dry-run", "n": "--dry-run", "preview": "--dry-run",
    "target": "--to", "type": "--format", "output-format": "--format",
  ]

  /// The reason why most commands don't need an option, or the alternative, by the name of the option in other tools.
  static let idleOptions = [
    "output": "redirect standard output to a file: > FILE",
    "o": "redirect standard output to a file: > FILE",
    "out": "redirect standard output to a file: > FILE",
    "verbose": "all messages are printed by default",
    "v": "all messages are printed by default",
    "quiet": "notes are printed to standard error: 2> /dev/null",
    "q": "notes are printed to standard error: 2> /dev/null",
    "yes": "omit it, because commands don't prompt", "y": "omit it, because commands don't prompt",
    "f": "omit it, because commands don't prompt",
    "force": "omit it, because commands don't prompt",
    "no-color": "set NO_COLOR to disable colors",
  ]

  /// Returns `--format json` for the name `json`; nil if a format with this name doesn't exist.
  static func format(_ name: String) -> String? {
    RowFormat(rawValue: name).map { "--format \($0.rawValue)" }
  }
}
