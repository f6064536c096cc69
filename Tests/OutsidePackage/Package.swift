// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TeaShop",
  platforms: [.macOS(.v15)],
  // Without traits, storetool doesn't require any other package.
  dependencies: [.package(path: "../storetool", traits: [])],
  targets: [
    .executableTarget(
      name: "TeaShop",
      dependencies: [.product(name: "StoreEngine", package: "storetool")],
      exclude: ["Tea.xcdatamodeld"],
      plugins: [.plugin(name: "StoreModelPlugin", package: "storetool")]),
    .executableTarget(
      name: "Cellar",
      dependencies: [.product(name: "StoreMigration", package: "storetool")],
      exclude: ["Cellar.xcdatamodeld", "storetool-generate.json"],
      plugins: [.plugin(name: "StoreModelPlugin", package: "storetool")]),
  ]
)
