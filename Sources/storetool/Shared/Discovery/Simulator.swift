import ModelArchives
import StoreDiagnostics

/// A device of Xcode's simulator. The files of an app are in containers: folders with a random name, each with a
/// property list that contains the identifier of the app.
struct Simulator: Hashable {
  var name: String
  /// The name and version of the system, such as `iOS 18.2`, from the identifier of the runtime.
  var system: String
  var isBooted: Bool
  var udid: String
  private let path: LocalPath

  /// Creates a device from its folder; nil if it isn't the folder of a device.
  ///
  /// - Throws: `SimulatorError` for a damaged property list.
  init?(at path: LocalPath) throws(SimulatorError) {
    guard let file = try SimulatorList.read(DeviceFile.self, at: path.appending("device.plist"))
    else {
      return nil
    }
    self.path = path
    name = file.name
    udid = file.udid
    isBooted = file.state == DeviceFile.booted
    // com.apple.CoreSimulator.SimRuntime.iOS-18-2
    let parts = (file.runtime?.split(separator: ".").last ?? "").split(separator: "-", maxSplits: 1)
    system = parts.map { $0.replacing("-", with: ".") }.joined(separator: " ")
  }

  private struct DeviceFile: Decodable {
    static let booted = 3
    let name: String
    let udid: String
    let runtime: String?
    let state: Int?

    enum CodingKeys: String, CodingKey {
      case name, runtime, state
      case udid = "UDID"
    }
  }

  /// Returns the data containers of apps, and the shared containers of app groups.
  ///
  /// - Throws: `SimulatorError` if a folder or a property list can't be read.
  func containers() throws(SimulatorError) -> [SimulatorContainer] {
    var found: [SimulatorContainer] = []
    for kind in SimulatorContainer.Kind.allCases {
      for (id, folder) in try identified("Containers/\(kind.folder)") {
        found.append(SimulatorContainer(simulator: self, kind: kind, id: id, path: folder))
      }
    }
    return found
  }

  /// Returns the path of the installed app with a bundle identifier; nil if it isn't installed.
  ///
  /// - Throws: `SimulatorError` if a folder or a property list can't be read.
  func app(_ id: String) throws(SimulatorError) -> LocalPath? {
    for (other, folder) in try identified("Containers/Bundle/Application") where other.isExactly(id)
    {
      for name in try SimulatorList.names(in: folder) where name.hasSuffix(".app") {
        return folder.appending(name)
      }
    }
    return nil
  }

  /// Returns the containers in a folder, with the identifiers from their property lists.
  private func identified(
    _ folder: LocalPath
  ) throws(SimulatorError) -> [(id: String, folder: LocalPath)] {
    let folder = path.appending("data").appending(folder)
    var found: [(String, LocalPath)] = []
    for name in try SimulatorList.names(in: folder) {
      let container = folder.appending(name)
      let file = container.appending(".com.apple.mobile_container_manager.metadata.plist")
      if let id = try SimulatorList.read(ContainerFile.self, at: file)?.id {
        found.append((id, container))
      }
    }
    return found
  }

  private struct ContainerFile: Decodable {
    let id: String

    enum CodingKeys: String, CodingKey {
      case id = "MCMMetadataIdentifier"
    }
  }
}

/// The data container of an app, or the shared container of an app group, in a simulator.
struct SimulatorContainer: Hashable {
  enum Kind: String, CaseIterable {
    case app, group

    fileprivate var folder: String {
      switch self {
      case .app: "Data/Application"
      case .group: "Shared/AppGroup"
      }
    }
  }

  var simulator: Simulator
  var kind: Kind
  /// The identifier of the app or group, such as `com.example.Todo` or `group.com.example`.
  var id: String
  var path: LocalPath

  /// Returns the stores in the folder and its subfolders.
  func stores() throws -> [LocalPath] { try StoreAtHand.all(below: path).map(\.path) }
}

/// Functions that read files and folders of simulators. A missing file or folder isn't an error.
enum SimulatorList {
  /// Reads a property list.
  ///
  /// - Returns: The decoded property list; nil if the file doesn't exist.
  /// - Throws: `SimulatorError.unreadable` if the file can't be read or decoded.
  static func read<Value: Decodable>(
    _ type: Value.Type, at path: LocalPath
  ) throws(SimulatorError) -> Value? {
    guard path.kind == .file else { return nil }
    do {
      return try PropertyListReader.read(type, from: path.contents(limit: 1 << 20))
    } catch {
      throw .unreadable(path)
    }
  }

  /// Returns the names of the files and folders in a folder; empty if it doesn't exist.
  ///
  /// - Throws: `SimulatorError.unreadableFolder` if the folder can't be read.
  static func names(in folder: LocalPath) throws(SimulatorError) -> [LocalPath] {
    do {
      return try folder.names()
    } catch {
      guard error.isMissing else { throw .unreadableFolder(folder, reason: error.reason) }
      return []
    }
  }
}
