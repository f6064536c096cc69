import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing

@testable import StoreLayout
@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore

/// An input has the same meaning everywhere: as the argument of a template, as the new value of an update or insert, as
/// a field of CSV or JSON, as a value in a program, and in a comparison with the attribute.
struct ValueAgreementTests {
  private static let types = AttributeType.named.map(\.type).filter { $0 != .objectID }

  static let texts = [
    "", "0", "1", "-0", "+1", "5", "-5", " 5", "5 ", "5.5", "5.0", ".5", "1e3", "32768",
    "2147483648",
    "9223372036854775807", "9223372036854775808", "0.1", "3.5e38", "1e39", "1e400", "-1e400",
    "0x10",
    "NaN", "nan", "inf", "Infinity", "-Infinity", "true", "TRUE", "false", "yes", "No", "on", "ja",
    "2001-01-01", "2001-01-01T00:01:00Z", "2001-13-01", "2001-01-01 00:01", "now",
    "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "6F9619FF",
    "AAEC", "AAE=", "AAE", "AAF=", "A", "?", "=", "https://example.org", "ä",
    "x-coredata:///Item/p1",
  ]

  private let layout: StoreLayout
  private let model: DataModel

  init() {
    let attributes = Self.types.map {
      AttributeDescription(name: Self.name($0), type: $0, isOptional: true)
    }
    let templates = Self.types.compactMap { type -> FetchRequestTemplate? in
      let predicate = FormatPredicate.comparison(
        FormatComparison(.keyPath(Self.name(type)), .equal, FormatExpression(.variable("V"))))
      return FetchRequestTemplate(
        name: Self.name(type), entity: "Item", predicateText: PredicateText(predicate.format),
        predicate: predicate)
    }
    model = DataModel(
      name: "Values", entities: [EntityDescription(name: "Item", attributes: attributes)],
      templates: templates)
    layout = StoreLayout(model: model)
  }

  private static func name(_ type: AttributeType) -> String {
    "a" + type.name.filter { $0 != " " }
  }

  // MARK: Inputs

  /// The value that an input results in.
  private enum Meaning: Hashable, CustomStringConvertible {
    case refused
    case null
    case number(Double)
    case whole(Int64)
    case other(SQLiteValue)

    init(_ value: SQLiteValue) {
      self =
        switch value {
        case .null: .null
        case .integer(let number): .whole(number)
        // Equal numbers have the same meaning.
        case .real(let number): Int64(exactly: number).map { .whole($0) } ?? .number(number)
        case .text, .blob: .other(value)
        }
    }

    /// - Parameter value: throws only if the value is refused.
    init(of value: () throws -> SQLiteValue) {
      do {
        self.init(try value())
      } catch {
        self = .refused
      }
    }

    var description: String {
      switch self {
      case .refused: "refused"
      case .null: "NULL"
      case .number(let number): "\(number)"
      case .whole(let number): "\(number)"
      case .other(let value): "\(value)"
      }
    }
  }

  /// Returns the meaning in `apply-template T V=text`.
  private func asArgument(_ text: String, _ type: AttributeType) -> Meaning {
    Meaning {
      let request = try TemplateArguments(["V=\(text)"])
        .request(forTemplate: Self.name(type), in: model) { _, _ in throw DiagnosticError([]) }
      guard case .comparison(let comparison)? = request.predicate,
        case .constant(let value) = comparison.right.kind
      else { throw DiagnosticError([]) }
      return SQLiteValue(value)
    }
  }

  /// Returns the meaning in `batch-update Item name=text`, or `name:=expression`.
  private func asUpdate(_ assignment: String) -> Meaning {
    Meaning {
      let (update, texts) = try UpdateAssignments([assignment])
        .update(of: "Item", in: layout) { _, _ in throw DiagnosticError([]) }
      let plan = try update.plan(in: layout, storeUUID: nil, texts: texts)
      guard case .value(let value)? = plan.columns.first?.value.segments.first else {
        throw DiagnosticError([])
      }
      return value
    }
  }

  /// Returns the meaning as a field of a record, or in `insert Item name=text`.
  private func asField(_ value: FieldValue, _ type: AttributeType) -> Meaning {
    Meaning {
      try encoded(type) { encoder, field, rows in try encoder.set(field, to: value, in: rows) }
    }
  }

  /// Returns the meaning as a value in a program.
  private func asValue(_ value: DataValue, _ type: AttributeType) -> Meaning {
    Meaning {
      try encoded(type) { encoder, field, rows in
        try encoder.set(field, toTyped: value, in: rows)
      }
    }
  }

  private func encoded(
    _ type: AttributeType, _ set: (inout RowEncoder, Int, PackedRows) throws -> Void
  ) throws -> SQLiteValue {
    let plan = try InsertPlan(entity: "Item", in: layout)
    var encoder = RowEncoder(plan, store: nil)
    let rows = PackedRows(width: plan.width)
    encoder.beginRecord(in: rows)
    let field = try #require(plan.fields.firstIndex { $0.name == Self.name(type) })
    try set(&encoder, field, rows)
    let cell = rows.nextCells[plan.fields[field].cell]
    let bytes = rows.bytes(of: cell)
    return switch cell.kind {
    case .null: .null
    case .integer: .integer(cell.integer)
    case .real: .real(cell.real)
    case .text: .text(String(decoding: bytes, as: UTF8.self))
    case .blob: .blob(Array(bytes))
    }
  }

  /// Returns the meaning in `name == value`.
  private func asComparison(_ value: DataValue, _ type: AttributeType) -> Meaning {
    Meaning {
      let predicate = FormatPredicate.comparison(
        FormatComparison(.keyPath(Self.name(type)), .equal, .value(value)))
      let checked = try PredicateChecker(model: model, entity: "Item").check(predicate)
      guard case .comparison(let comparison) = checked.typed,
        let constant = comparison.right.constant
      else { throw DiagnosticError([]) }
      return SQLiteValue(constant)
    }
  }

  // MARK: Agreement

  @Test(arguments: texts)
  func aTextMeansTheSameEverywhere(text: String) {
    for type in Self.types {
      var bytes = text
      let csv = bytes.withUTF8 { asField(.literal($0), type) }
      let json = bytes.withUTF8 { asField(.text($0), type) }
      #expect(json == csv, "JSON and CSV: '\(text)' for \(type)")
      #expect(asArgument(text, type) == csv, "argument and CSV: '\(text)' for \(type)")
      #expect(
        asUpdate("\(Self.name(type))=\(text)") == csv, "update and CSV: '\(text)' for \(type)")
      // A value that is too large for an attribute can still be compared with it. A Transformable is compared without a
      // conversion.
      if csv != .refused, type != .transformable {
        #expect(asComparison(.string(text), type) == csv, "comparison: '\(text)' for \(type)")
      }
    }
  }

  /// Values that neither JSON nor the predicate language writes as strings.
  static let values: [DataValue] = [
    .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(5), .integer(-1),
    .integer(32768), .integer(.max), .double(5.5), .double(0.1), .double(3.5e38), .double(1e39),
    .double(.infinity),
  ]

  @Test(arguments: values)
  func aNumberMeansTheSameEverywhere(value: DataValue) {
    for type in Self.types {
      let program = asValue(value, type)
      let source = FormatExpression.value(value).format
      #expect(
        json(value, type).map { $0 == program } ?? true, "JSON and a program: \(value) for \(type)")
      if value != .double(.infinity) {
        #expect(
          asUpdate("\(Self.name(type)):=\(source)") == program,
          "update and a program: \(value) for \(type)")
      }
      if program != .refused {
        #expect(asComparison(value, type) == program, "comparison: \(value) for \(type)")
      }
    }
  }

  /// Returns the meaning of the value in JSON; nil for values that JSON can't represent.
  private func json(_ value: DataValue, _ type: AttributeType) -> Meaning? {
    switch value {
    case .null: return asField(.null, type)
    case .boolean(let flag): return asField(.boolean(flag), type)
    case .integer, .double(-1e300...1e300):
      var digits = FormatExpression.value(value).format
      return digits.withUTF8 { asField(.number($0), type) }
    default: return nil
    }
  }

  /// A Boolean accepts true and false, and the numbers 1 and 0. In a comparison with a Boolean, a number is compared
  /// with the stored number.
  @Test func fiveIsNoBoolean() {
    #expect(asUpdate("aBoolean:=5") == .refused)
    #expect(asUpdate("aBoolean=5") == .refused)
    #expect(asArgument("5", .boolean) == .refused)
    #expect(asValue(.integer(5), .boolean) == .refused)
    #expect(asUpdate("aBoolean:=1") == .whole(1))
    #expect(asUpdate("aInteger16:=YES") == .refused)
    #expect(asComparison(.integer(5), .boolean) == .whole(5))
    #expect(asComparison(.string("5"), .boolean) == .refused)
    #expect(asComparison(.string("yes"), .boolean) == .whole(1))
  }
}
