import StoreDiagnostics

/// The devices of Xcode's simulator, in a folder for each.
struct Simulators {
  static let variable = "STORETOOL_SIMULATORS"

  private let root: FilePath
  let devices: [Simulator]

  /// - Parameter root: the folder of devices. The default is `STORETOOL_SIMULATORS`, then Xcode's folder.
  /// - Throws: `SimulatorError`
  init(root: FilePath? = nil) throws(SimulatorError) {
    let usual = FilePath(variable: "HOME").map {
      $0.appending("Library/Developer/CoreSimulator/Devices")
    }
    let chosen = root ?? FilePath(variable: Self.variable) ?? usual
    guard let chosen, chosen.kind == .folder else { throw .noFolder(chosen) }
    self.root = chosen
    var devices: [Simulator] = []
    for name in try SimulatorList.names(in: chosen) {
      if let device = try Simulator(at: chosen.appending(name)) { devices.append(device) }
    }
    self.devices = devices.sorted { ($0.name, $0.udid) < ($1.name, $1.udid) }
  }

  /// The containers of an app or a group, or of all.
  ///
  /// - Throws: `SimulatorError`: `unknown` where no device has the app or group.
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

  /// The stores of an app or a group. If booted devices have some, the stores of other devices are left out.
  ///
  /// - Throws: `SimulatorError`; what reading folders throws.
  func stores(of id: String) throws -> [FilePath] {
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

  /// The built app, where a device has it installed.
  ///
  /// - Throws: `SimulatorError`
  func app(_ id: String) throws(SimulatorError) -> FilePath? {
    for device in devices.filter(\.isBooted) + devices.filter({ !$0.isBooted }) {
      if let app = try device.app(id) { return app }
    }
    return nil
  }
}
