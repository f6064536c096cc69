// swift-tools-version: 6.2
import PackageDescription

// A separate package uses the products like any other package. Only the benchmarks depend on GRDB, for comparison.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "storetool", path: "..", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "EngineBenchmarks",
      dependencies: [
        .product(name: "StoreEngine", package: "storetool"),
        .product(name: "StoreModelReader", package: "storetool"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Sources",
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
