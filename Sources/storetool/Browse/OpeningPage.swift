import SQLiteAccess
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that redirects a browser to the address of a page.
///
/// All users of a computer can read the command lines of its programs, but the address contains a secret token.
/// Therefore the command line of the browser contains the path of this file, which only its owner can read.
struct OpeningPage {
  let path: LocalPath

  /// Creates the file with mode 0600 and a new name.
  ///
  /// - Throws: `SystemError` if it can't be written.
  init(to address: String) throws(SystemError) {
    let folder =
      LocalPath(variable: "XDG_RUNTIME_DIR").flatMap { $0.kind == .folder ? $0 : nil }
      ?? DatabaseFile.temporaryFolder
    let suffix = ".html"
    let template = folder.appending("storetool-XXXXXX\(suffix)")
    var name = template.bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = mkstemps(&name, CInt(suffix.utf8.count))
    guard descriptor >= 0 else { throw .last }
    path = LocalPath(bytes: name.dropLast().map { UInt8(bitPattern: $0) })
    do {
      try OpenFile(descriptor: descriptor).write(Array(Self.text(address).utf8))
    } catch {
      remove()
      throw error
    }
  }

  /// Returns the HTML of the page. The address doesn't require escaping, because it doesn't contain `&`, quotation
  /// marks or angle brackets.
  private static func text(_ address: String) -> String {
    """
    <!DOCTYPE html>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url=\(address)">
    <title>storetool browse</title>
    <p><a href="\(address)">Open the page</a></p>

    """
  }

  func remove() {
    path.withCString { _ = unlink($0) }
  }
}
