import Foundation
import PlainSQLite
import TestSupport
import Testing

/// A folder with many small stores of all versions of the sample models, and some that nothing can be done with.
struct FleetFolder {
  let samples: SampleFolder
  /// The original of each store.
  private(set) var origins: [String] = []

  static let stores = "Stores"

  /// Every so many stores one is damaged, and one is of a model that is not here.
  private static let spoiledEvery = 40

  /// - Parameters:
  ///   - count: how many stores.
  ///   - isSpoiled: whether there are some that fail.
  ///   - model: the only one, all of whose versions can be migrated; nil for all models.
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

  /// Relative to the folder, as commands are given it.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "\(stores)/\(String(repeating: "0", count: 5 - digits.count))\(digits).sqlite"
  }

  func path(_ number: Int) -> String { samples.folder.path(Self.name(number)) }

  /// A store of each version with some rows.
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
      // One file is enough to copy.
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

  /// Rows of the first entity that can have some.
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
