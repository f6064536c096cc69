import Foundation
import StoreDiagnostics
import TestSupport
import Testing

/// Calls of the system: signals, full pipes, locks and the properties of files.
struct OpenFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> LocalPath { LocalPath(folder.path(name)) }

  private func connectedFiles() throws -> (input: OpenFile, output: OpenFile) {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (OpenFile(descriptor: ends[0]), OpenFile(descriptor: ends[1]))
  }

  @Test func writesAllBytesIntoAFullPipeThatDoesNotBlock() async throws {
    let (input, output) = try connectedFiles()
    try #require(fcntl(output.descriptor, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let writing = Task.detached { try output.write(bytes) }
    // The pipe is full at this moment.
    try await Task.sleep(for: .milliseconds(50))
    var received: [UInt8] = []
    while received.count < bytes.count {
      let piece = try input.read(upTo: bytes.count)
      try #require(!piece.isEmpty)
      received += piece
    }
    try await writing.value
    #expect(received == bytes)
  }

  @Test func aSignalDoesNotEndARead() throws {
    let (input, output) = try connectedFiles()
    var action = sigaction()
    var former = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in }
    #else
      action.__sigaction_handler.sa_handler = { _ in }
    #endif
    // Without SA_RESTART the signal interrupts the call.
    sigaction(SIGUSR1, &action, &former)
    defer { sigaction(SIGUSR1, &former, nil) }
    nonisolated(unsafe) var reader: pthread_t = pthread_self()
    nonisolated(unsafe) var bytes = Result<[UInt8], any Error>.success([])
    let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      reader = pthread_self()
      started.signal()
      bytes = Result { try input.read(upTo: 1) }
      ended.signal()
    }
    started.wait()
    usleep(50_000)
    pthread_kill(reader, SIGUSR1)
    usleep(50_000)
    try output.write([7])
    ended.wait()
    #expect(try bytes.get() == [7])
  }

  @Test func theEndOfAFileHasNoBytes() throws {
    let file = try OpenFile(LocalPath(folder.write("ab", to: "a")), O_RDONLY)
    #expect(try file.read(upTo: 8) == Array("ab".utf8))
    #expect(try file.read(upTo: 8) == [])
  }

  @Test func aMissingFileIsAnError() throws {
    let error = try #require(throws: SystemError.self) {
      try OpenFile(path("none"), O_RDONLY)
    }
    #expect(error.isMissing)
    #expect(error.reason == "No such file or directory")
  }

  @Test func aLockEndsWithItsFile() throws {
    let path = LocalPath(try folder.write("", to: "a"))
    var first: OpenFile? = try OpenFile(path, O_RDONLY)
    let second = try OpenFile(path, O_RDONLY)
    #expect(first?.lock(LOCK_EX | LOCK_NB) == true)
    #expect(!second.lock(LOCK_EX | LOCK_NB))
    first = nil
    #expect(second.lock(LOCK_EX | LOCK_NB))
  }

  @Test func theStatusOfALinkOrOfItsFile() throws {
    try folder.write("abc", to: "a")
    symlink("a", folder.path("link"))
    mkfifo(folder.path("pipe"), 0o600)
    let here = try OpenFile(LocalPath(folder.url.path), O_RDONLY | O_DIRECTORY)
    let file = try #require(FileStatus(of: "a", in: here))
    #expect(file.kind == .file && file.size == 3)
    #expect(FileStatus(of: "link", in: here) == file)
    #expect(FileStatus(of: try OpenFile(path("a"), O_RDONLY)) == file)
    #expect(FileIdentity(of: path("link")) == file.identity)
    #expect(FileStatus(of: "link", followsLinks: false, in: here)?.kind == .link)
    #expect(FileStatus(of: "pipe", in: here)?.kind == .pipe)
    #expect(path("pipe").status()?.mode == 0o600)
    #expect(FileStatus(of: here)?.kind == .folder)
    #expect(FileStatus(of: "none", in: here) == nil)
    #expect(SystemError.last.isMissing)
  }
}
