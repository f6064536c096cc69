import StoreDiagnostics

/// The facts of `simulators`.
enum SimulatorFacts {
  private struct Record: Encodable {
    let device, system: String
    let booted: Bool
    let udid, kind, id: String
    let store: FilePath?
  }

  static func all(of containers: [SimulatorContainer]) throws -> Facts {
    let records = try containers.flatMap { container in
      let stores = try container.stores()
      let isTold = container.kind == .app && !container.id.hasPrefix("com.apple.")
      let listed: [FilePath?] = stores.isEmpty && isTold ? [nil] : stores
      let simulator = container.simulator
      return listed.map { store in
        Record(
          device: simulator.name, system: simulator.system, booted: simulator.isBooted,
          udid: simulator.udid, kind: container.kind.rawValue, id: container.id, store: store)
      }
    }
    return .records(
      columns: ["device", "system", "booted", "udid", "kind", "id", "store"], records)
  }
}
