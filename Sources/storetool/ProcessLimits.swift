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

  /// - Throws: `ProcessLimitsError` if a resource isn't available.
  static func check() throws(ProcessLimitsError) {
    // The files are checked before the arguments, because reading the arguments also opens a file.
    try checkFiles()
    spareAddresses()
    try checkMemory()
    guard CommandLine.argc > 0 else { throw .noArguments }
  }

  /// Opens as many files as a command may need, and closes them.
  private static func checkFiles() throws(ProcessLimitsError) {
    var opened: [OpenFile] = []
    do {
      for _ in 0..<neededFiles { opened.append(try OpenFile("/", O_RDONLY)) }
    } catch {
      guard [EMFILE, ENFILE].contains(error.code) else { return }
      throw .tooFewFiles(opened.count)
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
  private static func checkMemory() throws(ProcessLimitsError) {
    let room = mmap(nil, neededMemory, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard room != MAP_FAILED else { throw .tooLittleMemory }
    munmap(room, neededMemory)
  }
}

/// The reason why commands can't run.
enum ProcessLimitsError: Error, Hashable {
  /// The process can only open this number of further files.
  case tooFewFiles(Int)
  case tooLittleMemory
  /// The arguments can't be read. On Linux, Swift reads them from `/proc`.
  case noArguments
}

extension ProcessLimitsError: DiagnosableError {
  var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .tooFewFiles(let count):
      Diagnostic(
        .error, "system.open-files",
        "only \(count) more files can be opened, but a command may require \(ProcessLimits.neededFiles)",
        cause: .inputOutput
      ).helping("raise the limit of open files: ulimit -n 256")
    case .tooLittleMemory:
      Diagnostic(
        .error, "system.memory",
        "can't allocate another \(ProcessLimits.neededMemory / 1_000_000) MB of memory",
        cause: .inputOutput
      ).helping(Self.memoryHelp)
    case .noArguments:
      Diagnostic(
        .error, "system.no-arguments", "the arguments of the command can't be read",
        cause: .inputOutput
      ).helping("on Linux they are read from /proc, which must be mounted")
    }
  }

  /// The remedy for too little memory. On macOS, the shell can't limit the address space.
  private static var memoryHelp: String {
    #if os(Linux)
      "raise the limit of address space: ulimit -v 400000"
    #else
      "quit other programs"
    #endif
  }
}
