import Foundation
import PlainSQLite
import TestSupport
import Testing

/// A folder with many small stores of all versions of the sample models. Some stores can't be processed.
struct FleetFolder {
  let samples: SampleFolder
  /// The original of each store.
  private(set) var origins: [String] = []

  static let stores = "Stores"

  /// Among this number of stores, one is damaged, and one belongs to an unavailable model.
  private static let spoiledEvery = 40

  /// - Parameters:
  ///   - count: the number of stores.
  ///   - isSpoiled: whether some stores fail.
  ///   - model: the only model, all of whose versions can be migrated, or nil for all models.
  init(count: Int, isSpoiled: Bool = false, of model: String? = nil) throws {
    samples = try SampleFolder()
    let templates = try makeTemplates().filter { $0.hasPrefix("templates/\(model ?? "")") }
    let folder = URL(fileURLWithPath: samples.folder.path(Self.stores))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<count {
      var origin = templates[number % templates.count]
      if isSpoiled, number % Self.spoiledEvery == 7 { origin = Self.damaged }
      if isSpoiled, number % Self.spoiledEvery == 23 { origin = Self.unknown }
      origins.append(origin)
      try FileManager.default.copyItem(
        atPath: samples.folder.path(origin), toPath: path(number))
    }
  }

  private static let damaged = "templates/damaged.sqlite"
  private static let unknown = "templates/unknown.sqlite"

  /// Returns the path relative to the folder, as in the arguments of commands.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "\(stores)/\(String(repeating: "0", count: 5 - digits.count))\(digits).sqlite"
  }

  func path(_ number: Int) -> String { samples.folder.path(Self.name(number)) }

  /// Creates a store of each version with some rows.
  private func makeTemplates() throws -> [String] {
    try samples.expect(
      """
      mkdir templates
      for bundle in Models/*.xcdatamodeld; do for version in "$bundle"/*.xcdatamodel; do
        name=$(basename "$version" .xcdatamodel)
        storetool create "templates/$name.sqlite" --model "$bundle" --model-version "$name"
      done; done
      """)
    let names = try FileManager.default
      .contentsOfDirectory(atPath: samples.folder.path("templates")).sorted()
      .map { "templates/\($0)" }
    for name in names {
      try fill(name)
      // Without a `-wal`, each copy needs only one file.
      try PlainDatabase(samples.folder.path(name)).execute("PRAGMA journal_mode = DELETE")
    }
    try samples.folder.write("not a store", to: Self.damaged)
    try samples.expect(
      """
      mkdir away; cp -r Models/Todo.xcdatamodeld away/
      sed -i.old 's/name="Item"/name="Thing"/' away/*/*/contents
      storetool create \(Self.unknown) --model away/Todo.xcdatamodeld; rm -r away
      """)
    return names
  }

  /// Inserts rows of the first entity that allows it.
  private func fill(_ store: String) throws {
    let facts = try samples.expect("storetool info '\(store)' --format json")
    let page = try JSONSerialization.jsonObject(with: Data(facts.utf8)) as? [String: Any]
    let entities = (page?["entities"] as? [[String: Any]] ?? [])
      .compactMap { $0["name"] as? String }
    let isFilled = try entities.contains { entity in
      let line = "storetool seed '\(entity)=3' --seed 3 --store '\(store)'"
      return try samples.shell.run(line).status == 0
    }
    #expect(isFilled, "\(store)")
  }
}
