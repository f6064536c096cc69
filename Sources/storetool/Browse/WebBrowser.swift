import SQLiteAccess
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The browser of whoever sits here.
enum WebBrowser {
  /// Opens a page without waiting for the browser. Without a browser, the user is told to open the printed address.
  ///
  /// - Returns: the file that the browser opens.
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
    // Some openers last as long as the browser.
    _ = WorkerThread(named: "storetool.open") {
      do throws(SubprocessError) {
        _ = try Subprocess.run([program, page.path.argument])
      } catch {
        Terminal.err.write("no browser was found: open this address in one\n")
      }
    }
    return page
  }

  /// Whether a browser's window is on the user's screen. Over ssh it is on the screen of the other computer, and without a
  /// desktop `xdg-open` starts a browser in this terminal.
  private static var hasDesktop: Bool {
    guard Workspace.environment("SSH_CONNECTION") == nil else { return false }
    #if canImport(Darwin)
      return true
    #else
      return ["DISPLAY", "WAYLAND_DISPLAY"].contains { Workspace.environment($0) != nil }
    #endif
  }
}
