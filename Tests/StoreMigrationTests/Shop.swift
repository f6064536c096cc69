import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate

@testable import StoreMigration

/// The two versions of a shop's model in `Fixtures/shop-2.xml` and `Fixtures/shop-3.xml`.
enum Shop {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static func pairing() throws -> ModelPairing {
    ModelPairing(from: try model("shop-2", "Shop 2"), to: try model("shop-3", "Shop 3"))
  }

  private static func model(_ file: String, _ name: String) throws -> DataModel {
    let url = fixtures.appendingPathComponent("\(file).xml")
    let source = XMLSource(file: "\(file).xml", bytes: Array(try Data(contentsOf: url)))
    return try ModelReading.read(source, name: name).model
  }

  static func definition(_ xml: String, file: String = "Shop 2--Shop 3.xml") throws
    -> MigrationDefinition
  {
    try MigrationDefinition(reading: XMLSource(file: file, bytes: Array(xml.utf8)))
  }

  /// Returns the mapping of a definition between the two versions. The root element can be omitted.
  static func mapping(_ xml: String) throws -> ModelMapping {
    let whole =
      xml.contains("<migration")
      ? xml : "<migration from=\"Shop 2\" to=\"Shop 3\">\n\(xml)\n</migration>"
    return try MappingInference.infer(try pairing(), with: definition(whole))
  }
}

extension EntityMapping {
  /// Describes the mapping as `Person → Customer where …`, with each property that isn't a copy of the same name.
  var summary: String {
    var lines = ["\(source) → \(target)" + (filter.map { " where \($0.predicate)" } ?? "")]
    for (name, origin) in attributes.sorted(by: { $0.key < $1.key }) {
      guard origin != AttributeOrigin(.attribute(name)), origin != .nothing else { continue }
      let value: String =
        switch origin.source {
        case .nothing: "nil"
        case .attribute(let source): "attribute \(source)"
        case .expression(let typed): typed.expression.format
        }
      lines.append("  \(name) = \(value)" + (origin.fallback.map { " ?? \($0)" } ?? ""))
    }
    for (name, origin) in relationships.sorted(by: { $0.key < $1.key }) {
      switch origin {
      case .nothing: continue
      case .relationship(let source): lines.append("  \(name) → relationship \(source)")
      case .path(let path): lines.append("  \(name) → \(path.expression)")
      case .matching(let typed): lines.append("  \(name) → rows where \(typed.match.written)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
