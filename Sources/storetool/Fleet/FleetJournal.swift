import RecordFormats
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file with the result of each store. It is append-only, and a process syncs each line before it continues, so
/// that an interrupted run can be continued.
final class FleetJournal {
  let path: LocalPath
  let file: OpenFile
  /// The last record of each store, by the absolute path of the store.
  private(set) var records: [LocalPath: FleetRecord] = [:]

  private static let mark = "storetool each"

  /// Opens or creates a journal.
  ///
  /// - Parameter command: The arguments after `--`.
  /// - Throws: `FleetError` if the journal belongs to another command or is in use, or if the file isn't a journal or
  ///   can't be written; `InputFileError` if it can't be read.
  init(_ path: LocalPath, of command: [String]) throws {
    self.path = path
    do throws(SystemError) {
      // The descriptor is at least `lowestDescriptor`, so that it can be passed to workers.
      file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND, mode: 0o666)
        .duplicate(from: ChildProcess.lowestDescriptor)
    } catch {
      throw FleetError.journalNotWritten(path, reason: error.message)
    }
    guard FileStatus(of: file)?.kind == .file else { throw FleetError.notAJournal(path) }
    // Workers inherit the lock. If they outlive a killed run, the next run can't start until they have ended.
    guard file.lock(LOCK_EX | LOCK_NB) else { throw FleetError.journalInUse(path) }
    let lines = try read()
    let first = lines[0]
    // The file is new, or its first line is incomplete, for example because the disk was full.
    if lines.count == 1, Self.header(command).utf8.starts(with: first) {
      ftruncate(file.descriptor, 0)
      try Self.append(Self.header(command), to: file, path)
      try syncFolder()
      return
    }
    guard let header = JSONValue(text: first), header["journal"]?.text == Self.mark else {
      throw FleetError.notAJournal(path)
    }
    let other = header["command"]?.texts ?? []
    guard other.elementsEqual(command, by: { $0.isExactly($1) }) else {
      let line = other.map { "\(ArgumentText.path($0).quotedForShell)" }.joined(separator: " ")
      throw FleetError.otherJournal(path: path, command: line)
    }
    take(lines)
    if lines.last?.isEmpty == false { try Self.append("\n", to: file, path) }
  }

  /// Returns the last record of a store, or nil. Reads the file again, because a worker may have written just before it
  /// ended.
  ///
  /// - Throws: `InputFileError` if the journal can't be read.
  func noted(of store: LocalPath) throws -> FleetRecord? {
    take(try read())
    return records[Self.name(of: store)]
  }

  /// Adds the records of all lines after the header. Ignores lines that a killed process or a full disk has truncated.
  private func take(_ lines: [ArraySlice<UInt8>]) {
    for line in lines.dropFirst() {
      if let record = FleetRecord(line: line) { records[record.store] = record }
    }
  }

  private func read() throws -> [ArraySlice<UInt8>] {
    try InputFile(path: path).readAll()
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  private static func header(_ command: [String]) -> String {
    "\(JSONValue(encoding: Header(journal: mark, command: command)))\n"
  }

  private struct Header: Encodable {
    let journal: String
    let command: [String]
  }

  /// - Throws: `FleetError.journalNotWritten`
  func append(_ record: FleetRecord) throws {
    records[record.store] = record
    try Self.append(record.line, to: file, path)
  }

  /// Syncs the folder, so that the file itself survives a power failure.
  private func syncFolder() throws {
    do {
      try StagingFolder(path.parent).sync()
    } catch {
      throw FleetError.journalNotWritten(path, reason: error.reason)
    }
  }

  /// Appends one or more lines with a single write, so that lines of several processes aren't mixed, and syncs the
  /// file.
  ///
  /// - Throws: `FleetError.journalNotWritten`
  static func append(_ text: String, to file: OpenFile, _ path: LocalPath) throws {
    let bytes = Array(text.utf8)
    do throws(SystemError) {
      let count = try bytes.withUnsafeBufferPointer { all throws(SystemError) in
        try file.writeOnce(all)
      }
      guard count == bytes.count else { throw SystemError(code: ENOSPC) }
      try file.sync(ignoring: [EINVAL, ENOTSUP])
    } catch {
      throw FleetError.journalNotWritten(path, reason: error.message)
    }
  }

  /// Returns the absolute path of a store, which identifies the store in journals.
  static func name(of store: LocalPath) -> LocalPath {
    let path =
      store.resolved
      ?? (store.isAbsolute ? store : (LocalPath.workingDirectory ?? ".").appending(store))
    return path.spelled
  }
}

extension JSONValue {
  /// The strings of an array; empty for other values.
  fileprivate var texts: [String] {
    guard case .array(let elements) = content else { return [] }
    return elements.compactMap(\.text)
  }
}
