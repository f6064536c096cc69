import SQLiteAccess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The browser of whoever sits here.
enum WebBrowser {
  /// Opens a page, without waiting for it; says where it is when there is no browser that could.
  static func open(_ address: String) {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
      // On a server without a desktop a browser for terminals would be opened here.
      guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
        return Terminal.err.write("open this address in a browser\n")
      }
    #endif
    // Some openers last as long as the browser.
    _ = WorkerThread(named: "storetool.open") {
      do throws(SubprocessError) {
        _ = try Subprocess.run([program, address])
      } catch {
        Terminal.err.write("no browser was found: open this address in one\n")
      }
    }
  }
}
