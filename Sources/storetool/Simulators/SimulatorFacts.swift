import RecordFormats
import StoreDiagnostics

/// The facts of `simulators`.
enum SimulatorFacts {
  static let columns = ["device", "system", "booted", "udid", "kind", "id", "store"]

  static func all(of containers: [SimulatorContainer]) throws -> Facts {
    .records(
      columns: columns,
      try containers.flatMap { container in
        let stores = try container.stores()
        let isTold = container.kind == .app && !container.id.hasPrefix("com.apple.")
        let listed: [FilePath?] = stores.isEmpty && isTold ? [nil] : stores
        return listed.map { facts(of: container, $0) }
      })
  }

  private static func facts(of container: SimulatorContainer, _ store: FilePath?) -> JSONValue {
    var object = FactObject()
    object.add("device", container.simulator.name)
    object.add("system", container.simulator.system)
    object.add("booted", container.simulator.isBooted)
    object.add("udid", container.simulator.udid)
    object.add("kind", container.kind.rawValue)
    object.add("id", container.id)
    object.add("store", store)
    return object.value
  }
}
