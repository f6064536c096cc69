// swift-tools-version: 6.2
import PackageDescription

// Scripts/stress builds this package with a sanitizer. It generates the types of Models/Journal.xcdatamodeld first.
let package = Package(
  name: "Stress",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "storetool", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Stress",
      dependencies: [.product(name: "StoreMigration", package: "storetool")])
  ]
)
