import StoreDiagnostics

#if canImport(Glibc)
  import CLinux
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system resources that a command requires.
enum ProcessLimits {
  /// The number of files that a command may have to open: a store with its journals and temporary files, the input, a
  /// backup, and files for the threads of Dispatch. If Dispatch can't open a file, it ends the process with a signal.
  static let neededFiles = 24

  /// The number of bytes that the stacks of threads and SQLite require. If Dispatch can't allocate a stack, it waits
  /// forever.
  static let neededMemory = 64_000_000

  /// - Throws: `DiagnosticError` if a resource isn't available.
  static func check() throws {
    // The files are checked before the arguments, because reading the arguments also opens a file.
    try checkFiles()
    spareAddresses()
    try checkMemory()
    guard CommandLine.argc > 0 else {
      throw DiagnosticError(
        "system.no-arguments", "the arguments of the command can't be read", cause: .inputOutput,
        help: ["on Linux they are read from /proc, which must be mounted"])
    }
  }

  /// Opens as many files as a command may need, and closes them.
  private static func checkFiles() throws {
    var opened: [OpenFile] = []
    do throws(SystemError) {
      for _ in 0..<neededFiles { opened.append(try OpenFile("/", O_RDONLY)) }
    } catch {
      guard [EMFILE, ENFILE].contains(error.code) else { return }
      throw DiagnosticError(
        "system.open-files",
        "only \(opened.count) more files can be opened, but a command may require \(neededFiles)",
        cause: .inputOutput, help: ["raise the limit of open files: ulimit -n 256"])
    }
  }

  /// Makes all threads use the same heap if the address space is limited. Otherwise glibc reserves 128 MB of addresses
  /// for the heap of each thread, and the rest may be too small for the stack of the next thread. The success of a
  /// command would then depend on timing.
  private static func spareAddresses() {
    #if canImport(Glibc)
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
        limit.rlim_cur != rlim_t.max
      else { return }
      mallopt(M_ARENA_MAX, 1)
    #endif
  }

  /// Allocates addresses without using memory, to check whether a limit (`ulimit -v`) leaves enough of them.
  private static func checkMemory() throws {
    let room = mmap(nil, neededMemory, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard room != MAP_FAILED else {
      #if os(Linux)
        let help: DiagnosticRemedy = "raise the limit of address space: ulimit -v 400000"
      #else
        let help: DiagnosticRemedy = "quit other programs"
      #endif
      throw DiagnosticError(
        "system.memory", "can't allocate another \(neededMemory / 1_000_000) MB of memory",
        cause: .inputOutput, help: [help])
    }
    munmap(room, neededMemory)
  }
}
