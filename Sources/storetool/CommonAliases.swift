import RecordFormats

/// What people type who know other tools.
enum CommonAliases {
  /// Commands of other names, and what is meant.
  static let commands = [
    "version": "the version: storetool --version",
    "select": "rows are fetched: storetool fetch Person --where '…'",
    "query": "rows are fetched: storetool fetch Person --where '…'",
    "find": "rows are fetched: storetool fetch Person --where '…'",
    "get": "rows are fetched: storetool fetch Person --where '…'",
    "list": "storetool info lists entities, storetool templates the model's requests",
    "ls": "storetool info lists entities, storetool templates the model's requests",
    "entities": "storetool info lists the entities",
    "count": "rows are counted: storetool fetch Person --count",
    "update": "rows are updated: storetool batch-update Person name=Ray --where '…'",
    "delete": "rows are deleted: storetool batch-delete Person --where '…'",
    "remove": "rows are deleted: storetool batch-delete Person --where '…'",
    "dump": "all rows are written by 'storetool export'",
    "load": "records are read by 'storetool import'",
    "schema": "storetool model show prints the model, storetool info the store",
    "sql": "storetool explain shows the SQL of a request",
    "check": "a store: storetool verify; a model: storetool model check",
    "repair": "storetool verify --repair",
    "backup": "'storetool migrate' makes one; a store that is closed can be copied as a file",
  ]

  /// Options of other names, without dashes. The option that is meant, where the command has it.
  static let options = [
    "filter": "--where", "predicate": "--where", "sql": "--where", "order-by": "--sort",
    "orderby": "--sort", "order": "--sort", "top": "--limit", "max": "--limit", "skip": "--offset",
    "columns": "--select", "fields": "--select", "properties": "--select", "group": "--group-by",
    "groupby": "--group-by", "db": "--store", "database": "--store", "sqlite": "--store",
    "path": "--store", "schema": "--model", "policy": "--on-conflict", "upsert": "--on-conflict",
    "simulate": "--dry-run", "n": "--dry-run", "preview": "--dry-run",
    "target": "--to", "type": "--format", "output-format": "--format",
  ]

  /// Options that nothing has, and what is so without them.
  static let idleOptions = [
    "output": "the result goes to standard output: > FILE",
    "o": "the result goes to standard output: > FILE",
    "out": "the result goes to standard output: > FILE",
    "verbose": "everything that is to be said is said without it",
    "v": "everything that is to be said is said without it",
    "quiet": "notes go to standard error: 2> /dev/null",
    "q": "notes go to standard error: 2> /dev/null",
    "yes": "nothing is asked", "y": "nothing is asked", "f": "nothing is asked",
    "force": "nothing is asked",
    "no-color": "set NO_COLOR for text without colors",
  ]

  /// `--json` for `--format json`.
  static func format(_ name: String) -> String? {
    RowFormat(rawValue: name).map { "--format \($0.rawValue)" }
  }
}
