// swift-tools-version: 6.2
import PackageDescription

// Only CI sets this variable, so that warnings of a newer compiler don't break a user's build.
let settings: [SwiftSetting] =
  Context.environment["STORETOOL_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let package = Package(
  name: "TeaServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "storetool", path: "../.."),
    // The traits exclude Hummingbird's support for configuration. The server uses command-line options instead.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0",
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "TeaServer",
      dependencies: [
        .product(name: "StoreEngine", package: "storetool"),
        .product(name: "StoreMigration", package: "storetool"),
        .product(name: "StoreObservation", package: "storetool"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      exclude: ["Models", "storetool-generate.json"],
      swiftSettings: settings,
      plugins: [.plugin(name: "StoreModelPlugin", package: "storetool")]),
    .testTarget(
      name: "TeaServerTests", dependencies: ["TeaServer"], swiftSettings: settings),
  ]
)
