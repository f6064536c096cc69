package import SQLiteAccess
import Synchronization

/// Rows as JSON: one object per line, an array of objects, or an array of sections.
package struct JSONRows: RowFormatter {
  package enum Layout: Hashable, Sendable {
    /// NDJSON.
    case lines
    case array
    /// `{"name": …, "rows": […], "count": n}` for each run of equal values in the first column.
    ///
    /// The count is the last member, because it is only known after the rows.
    case sections
  }

  private let shape: RowShape
  private let layout: Layout
  /// The key of each column as JSON: `{"name":` for the first column of an object, and `,"name":` for the others.
  private let keys: [[UInt8]]
  private var rowCount = 0
  /// The name of the open section as JSON, and the number of its rows so far.
  private var section: (name: [UInt8], count: Int)?

  package init(_ shape: RowShape, layout: Layout) {
    self.shape = shape
    self.layout = layout
    let first = layout == .sections ? 1 : 0
    keys = shape.columns.enumerated().map { index, column in
      var key = ByteBuffer(capacity: 64)
      key.append(UInt8(ascii: index <= first ? "{" : ","))
      key.append(json: column.name)
      key.append(UInt8(ascii: ":"))
      return Array(key.bytes)
    }
  }

  package mutating func begin(into out: inout ByteBuffer) {
    if layout != .lines { out.append("[") }
  }

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    for index in 0..<rows.count {
      let row = UnsafePointer(rows.cells(ofRow: index))
      if layout == .sections { try openSection(of: row, in: rows, into: &out) }
      switch layout {
      case .lines: break
      case .array: out.append(rowCount == 0 ? "\n" : ",\n")
      case .sections: out.append(section?.count == 1 ? "\n" : ",\n")
      }
      try appendObject(row, in: rows, into: &out)
      if layout == .lines { out.append(UInt8(ascii: "\n")) }
      rowCount += 1
    }
  }

  package mutating func end(into out: inout ByteBuffer) {
    switch layout {
    case .lines: return
    case .array: break
    case .sections: closeSection(into: &out)
    }
    out.append(rowCount == 0 ? "]\n" : "\n]\n")
  }

  private func appendObject(
    _ row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows, into out: inout ByteBuffer
  ) throws {
    let first = layout == .sections ? 1 : 0
    for column in first..<max(first, keys.count) {
      out.append(keys[column])
      try out.append(jsonOf: column, of: row, in: rows, shape)
    }
    if keys.count <= first { out.append("{") }
    out.append(UInt8(ascii: "}"))
  }

  private mutating func openSection(
    of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows, into out: inout ByteBuffer
  ) throws {
    var name = ByteBuffer(capacity: 64)
    try name.append(jsonOf: 0, of: row, in: rows, shape)
    let bytes = Array(name.bytes)
    guard section?.name != bytes else {
      section?.count += 1
      return
    }
    closeSection(into: &out)
    out.append(section == nil ? "\n" : ",\n")
    out.append("{\"name\":")
    out.append(bytes)
    out.append(",\"rows\":[")
    section = (bytes, 1)
  }

  private func closeSection(into out: inout ByteBuffer) {
    guard let section else { return }
    out.append("\n],\"count\":")
    out.append(decimal: Int64(section.count))
    out.append("}")
  }
}

/// Converts NDJSON to a JSON array. A line feed, which never occurs inside the JSON of a line, becomes the comma before
/// the next element.
package final class JSONArraySink: ByteSink {
  private enum Place {
    case beforeFirst, inElement, afterElement
  }

  private let target: any ByteSink
  private let place = Mutex(Place.beforeFirst)

  package init(_ target: any ByteSink) {
    self.target = target
  }

  package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var out = ByteBuffer(capacity: bytes.count + bytes.count / 16)
    place.withLock { place in
      var rest = bytes[...]
      while !rest.isEmpty {
        switch place {
        case .beforeFirst: out.append("[\n")
        case .inElement: break
        case .afterElement: out.append(",\n")
        }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        out.append(UnsafeBufferPointer(rebasing: line))
        place = line.count < rest.count ? .afterElement : .inElement
        rest = rest.dropFirst(line.count + 1)
      }
    }
    try target.write(out.bytes)
  }

  /// Closes the array.
  package func finish() throws {
    var out = ByteBuffer(capacity: 8)
    out.append(place.withLock { $0 } == .beforeFirst ? "[]\n" : "\n]\n")
    try target.write(out.bytes)
  }
}
