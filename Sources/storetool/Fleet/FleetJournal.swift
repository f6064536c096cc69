import RecordFormats
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file that says what became of each store. It only grows: a line is appended and synced before the next store
/// begins, so that what is killed at any moment can go on.
final class FleetJournal {
  let path: FilePath
  let file: OpenFile
  /// The last record of each store, by its absolute path.
  private(set) var records: [FilePath: FleetRecord] = [:]

  private static let mark = "storetool each"

  /// Opens a journal, or makes it.
  ///
  /// - Parameter command: the words behind `--`.
  /// - Throws: `FleetError` for a journal of another command, for one in use, for another file.
  init(_ path: FilePath, of command: [String]) throws {
    self.path = path
    do throws(SystemError) {
      // Above the numbers that a worker knows: it gets a copy of its own.
      file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND, mode: 0o666)
        .duplicate(from: ChildProcess.lowestDescriptor)
    } catch {
      throw FleetError.journalNotWritten(path, reason: error.message)
    }
    guard FileStatus(of: file)?.kind == .file else { throw FleetError.notAJournal(path) }
    // Workers inherit it, so that those which outlive a killed run keep the next one away until they have ended.
    guard file.lock(LOCK_EX | LOCK_NB) else { throw FleetError.journalInUse(path) }
    let lines = try read()
    let first = lines[0]
    // A new one, or one whose first line a full disk has cut off.
    if lines.count == 1, Self.header(command).utf8.starts(with: first) {
      ftruncate(file.descriptor, 0)
      try append(Self.header(command))
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
    if lines.last?.isEmpty == false { try append("\n") }
  }

  /// What a worker that has ended may have noted of its store as the last thing that it did.
  ///
  /// - Throws: `InputFileError`
  func noted(of store: FilePath) throws -> FleetRecord? {
    take(try read())
    return records[Self.name(of: store)]
  }

  /// A line that was cut off, by a kill or a full disk, says nothing.
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
    try append(record.line)
  }

  private func append(_ text: String) throws {
    try Self.append(text, to: file, path)
  }

  /// The file itself has to be found after a power cut, too.
  private func syncFolder() throws {
    do {
      try StagingFolder(path.parent).sync()
    } catch {
      throw FleetError.journalNotWritten(path, reason: error.reason)
    }
  }

  /// Appends whole lines in one write, so that those of several processes do not mix, and waits until they are on the disk.
  ///
  /// - Throws: `FleetError.journalNotWritten`
  static func append(_ text: String, to file: OpenFile, _ path: FilePath) throws {
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

  /// The name of a store in journals, from wherever the command is run.
  static func name(of store: FilePath) -> FilePath {
    let path =
      store.resolved
      ?? (store.isAbsolute ? store : (FilePath.workingDirectory ?? ".").appending(store))
    return path.spelled
  }
}

extension JSONValue {
  /// Of an array of strings.
  fileprivate var texts: [String] {
    guard case .array(let elements) = content else { return [] }
    return elements.compactMap(\.text)
  }
}
