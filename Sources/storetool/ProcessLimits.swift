import StoreDiagnostics

#if canImport(Glibc)
  import CLinux
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system must grant before a command can begin.
enum ProcessLimits {
  /// A store with its journals and temporary files, the input, a backup, and what Dispatch needs for its
  /// threads: without it Dispatch ends the process by a signal.
  static let neededFiles = 24

  /// Room for the stacks of threads and for SQLite, in bytes. Where Dispatch gets no stack for a thread it
  /// waits for one without end.
  static let neededMemory = 64_000_000

  /// - Throws: `ProcessLimitsError`
  static func check() throws(ProcessLimitsError) {
    // First, since reading the arguments takes a file, too.
    try checkFiles()
    spareAddresses()
    try checkMemory()
    guard CommandLine.argc > 0 else { throw .noArguments }
  }

  /// Opens as many as a command may need, and closes them.
  private static func checkFiles() throws(ProcessLimitsError) {
    var opened: [OpenFile] = []
    do {
      for _ in 0..<neededFiles { opened.append(try OpenFile("/", O_RDONLY)) }
    } catch {
      guard [EMFILE, ENFILE].contains(error.code) else { return }
      throw .tooFewFiles(opened.count)
    }
  }

  /// Where addresses are limited, all threads get their memory from one heap. glibc would set 128 MB of addresses aside for
  /// the heap of each thread, as long as there are any, and what is left may be too little for the next thread's
  /// stack: then it depends on which comes first whether a command is done.
  private static func spareAddresses() {
    #if canImport(Glibc)
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
        limit.rlim_cur != rlim_t.max
      else { return }
      mallopt(M_ARENA_MAX, 1)
    #endif
  }

  /// Asks for addresses, of which a limit (`ulimit -v`) may leave too few, not for the memory itself.
  private static func checkMemory() throws(ProcessLimitsError) {
    let room = mmap(nil, neededMemory, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard room != MAP_FAILED else { throw .tooLittleMemory }
    munmap(room, neededMemory)
  }
}

/// Why no command can begin.
enum ProcessLimitsError: Error, Hashable {
  /// How many more files the process may open.
  case tooFewFiles(Int)
  case tooLittleMemory
  /// Swift reads them from `/proc` on Linux.
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

  /// The shell of macOS has no limit of address space.
  private static var memoryHelp: String {
    #if os(Linux)
      "raise the limit of address space: ulimit -v 400000"
    #else
      "end other programs"
    #endif
  }
}
