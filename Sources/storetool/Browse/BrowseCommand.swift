import ArgumentParser
import PageServer
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreModelReader

struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", _superCommandName: Storetool.name,
    abstract: "Show stores in a browser.",
    discussion: """
      The command serves a page with the entities of stores and their rows, which can be filtered, grouped and divided \
      into sections. It also shows the model as a diagram, its templates and versions, the persistent history, and the \
      findings of 'verify'. Each view has its own address, and shows \
      the command that prints the same data. The page can change a store only with --write, and shows the \
      effects of each change first. Ctrl-C ends the server.

        storetool browse
        storetool browse Backup/App.sqlite --write
        storetool browse Stores/*.sqlite --port 8080 --no-open
      """)

  @Argument(
    help: ArgumentHelp("The stores. Default: as for --store.", valueName: "store"),
    completion: .stores)
  var stores: [LocalPath] = []

  @Flag(help: "Let the page change the stores, always after a dry run.")
  var write = false

  @Option(help: "The port to listen on. Default: a free port.")
  var port: Int?

  @Option(
    help: ArgumentHelp(
      "The numeric IP address to listen on. Unless it is a loopback address, other computers can reach the page.",
      valueName: "address"))
  var host = "127.0.0.1"

  @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
  var open = true

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  func validate() throws {
    if let port, !(1...65535).contains(port) {
      throw ValidationError("--port must be a number from 1 to 65535")
    }
    if !stores.isEmpty && (options.store != nil || options.simulator != nil) {
      throw ValidationError("specify the stores either as arguments or by an option")
    }
  }

  func run() throws {
    // Of the problems with the model, only a missing file ends the command. The page reports the others, because it can
    // also show stores without a model.
    let model =
      try options.app ?? options.model ?? options.simulator.flatMap { try Simulators().app($0) }
    if let model, model.kind == nil { throw ModelBundleError.noSuchFile(model) }
    let served = try paths().map { path in
      // A store that can't be opened is an error here.
      try Store.open(path, .reading).close()
      return BrowsedStore(
        path: path, model: Self.absolute(model), modelVersion: options.modelVersion,
        readsClosest: closest)
    }
    let listening = try ListeningAddress(host, port: port ?? 0)
    let token = RandomToken.text()
    let server = try PageServer(
      at: listening, token: token, service: CommandService(stores: served, allowsWriting: write))
    let address = "http://\(listening.name):\(server.port)/\(token)/"
    try OutputFile.standard.write("\(address)\n")
    Terminal.err.write(note(for: served, at: listening))
    let page = open ? WebBrowser.open(address) : nil
    Signals.waitForInterrupt()
    page?.remove()
    Terminal.exit(.cancelled)
  }

  private func paths() throws -> [LocalPath] {
    guard stores.isEmpty else {
      return try stores.compactMap { path in
        try Self.absolute(Workspace(store: path, model: nil, modelVersion: nil).storePath())
      }
    }
    return [try Workspace(options).storePath(before: write ? .writing : .reading)].compactMap(
      Self.absolute)
  }

  /// Returns an absolute path, so that commands copied from the page work in any folder.
  private static func absolute(_ path: LocalPath?) -> LocalPath? {
    guard let path, !path.isAbsolute, let here = LocalPath.workingDirectory else { return path }
    return here.appending(path)
  }

  private func note(for served: [BrowsedStore], at address: ListeningAddress) -> String {
    let what = served.count == 1 ? served[0].name : "\(served.count) stores"
    let reach = address.isLoopback ? "" : ", to everyone who can reach \(host)"
    let others =
      address.isEvery
      ? "on other computers, replace \(address.name) with the address of this computer\n" : ""
    return "serving \(what)\(write ? ", which the page can change" : "")\(reach); Ctrl-C ends it\n"
      + others
  }
}

enum WebBrowser {
  /// Opens a page without waiting for the browser. If there is no browser, a message asks the user to open the printed
  /// address.
  ///
  /// - Returns: The file that the browser opens; nil if there is none.
  static func open(_ address: String) -> OpeningPage? {
    guard hasDesktop else {
      Terminal.err.write("open this address in a browser\n")
      return nil
    }
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let page: OpeningPage
    do throws(SystemError) {
      page = try OpeningPage(to: address)
    } catch {
      Terminal.err.write("open this address in a browser: \(error.reason)\n")
      return nil
    }
    // Another thread waits for the program, which may run as long as the browser.
    _ = WorkerThread(named: "storetool.open") {
      do throws(ChildProcessError) {
        _ = try ProcessResult(of: [program, page.path.argument])
      } catch {
        Terminal.err.write("no browser found: open this address in a browser\n")
      }
    }
    return page
  }

  /// Whether a browser window would appear on the user's screen. Over ssh it would appear on the other computer, and
  /// without a desktop `xdg-open` would start a browser in this terminal.
  private static var hasDesktop: Bool {
    guard Workspace.environment("SSH_CONNECTION") == nil else { return false }
    #if canImport(Darwin)
      return true
    #else
      return ["DISPLAY", "WAYLAND_DISPLAY"].contains { Workspace.environment($0) != nil }
    #endif
  }
}

extension PageServerError: DiagnosableError {
  var diagnostics: [DiagnosticMessage] {
    switch self {
    case .noAddress(let host):
      [
        DiagnosticMessage(
          .error, "browse.no-address", "'\(host)' isn't a numeric IP address", cause: .usage,
          help: [
            "omit --host to accept only connections from this computer, or specify an address: --host 192.0.2.7"
          ]
        )
      ]
    case .notListening(let host, let port, let code):
      [
        DiagnosticMessage(
          .error, "browse.not-listening",
          "can't listen on \(port == 0 ? host : "port \(port) of \(host)")"
            + (code.map { ": \(SystemError(code: $0).message)" } ?? ""),
          cause: .inputOutput,
          help: [
            port == 0
              ? "omit --host, or specify an address of this computer"
              : "specify another --port or --host"
          ])
      ]
    }
  }
}
