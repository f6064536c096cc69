import StoreDiagnostics

/// The devices of Xcode's simulator, each in its own folder.
struct Simulators {
  /// The environment variable with the folder of devices.
  static let variable = "STORETOOL_SIMULATORS"

  private let root: LocalPath
  let devices: [Simulator]

  /// - Parameter root: The folder of devices. If it is nil, the folder is `STORETOOL_SIMULATORS`, or Xcode's folder if
  ///   this variable isn't set.
  /// - Throws: `SimulatorError` if the folder doesn't exist, or if it or the property list of a device can't be read.
  init(root: LocalPath? = nil) throws(SimulatorError) {
    let usual = LocalPath(variable: "HOME").map {
      $0.appending("Library/Developer/CoreSimulator/Devices")
    }
    let chosen = root ?? LocalPath(variable: Self.variable) ?? usual
    guard let chosen, chosen.kind == .folder else {
      if let root { throw .noRoot(root) }
      throw .noFolder(chosen)
    }
    self.root = chosen
    var devices: [Simulator] = []
    for name in try SimulatorList.names(in: chosen) {
      if let device = try Simulator(at: chosen.appending(name)) { devices.append(device) }
    }
    self.devices = devices.sorted { ($0.name, $0.udid) < ($1.name, $1.udid) }
  }

  /// Returns the containers of an app or an app group on all devices.
  ///
  /// - Parameter id: The identifier of the app or group; nil for all containers.
  /// - Throws: `SimulatorError.unknown` if no device has the app or group, or another `SimulatorError`.
  func containers(of id: String? = nil) throws(SimulatorError) -> [SimulatorContainer] {
    var all: [SimulatorContainer] = []
    for device in devices { all += try device.containers() }
    guard let id else { return all }
    let found = all.filter { $0.id.isExactly(id) }
    guard !found.isEmpty else {
      throw .unknown(id, root: root, known: Set(all.map(\.id)).sorted())
    }
    return found
  }

  /// Returns the stores of an app or an app group. If booted devices have stores of it, other devices are skipped.
  ///
  /// - Throws: `SimulatorError`, or `DiagnosticError`.
  func stores(of id: String) throws -> [LocalPath] {
    let containers = try containers(of: id)
    let having = try containers.map { (device: $0.simulator, stores: try $0.stores()) }
      .filter { !$0.stores.isEmpty }
    guard !having.isEmpty else {
      let devices = Set(containers.map(\.simulator))
      let groups = try self.containers().filter {
        try $0.kind == .group && devices.contains($0.simulator) && !$0.stores().isEmpty
      }
      throw SimulatorError.noStore(id, groups: Set(groups.map(\.id)).sorted())
    }
    let booted = having.filter(\.device.isBooted)
    return (booted.isEmpty ? having : booted).flatMap(\.stores)
  }

  /// Returns the path of an installed app, preferably on a booted device; nil if it isn't installed on any device.
  ///
  /// - Throws: `SimulatorError` if a folder or a property list can't be read.
  func app(_ id: String) throws(SimulatorError) -> LocalPath? {
    for device in devices.filter(\.isBooted) + devices.filter({ !$0.isBooted }) {
      if let app = try device.app(id) { return app }
    }
    return nil
  }
}

/// The reason why a store of a simulator wasn't found.
enum SimulatorError: Error, Hashable {
  /// The folder of devices doesn't exist. The path is nil if the home folder is unknown.
  case noFolder(LocalPath?)
  /// The folder that the user specifies doesn't exist.
  case noRoot(LocalPath)
  /// A property list can't be read or decoded.
  case unreadable(LocalPath)
  /// A folder can't be read. macOS may protect the folders of apps.
  case unreadableFolder(LocalPath, reason: String)
  case unknown(String, root: LocalPath, known: [String])
  /// The app or group has no store.
  ///
  /// - Parameter groups: The app groups with stores on the same devices.
  case noStore(String, groups: [String])
}

extension SimulatorError: DiagnosableError {
  var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noFolder(let path):
      DiagnosticMessage(
        .error, "simulator.none",
        "the folder of simulators doesn't exist\(path.map { ": '\($0)'" } ?? "")", cause: .notFound,
        help: [
          "install a simulator in Xcode, or set \(Simulators.variable) to a folder of devices"
        ])
    case .noRoot(let path):
      DiagnosticMessage(
        .error, "simulator.none", "the folder '\(path)' of --root doesn't exist", cause: .notFound)
    case .unreadable(let path):
      DiagnosticMessage(
        .error, "simulator.unreadable", "'\(path)' isn't a property list", cause: .invalid)
    case .unreadableFolder(let path, let reason):
      DiagnosticMessage(
        .error, "simulator.unreadable", "the folder '\(path)' can't be read: \(reason)",
        cause: .inputOutput)
    case .unknown(let id, let root, let known):
      DiagnosticMessage(
        .error, "simulator.unknown-app", "no simulator in '\(root)' has an app or group '\(id)'",
        cause: .notFound, help: ["'storetool simulators' lists the apps"]
      ).didYouMean(id, among: known)
    case .noStore(let id, let groups):
      DiagnosticMessage(
        .error, "simulator.no-store", "'\(id)' has no Core Data store", cause: .notFound,
        help: groups.map { "an app group has one: --simulator \($0)" })
    }
  }
}
