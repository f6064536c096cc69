import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreImport

/// Prints `Facts` in the requested format.
///
/// JSON and NDJSON keep the nesting. All other formats show `Facts.records` as rows. For a `Facts.page`, CSV, TSV and
/// Markdown have one row for each value, with its path. The table and vertical formats list the single values of a
/// page, followed by one table for each list of objects, and omit empty values.
struct FactWriter {
  private let format: RowFormat
  private let style: RowStyle

  init(_ options: FormatOptions) {
    self.init(options.resolved, options.style)
  }

  init(_ format: RowFormat, _ style: RowStyle = .ofStandardOutput()) {
    self.format = format
    self.style = style
  }

  func print(_ facts: Facts) throws {
    var out = ByteBuffer()
    switch (facts, format) {
    case (.records(_, let records), .json):
      let records = records.map { JSONValue(encoding: $0) }
      out.append(JSONValue(.array(records)), style: .indented)
      out.append("\n")
    case (.records(_, let records), .ndjson):
      for record in records { out.append(line: record) }
    case (.records(let columns, let records), _):
      let records = records.map { JSONValue(encoding: $0) }
      try appendTable(columns, records.map { record in columns.map { record[$0] } }, to: &out)
    case (.page(let page), .json):
      out.append(JSONValue(encoding: page), style: .indented)
      out.append("\n")
    case (.page(let page), .ndjson): out.append(line: page)
    case (.page(let page), .table), (.page(let page), .vertical):
      try appendPage(JSONValue(encoding: page), to: &out)
    case (.page(let page), .csv), (.page(let page), .tsv), (.page(let page), .markdown):
      let rows = JSONValue(encoding: page).leaves().map { [JSONValue(.string($0.path)), $0.value] }
      try appendTable(["fact", "value"], rows, to: &out)
    }
    try OutputFile.standard(for: format).write(out.bytes)
    Terminal.noteLeftOut(of: style)
  }

  /// Appends the single values of a page, and then each list of objects as a table below its name.
  private func appendPage(_ page: JSONValue, to out: inout ByteBuffer) throws {
    guard case .object(let members) = page.content else { return }
    let facts = members.filter { !$0.value.isTable && !$0.value.flatText.isEmpty }
    let names = facts.map { ControlCharacters.escaped(in: $0.key) }
    let width = names.map { DisplayWidth.of($0) }.max() ?? 0
    for (name, member) in zip(names, facts) {
      let name = name + String(repeating: " ", count: width - DisplayWidth.of(name))
      let lines = member.value.flatText.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let margin = index == 0 ? name : String(repeating: " ", count: width)
        let shown = ControlCharacters.escaped(in: String(line))
        out.append("\(margin)  \(shown)".trimmingTrailingSpaces() + "\n")
      }
    }
    for member in members {
      guard case .array(let records) = member.value.content, member.value.isTable,
        case .object(let first)? = records.first?.content
      else { continue }
      let columns = first.map(\.key)
      out.append("\n\(ControlCharacters.escaped(in: member.key))\n")
      try appendTable(columns, records.map { record in columns.map { record[$0] } }, to: &out)
    }
  }

  private var shortensIDs: Bool { format == .table && style.fit != nil }

  private func appendTable(
    _ allColumns: [String], _ allRows: [[JSONValue?]], to out: inout ByteBuffer
  ) throws {
    let shown = allColumns.indices.filter { index in
      !format.isForPeople || allRows.isEmpty
        || allRows.contains { $0[index]?.flatText.isEmpty == false }
    }
    let columns = shown.map { allColumns[$0] }
    let rows = allRows.map { row in shown.map { row[$0] } }
    var formatter = format.formatter(ofFacts: rows, in: columns, style: style)
    formatter.begin(into: &out)
    try formatter.append(facts: rows, width: columns.count, shortensIDs: shortensIDs, into: &out)
    formatter.end(into: &out)
  }
}

extension RowFormat {
  /// Returns a formatter for the values of `Facts`. A column is numeric if it contains a number, and its other values
  /// are numbers or missing.
  func formatter(
    ofFacts rows: [[JSONValue?]], in columns: [String], style: RowStyle
  ) -> any RowFormatter {
    let shape = RowShape(
      columns: columns.enumerated().map { index, name in
        let isNumeric =
          rows.contains { $0[index]?.isNumber == true }
          && rows.allSatisfy { $0[index]?.isNumber ?? true || $0[index]?.isNull == true }
        return .init(name: name, content: isNumeric ? .decimal : .text)
      })
    return formatter(for: shape, style: style)
  }
}

extension RowFormatter {
  mutating func append(
    facts rows: [[JSONValue?]], width: Int, shortensIDs: Bool, into out: inout ByteBuffer
  ) throws {
    let batch = PackedRows(width: width)
    for row in rows {
      for (index, value) in row.enumerated() {
        batch.nextCells[index] = batch.cell(for: value, shortensIDs: shortensIDs)
      }
      batch.commitRow()
      guard batch.isFull else { continue }
      try append(batch, into: &out)
      batch.removeAll()
    }
    try append(batch, into: &out)
  }
}

extension PackedRows {
  /// Returns the value as a text cell. Numbers are text, too, so that their digits aren't changed.
  fileprivate func cell(for value: JSONValue?, shortensIDs: Bool) -> Cell {
    guard let value, !value.isNull else { return .null }
    var text = value.flatText
    if shortensIDs, value.holdsObjectIDs { text = ObjectIDText.short(text) }
    return text.withUTF8 { cell(.text, $0.baseAddress, count: $0.count) }
  }
}

extension JSONValue {
  var isNumber: Bool {
    if case .number = content { true } else { false }
  }

  /// Whether the value is an object ID or a list of object IDs.
  fileprivate var holdsObjectIDs: Bool {
    switch content {
    case .string(let text): text.hasPrefix(ObjectIDText.scheme) && !text.contains(" ")
    case .array(let elements): elements.allSatisfy(\.holdsObjectIDs)
    case .null, .boolean, .number, .object: false
    }
  }

  /// Whether the value is a list of objects, which is shown as a table.
  fileprivate var isTable: Bool {
    guard case .array(let elements) = content, case .object? = elements.first?.content else {
      return false
    }
    return true
  }

  /// The value as the text of one cell.
  var flatText: String {
    switch content {
    case .null: return ""
    case .boolean(let flag): return flag ? "true" : "false"
    case .number(let text), .string(let text): return text
    case .array(let elements):
      return elements.map { element in
        guard case .object(let members) = element.content else { return element.flatText }
        return members.map(\.value.flatText).joined(separator: " ")
      }.joined(separator: ", ")
    case .object(let members):
      return members.map { "\($0.key)=\($0.value.flatText)" }.joined(separator: " ")
    }
  }

  /// Returns all values that aren't objects or lists of objects, with their paths, such as `entities.0.name`.
  fileprivate func leaves(_ path: String = "") -> [(path: String, value: JSONValue)] {
    func join(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
    switch content {
    case .object(let members): return members.flatMap { $0.value.leaves(join($0.key)) }
    case .array(let elements) where isTable:
      return elements.enumerated().flatMap { $1.leaves(join("\($0)")) }
    case .array, .null, .boolean, .number, .string: return [(path, self)]
    }
  }
}

extension String {
  fileprivate func trimmingTrailingSpaces() -> String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}

/// The values that a command prints as a table or as JSON, depending on `--format`, such as the properties of a model.
///
/// A type whose name ends in `Facts` contains or creates such values. The order of its properties is the order in the
/// output. The rows of a store aren't facts: they are printed by a `RowFormatter` without conversion to JSON values.
enum Facts {
  /// Objects of one type, which are the rows of a table. The columns are specified, because the list may be empty.
  case records(columns: [String], [any Encodable])
  /// One object, whose properties can be single values and lists of objects.
  case page(any Encodable)

  /// Whether the list is empty.
  var isEmpty: Bool {
    if case .records(_, let records) = self { records.isEmpty } else { false }
  }
}
