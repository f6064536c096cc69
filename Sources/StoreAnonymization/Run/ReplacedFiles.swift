import StoreDiagnostics
import StoreCore
import StoreLayout
import SQLiteAccess

/// Replaces the values of columns that can refer to external files, and writes files with the new values.
final class ReplacedFiles {
  private let source: ExternalFolder
  /// The folder of the new files, or nil in a dry run.
  private let target: ExternalFolder?
  /// The path of the store, for error messages.
  private let store: LocalPath
  private(set) var written: Set<String> = []
  private(set) var count = 0
  /// The names of missing files whose values the rule `hash` would replace. The values become NULL.
  private(set) var missing: [String] = []

  init(of source: ExternalFolder, into target: ExternalFolder?, for store: LocalPath) {
    (self.source, self.target, self.store) = (source, target, store)
  }

  /// - Parameter stored: the value with its leading byte (docs/formats/values.md).
  func replaced(_ stored: [UInt8], by replacement: ValueReplacement) throws -> SQLiteValue {
    let value = stored.withUnsafeBufferPointer { bytes -> (bytes: [UInt8]?, file: String?) in
      switch ExternalValue(stored: bytes) {
      case .inline(let value): (Array(value), nil)
      case .file(let name): (nil, name)
      }
    }
    guard let name = value.file else {
      return Self.inline(try replacement.replaced(.blob(value.bytes ?? [])))
    }
    count += 1
    // Only `hash` depends on the old bytes, so the file isn't read for other rules.
    guard case .hash = replacement.rule else {
      return Self.inline(try replacement.replaced(.blob([])))
    }
    guard let bytes = try read(name), case .blob(let new) = try replacement.replaced(.blob(bytes))
    else { return .null }
    guard let target else { return .null }
    let made = try target.write(new, for: store)
    written.insert(made)
    return .blob([ExternalValue.fileMark] + made.utf8 + [0])
  }

  private static func inline(_ value: SQLiteValue) -> SQLiteValue {
    guard case .blob(let bytes) = value else { return value }
    return .blob([ExternalValue.inlineMark] + bytes)
  }

  /// Returns nil for a missing file, whose value is already lost.
  private func read(_ name: String) throws -> [UInt8]? {
    do {
      return try source.read(name)
    } catch let error where error.problem == .missing {
      missing.append(name)
      return nil
    }
  }

  /// Removes the written files after an error, because the store won't refer to them.
  func discard() {
    guard let target else { return }
    for name in written { target.remove(name) }
  }
}
