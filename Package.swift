// swift-tools-version: 6.2
import PackageDescription

// Only CI sets this variable, so that warnings of a newer compiler don't break a user's build.
let warnings: [SwiftSetting] =
  Context.environment["STORETOOL_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]
let settings =
  warnings + [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

// Only these traits require other packages.
let commandLine = TargetDependencyCondition.when(traits: ["CommandLine"])
let observation = TargetDependencyCondition.when(traits: ["StoreObservation"])

#if os(macOS)
  // The SDK contains the libraries. The build doesn't require pkg-config or Homebrew, even if Xcode builds the plugin.
  let libraries: [Target] = [
    // The SDK's headers of libxml2 include <libxml/…>. Only a C target can add that folder to the search path.
    .target(name: "CLibXML2", publicHeadersPath: "."),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CMessageDigest"),
    .systemLibrary(name: "CZLib"),
  ]
#else
  let libraries: [Target] = [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CMessageDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  ]
#endif

let package = Package(
  name: "storetool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "storetool", targets: ["storetool"]),
    // Each library includes the modules whose types occur in its public declarations.
    .library(name: "StoreModel", targets: ["StoreModel", "StorePredicate", "StoreDiagnostics"]),
    .library(
      name: "StoreModelReader", targets: ["StoreModelReader", "StoreModel", "StoreDiagnostics"]),
    .library(
      name: "StoreEngine",
      targets: ["StoreEngine", "StoreModel", "StorePredicate", "StoreDiagnostics"]),
    .library(
      name: "StoreMigration",
      targets: [
        "StoreMigration", "StoreEngine", "StoreModel", "StorePredicate", "StoreDiagnostics",
      ]),
    .library(
      name: "StoreSeeding",
      targets: ["StoreSeeding", "StoreEngine", "StoreModel", "StorePredicate", "StoreDiagnostics"]),
    .library(
      name: "StoreImport",
      targets: ["StoreImport", "StoreEngine", "StoreModel", "StorePredicate", "StoreDiagnostics"]),
    .library(
      name: "StoreVerification",
      targets: [
        "StoreVerification", "StoreEngine", "StoreModel", "StorePredicate", "StoreDiagnostics",
      ]),
    .library(
      name: "StoreComparison",
      targets: [
        "StoreComparison", "StoreEngine", "StoreModel", "StorePredicate", "StoreDiagnostics",
      ]),
    // Only this library depends on the packages for logs, metrics and traces.
    .library(name: "StoreObservation", targets: ["StoreObservation"]),
    .plugin(name: "StoreModelPlugin", targets: ["StoreModelPlugin"]),
  ],
  // A package that uses storetool with `traits: []` doesn't resolve any of the dependencies.
  traits: [
    .trait(
      name: "CommandLine", description: "The program storetool, with ArgumentParser and swift-nio"),
    .trait(
      name: "StoreObservation",
      description: "The product StoreObservation, with swift-log, swift-metrics and tracing"),
    .default(enabledTraits: ["CommandLine", "StoreObservation"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
  ],
  targets: libraries + [
    // Each target may import only the targets in its list. docs/architecture.md describes the reasons.
    .systemLibrary(name: "CLinux"),
    .target(
      name: "StoreDiagnostics", swiftSettings: settings),
    .target(
      name: "StorePredicate",
      dependencies: ["StoreDiagnostics"], swiftSettings: settings),
    .target(
      name: "StoreModel",
      dependencies: ["StorePredicate", "StoreDiagnostics"], swiftSettings: settings),
    .target(
      name: "ModelArchives",
      dependencies: ["StoreModel", "StorePredicate", "StoreDiagnostics"], swiftSettings: settings),
    .target(
      name: "StoreModelReader",
      dependencies: [
        "CLibXML2", "ModelArchives", "StoreModel", "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "ModelTools",
      dependencies: ["StoreModel", "StorePredicate", "StoreDiagnostics", "StoreModelReader"],
      swiftSettings: settings),
    // The page of `browse`. Its files become part of the program.
    .target(
      name: "PageAssets", exclude: ["page"], swiftSettings: settings),
    .target(
      name: "PageServer",
      dependencies: [
        "PageAssets", .product(name: "NIOCore", package: "swift-nio", condition: commandLine),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio", condition: commandLine),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: commandLine),
        .product(name: "NIOPosix", package: "swift-nio", condition: commandLine),
      ], swiftSettings: settings),
    .target(
      name: "SQLiteAccess",
      dependencies: ["CSQLite", "StoreDiagnostics"], swiftSettings: settings),
    .target(
      name: "RecordFormats",
      dependencies: ["SQLiteAccess", "StoreModel", "StorePredicate", "StoreDiagnostics"],
      swiftSettings: settings),
    .target(
      name: "StoreLayout",
      dependencies: [
        "CZLib", "SQLiteAccess", "ModelArchives", "StoreModel", "StorePredicate",
        "StoreDiagnostics",
        .target(name: "CMessageDigest", condition: .when(platforms: [.linux])),
      ], swiftSettings: settings),
    .target(
      name: "PredicateSQL",
      dependencies: [
        "CSQLite", "SQLiteAccess", "StoreLayout", "RecordFormats", "StoreModel", "StorePredicate",
        "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreCore",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "RecordFormats", "PredicateSQL", "StoreModel",
        "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreEngine",
      dependencies: [
        "CSQLite", "SQLiteAccess", "StoreLayout", "RecordFormats", "PredicateSQL", "StoreCore",
        "StoreModel",
        "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreObservation",
      dependencies: [
        "StoreEngine", .product(name: "Logging", package: "swift-log", condition: observation),
        .product(name: "Metrics", package: "swift-metrics", condition: observation),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: observation),
      ], swiftSettings: settings),
    .target(
      name: "StoreSeeding",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "StoreEngine", "StoreCore", "ModelArchives", "StoreModel",
        "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreImport",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "RecordFormats", "PredicateSQL", "StoreEngine", "StoreCore",
        "StoreModel",
        "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreVerification",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "RecordFormats", "PredicateSQL", "StoreEngine", "StoreCore",
        "StoreModel", "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreComparison",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "RecordFormats", "PredicateSQL", "StoreEngine", "StoreCore",
        "StoreModel", "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreMigration",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "PredicateSQL", "StoreEngine", "StoreCore", "StoreSeeding",
        "StoreVerification", "StoreModel", "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreAnonymization",
      dependencies: [
        "SQLiteAccess", "StoreLayout", "StoreCore", "StoreVerification",
        "StoreModel",
        "StorePredicate", "StoreDiagnostics",
      ], swiftSettings: settings),
    .target(
      name: "StoreCodegen",
      dependencies: ["StoreModel", "StorePredicate", "StoreDiagnostics", "StoreModelReader"],
      swiftSettings: settings),
    // The plugin's tool. SwiftPM builds it and its dependencies a second time, so they are kept small.
    .executableTarget(
      name: "modelc",
      dependencies: ["StoreCodegen", "StoreModelReader", "StoreDiagnostics"],
      swiftSettings: settings),
    .plugin(
      name: "StoreModelPlugin", capability: .buildTool(), dependencies: ["modelc"]),
    .executableTarget(
      name: "storetool",
      dependencies: [
        "CLinux", "StoreCodegen", "StoreMigration", "StoreAnonymization", "StoreComparison",
        "StoreVerification", "StoreImport", "StoreSeeding", "StoreEngine", "StoreCore",
        "PredicateSQL",
        "RecordFormats", "StoreLayout", "SQLiteAccess", "StoreModelReader", "ModelTools",
        "StoreModel", "StorePredicate", "StoreDiagnostics", "ModelArchives", "PageServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commandLine),
      ], swiftSettings: settings),

    // A fuzzer of predicates. Scripts/fuzz runs it in CI, in parallel with the tests.
    .executableTarget(
      name: "PredicateFuzz",
      dependencies: [
        "StoreCore", "PredicateSQL", "StoreLayout", "SQLiteAccess", "StoreModel",
        "StorePredicate", "StoreDiagnostics", "SeededRandom", "FuzzSupport",
      ], path: "Tests/PredicateFuzz", swiftSettings: settings),
    // A fuzzer of stores. Scripts/mutate runs it.
    .executableTarget(
      name: "StoreFuzz",
      dependencies: ["PlainSQLite", "SeededRandom", "FuzzSupport", "StoreDiagnostics"],
      path: "Tests/StoreFuzz", exclude: ["Models"], swiftSettings: settings),
    // A fuzzer of archives. Scripts/fuzz-archives runs it.
    .executableTarget(
      name: "ArchiveFuzz",
      dependencies: [
        "ModelArchives", "StoreModelReader", "ModelTools", "StoreLayout", "StoreModel",
        "StoreDiagnostics", "SeededRandom", "FuzzSupport",
      ], path: "Tests/ArchiveFuzz", swiftSettings: settings),
    // A program that writes to a store. A test kills it during its transactions.
    .executableTarget(
      name: "StoreWriter",
      dependencies: ["StoreEngine", "StoreModelReader", "StorePredicate"],
      path: "Tests/StoreWriter", packageAccess: false, swiftSettings: settings),
    // A program that makes one call of StoreEngine. CostTests counts what it does.
    .executableTarget(
      name: "CostedCalls",
      dependencies: ["StoreEngine", "StoreModel"],
      path: "Tests/CostedCalls", packageAccess: false, swiftSettings: settings),
    // The arguments and the trace of the three fuzzers.
    .target(
      name: "FuzzSupport", path: "Tests/FuzzSupport", swiftSettings: settings),
    .target(
      name: "PlainSQLite",
      dependencies: ["CSQLite"], path: "Tests/PlainSQLite", swiftSettings: settings),
    .target(
      name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["StorePredicate"], path: "Tests/TestSupport", swiftSettings: settings),
    // Rules for the text of all sources.
    .testTarget(
      name: "HouseTests", dependencies: ["storetool"], exclude: ["AppleTypeNames.txt"],
      swiftSettings: settings),
    // The cost of commands and calls: statements, SQLite's steps, reads, writes and syncs.
    .testTarget(
      name: "CostTests", dependencies: ["CSQLite", "storetool", "CostedCalls", "TestSupport"],
      exclude: ["CostProbe.c", "Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreDiagnosticsTests",
      dependencies: ["TestSupport", "StoreDiagnostics"], swiftSettings: settings),
    .testTarget(
      name: "StorePredicateTests",
      dependencies: ["StorePredicate", "StoreDiagnostics", "SeededRandom", "TestSupport"],
      exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreModelTests",
      dependencies: ["StoreModel", "StorePredicate", "StoreDiagnostics"], swiftSettings: settings),
    .testTarget(
      name: "ModelArchivesTests",
      dependencies: [
        "ModelArchives", "TestSupport", "StoreLayout", "SQLiteAccess", "StoreModelReader",
        "ModelTools", "StoreModel", "StorePredicate", "StoreDiagnostics", "SeededRandom",
      ], exclude: ["CompiledModels/Encoding/Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreModelReaderTests",
      dependencies: [
        "StoreModelReader", "StoreModel", "StorePredicate", "StoreDiagnostics", "SeededRandom",
        "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "ModelToolsTests",
      dependencies: [
        "ModelTools", "StoreModelReader", "StoreLayout", "StoreModel", "StorePredicate",
        "StoreDiagnostics", "SeededRandom", "TestSupport",
      ], exclude: ["Writing/Fixtures", "Merging/Fixtures", "Documents/Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "StoreCodegenTests",
      dependencies: [
        "StoreCodegen", "StoreLayout", "StoreModelReader", "StoreModel", "StoreDiagnostics",
        "TestSupport",
      ], exclude: ["Fixtures", "Models", "Stubs"], swiftSettings: settings),
    // Models, graphs, input and in-memory databases for the tests of StoreLayout and of the targets that depend on it.
    .target(
      name: "SampleData",
      dependencies: [
        "StoreDiagnostics", "PredicateSQL", "RecordFormats", "StoreLayout", "SQLiteAccess",
        "StoreModel", "StorePredicate", "SeededRandom", "TestSupport",
      ], path: "Tests/SampleData", swiftSettings: settings),
    // Complete stores on disk for the tests of StoreEngine and of the targets that depend on it.
    .target(
      name: "StoreTestSupport",
      dependencies: [
        "StoreDiagnostics", "StoreImport", "StoreCore", "PredicateSQL",
        "RecordFormats",
        "StoreLayout", "SQLiteAccess", "StoreModelReader", "StoreModel", "StorePredicate",
        "SampleData", "PlainSQLite", "TestSupport",
      ], path: "Tests/StoreTestSupport", swiftSettings: settings),
    .testTarget(
      name: "SQLiteAccessTests",
      dependencies: [
        "SQLiteAccess", "StoreDiagnostics", "CSQLite", "PlainSQLite", "SeededRandom", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "RecordFormatsTests",
      dependencies: [
        "RecordFormats", "SQLiteAccess", "StoreModel", "StoreDiagnostics", "SampleData",
        "SeededRandom", "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreLayoutTests",
      dependencies: [
        "StoreLayout", "StoreModelReader", "StoreModel", "TestSupport", "StorePredicate",
        "SQLiteAccess", "ModelArchives", "StoreDiagnostics", "SampleData", "SeededRandom",
        "StoreCore", "StoreTestSupport", "PlainSQLite",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "PageServerTests",
      dependencies: ["PageServer"], swiftSettings: settings),
    .testTarget(
      name: "PredicateSQLTests",
      dependencies: [
        "PredicateSQL", "StoreLayout", "SQLiteAccess", "StoreModelReader", "StoreModel",
        "StorePredicate", "StoreDiagnostics", "SampleData", "SeededRandom", "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreEngineTests",
      dependencies: [
        "StoreEngine", "StoreCore", "PredicateSQL", "RecordFormats", "StoreLayout", "SQLiteAccess",
        "StoreModel",
        "StorePredicate", "StoreDiagnostics", "SampleData", "StoreTestSupport", "PlainSQLite",
        "SeededRandom", "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreImportTests",
      dependencies: [
        "StoreImport", "StoreCore", "PredicateSQL", "RecordFormats", "StoreLayout",
        "SQLiteAccess", "StoreModel", "StorePredicate", "StoreDiagnostics", "CSQLite", "SampleData",
        "StoreTestSupport", "SeededRandom", "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreSeedingTests",
      dependencies: [
        "StoreSeeding", "StoreVerification", "StoreImport", "StoreCore",
        "StoreLayout",
        "SQLiteAccess", "StoreModel", "StorePredicate", "StoreDiagnostics", "StoreTestSupport",
        "SeededRandom",
      ], swiftSettings: settings),
    .testTarget(
      name: "StoreAnonymizationTests",
      dependencies: [
        "StoreAnonymization", "StoreVerification", "StoreCore", "StoreLayout",
        "SQLiteAccess",
        "StoreModel", "StorePredicate", "StoreDiagnostics", "SampleData", "StoreTestSupport",
        "PlainSQLite", "SeededRandom", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "StoreVerificationTests",
      dependencies: [
        "StoreVerification", "StoreImport", "StoreCore", "RecordFormats",
        "StoreLayout",
        "SQLiteAccess", "StoreModel", "StorePredicate", "StoreDiagnostics", "SampleData",
        "StoreTestSupport", "PlainSQLite", "SeededRandom", "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "StoreComparisonTests",
      dependencies: [
        "StoreDiagnostics", "StoreComparison", "StoreCore", "RecordFormats",
        "StoreLayout",
        "SQLiteAccess", "StoreModel", "StorePredicate", "SampleData", "StoreTestSupport",
        "SeededRandom", "TestSupport",
      ], swiftSettings: settings),
    // Tests that see only `public` declarations, like another package, and the code generated from the sample models.
    .testTarget(
      name: "StoreAPITests",
      dependencies: [
        "StoreMigration", "StoreSeeding", "StoreVerification", "StoreComparison", "StoreImport",
        "StoreEngine", "StoreModelReader", "StoreModel", "StorePredicate", "StoreDiagnostics",
        "StoreObservation", "SeededRandom", "StoreWriter", "TestSupport",
      ], packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "StoreObservationTests",
      dependencies: [
        "StoreObservation", "StoreEngine", "StoreModelReader", "StoreModel", "StorePredicate",
        "TestSupport", .product(name: "Logging", package: "swift-log", condition: observation),
        .product(name: "InMemoryLogging", package: "swift-log", condition: observation),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: observation),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: observation),
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing", condition: observation),
      ], packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: [
        "StoreMigration", "StoreVerification", "StoreImport", "RecordFormats", "StoreLayout",
        "SQLiteAccess", "StoreCore", "StoreSeeding", "StoreModelReader",
        "StoreModel",
        "StorePredicate", "StoreDiagnostics", "SampleData", "StoreTestSupport", "PlainSQLite",
        "SeededRandom", "TestSupport",
      ], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "StoreDiagnostics", "SeededRandom", "TestSupport", "PlainSQLite", "storetool",
        "SQLiteAccess", "StoreCore", "StoreLayout", "StoreMigration",
        "StoreModelReader",
        "StoreModel", "RecordFormats", "SampleData",
      ], exclude: ["Scenarios", "Faults", "Fixtures"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
