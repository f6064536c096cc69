/// A piece of SQL as a value: text that we wrote, names that are quoted, values that are bound.
///
///     let delete: SQL = "DELETE FROM \(name: table) WHERE \(name: column) = \(value: .integer(1))"
///
/// A plain string can't be put into it by interpolation, so no user's text ever becomes SQL.
package struct SQL: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    case text(String)
    case name(String)
    case value(SQLiteValue)
  }

  package private(set) var segments: [Segment]

  package init(segments: [Segment] = []) {
    self.segments = segments
  }

  /// A table's or a column's name, quoted where it is printed.
  package static func name(_ name: String) -> SQL { SQL(segments: [.name(name)]) }

  /// `alias.column`
  package static func name(_ alias: String, _ column: String) -> SQL {
    SQL(segments: [.name(alias), .text("."), .name(column)])
  }

  package static func value(_ value: SQLiteValue) -> SQL { SQL(segments: [.value(value)]) }

  package var isEmpty: Bool { segments.isEmpty }

  package static func + (left: SQL, right: SQL) -> SQL {
    SQL(segments: left.segments + right.segments)
  }

  package static func += (left: inout SQL, right: SQL) {
    left.segments += right.segments
  }
}

extension SQL: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    package var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      segments.reserveCapacity(interpolationCount * 2 + 1)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      guard literal.utf8CodeUnitCount > 0 else { return }
      segments.append(.text(literal.description))
    }

    package mutating func appendInterpolation(_ sql: SQL) {
      segments += sql.segments
    }

    package mutating func appendInterpolation(name: String) {
      segments.append(.name(name))
    }

    package mutating func appendInterpolation(value: SQLiteValue) {
      segments.append(.value(value))
    }
  }

  package init(stringLiteral literal: StaticString) {
    self.init(segments: literal.utf8CodeUnitCount == 0 ? [] : [.text(literal.description)])
  }

  package init(stringInterpolation: StringInterpolation) {
    self.init(segments: stringInterpolation.segments)
  }
}

extension Sequence<SQL> {
  /// Puts `separator` between the pieces.
  package func joined(_ separator: SQL) -> SQL {
    var result = SQL()
    for (index, piece) in enumerated() {
      if index > 0 { result += separator }
      result += piece
    }
    return result
  }
}
