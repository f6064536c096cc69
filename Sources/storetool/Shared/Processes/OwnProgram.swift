#if !os(Linux)
  import Foundation
#endif

/// The file of this very program, to start it once more.
enum OwnProgram {
  /// - Throws: `SubprocessError`
  static func path() throws(SubprocessError) -> String {
    #if os(Linux)
      return "/proc/self/exe"
    #else
      guard let path = Bundle.main.executablePath else {
        throw .failed("storetool", reason: "this program's own file is not known")
      }
      return path
    #endif
  }
}
