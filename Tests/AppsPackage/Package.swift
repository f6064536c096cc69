// swift-tools-version: 6.2
import PackageDescription

// Code as in apps, in three modes of the compiler. Scripts/test-outside copies the sources of Apps into AppsSwift5 and
// AppsMainActor, and the model of Tests/OutsidePackage into TeaModels and AppsMainActor.
let engine = Target.Dependency.product(name: "StoreEngine", package: "storetool")
let plugin = Target.PluginUsage.plugin(name: "StoreModelPlugin", package: "storetool")

let package = Package(
  name: "Apps",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../storetool", traits: [])],
  targets: [
    .target(
      name: "TeaModels",
      dependencies: [.product(name: "StoreModel", package: "storetool")],
      exclude: ["Customers.xcdatamodeld", "Tea.xcdatamodeld", "storetool-generate.json"],
      plugins: [plugin]),
    .target(
      name: "NounModels",
      dependencies: [.product(name: "StoreModel", package: "storetool")],
      exclude: ["Nouns.xcdatamodeld", "storetool-generate.json"],
      plugins: [plugin]),
    .executableTarget(name: "Apps", dependencies: ["TeaModels", "NounModels", engine]),
    .target(
      name: "AppsSwift5", dependencies: ["TeaModels", "NounModels", engine],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "AppsMainActor", dependencies: [engine],
      exclude: [
        "Customers.xcdatamodeld", "Nouns.xcdatamodeld", "Tea.xcdatamodeld",
        "storetool-generate.json",
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)], plugins: [plugin]),
  ]
)
