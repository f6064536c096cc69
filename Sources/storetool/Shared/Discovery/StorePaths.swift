import RecordFormats
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The paths of stores that a user specifies by files, folders and lists, without duplicates.
struct StorePaths {
  /// The paths in the order in which they are specified. Within a folder, they are sorted by name.
  private(set) var paths: [LocalPath] = []
  /// The identities of the added files, so that a store that is also specified by a link is added only once.
  private var files: Set<FileIdentity> = []
  /// The added paths of files that don't exist.
  private var missing: Set<LocalPath> = []
  /// The number of FIFOs, devices and sockets in folders, which are skipped because they aren't stores.
  private(set) var skippedCount = 0
  private let filter: String?

  /// - Parameter filter: A pattern for `fnmatch(3)` that the names of stores in folders must match. If it is nil, they
  ///   must have one of the usual extensions.
  init(filter: String?) {
    self.filter = filter
  }

  /// Adds a file, or all files in a folder and its subfolders whose names match the filter. A missing file is added
  /// too, so that its error is reported together with the errors of other stores.
  ///
  /// - Throws: `DiagnosticError` if a folder can't be read.
  mutating func add(_ path: LocalPath) throws {
    guard path.kind == .folder else { return take(path) }
    try addFolder(path)
  }

  /// Adds the paths of a list, one per line, or each followed by NUL if the list contains NUL.
  ///
  /// - Parameter list: A file, or `-` for standard input.
  /// - Throws: `InputFileError` if the list can't be read, or `DiagnosticError`.
  mutating func addList(_ list: LocalPath) throws {
    let bytes = try (list == "-" ? InputFile.standard : InputFile(path: list)).readAll()
    let end: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    for path in bytes.split(separator: end) {
      let isWindowsLine = end != 0 && path.last == UInt8(ascii: "\r")
      try add(LocalPath(bytes: isWindowsLine ? path.dropLast() : path))
    }
  }

  /// Adds the files in a folder and its subfolders whose names match the filter. Symbolic links to folders aren't
  /// followed, because they can form cycles.
  private mutating func addFolder(_ folder: LocalPath) throws {
    let names: [LocalPath]
    do throws(SystemError) {
      names = try folder.names()
    } catch {
      throw DiagnosticError(
        "each.unreadable-folder", "the folder '\(folder)' can't be read: \(error.reason)",
        cause: .inputOutput)
    }
    for name in names {
      let path = folder.appending(name)
      guard let status = path.status(followsLinks: false) else { continue }
      if status.kind == .folder {
        try addFolder(path)
      } else if isChosen(name) {
        switch path.kind {
        case .pipe, .other: skippedCount += 1
        case .file, .folder, .link, nil: take(path)
        }
      }
    }
  }

  private func isChosen(_ name: LocalPath) -> Bool {
    filter.map { filter in name.withCString { fnmatch(filter, $0, 0) == 0 } }
      ?? StoreAtHand.suffixes.contains(where: name.hasSuffix)
  }

  private mutating func take(_ path: LocalPath) {
    if let file = FileIdentity(of: path) {
      guard files.insert(file).inserted else { return }
    } else {
      guard missing.insert(path).inserted else { return }
    }
    paths.append(path)
  }
}
