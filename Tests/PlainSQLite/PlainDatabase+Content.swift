extension PlainDatabase {
  /// Returns the whole content as lines: the schema, then each row of each table with the types of its values.
  public func content() throws -> [String] {
    var lines: [String] = []
    let schema = try rows("SELECT type, name, sql FROM sqlite_master ORDER BY name, type")
    for object in schema {
      lines.append(object.map { $0 ?? "-" }.joined(separator: " "))
      guard object[0] == "table", let name = object[1] else { continue }
      let columns = try texts("SELECT name FROM pragma_table_info('\(name)')")
        .map { "typeof(\"\($0)\") || ' ' || quote(\"\($0)\")" }
      let found = try rows("SELECT \(columns.joined(separator: ", ")) FROM \"\(name)\"")
      lines += found.map { "\(name): " + $0.map { $0 ?? "-" }.joined(separator: ", ") }.sorted()
    }
    return lines
  }
}
