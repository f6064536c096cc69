import Foundation
import TestSupport
import Testing

/// `fetch --watch` while other processes write.
struct WatchTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect("storetool create --model Models/Company.xcdatamodeld")
    try samples.expect("storetool insert Department name=Sales")
    try samples.expect("storetool insert Employee name=Ann 'department:=(name == \"Sales\")'")
  }

  /// Watches a fetch, makes each change after the previous one is displayed, and ends with Ctrl-C.
  private func watch(_ options: String, _ changes: [String]) throws -> BuiltCommand.Result {
    let steps = changes.map { "\($0) >/dev/null 2>&1; count=$((count + 1)); seen" }
    return try samples.shell.run(
      """
      : > watched
      storetool fetch Employee --watch --select name,age --sort name \(options) > watched & tool=$!
      seen() { for i in $(seq 1500); do
        [ "$(grep -c '"change":"list"' watched)" -ge $count ] && return; sleep 0.02; done; }
      count=1; seen
      \(steps.joined(separator: "\n"))
      kill -INT $tool
      wait $tool
      status=$?
      sed -E 's|x-coredata://[^/]*|x-coredata://|' watched
      exit $status
      """)
  }

  @Test func printsARecordForEachChange() throws {
    let outcome = try watch(
      "--sections department.name",
      [
        "storetool insert Employee name=Bob age=20",
        "storetool batch-update Employee age=30 --where 'name == \"Ann\"'",
        "storetool batch-delete Employee --where 'name == \"Bob\"'",
      ])
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 130)
    #expect(
      outcome.output == """
        {"change":"insert-section","section":0,"name":"Sales"}
        {"change":"insert","to":[0,0],"objectID":"x-coredata:///Employee/p1","row":{"name":"Ann","age":18}}
        {"change":"list","rows":1,"sections":1}
        {"change":"insert-section","section":0,"name":""}
        {"change":"insert","to":[0,0],"objectID":"x-coredata:///Employee/p2","row":{"name":"Bob","age":20}}
        {"change":"list","rows":2,"sections":2}
        {"change":"update","from":[1,0],"to":[1,0],"objectID":"x-coredata:///Employee/p1","row":{"name":"Ann","age":30}}
        {"change":"list","rows":2,"sections":2}
        {"change":"delete-section","section":0,"name":""}
        {"change":"delete","from":[0,0],"objectID":"x-coredata:///Employee/p2"}
        {"change":"list","rows":1,"sections":1}

        """)
  }

  @Test func withoutSectionsRowsAreInTheOneThatStays() throws {
    let outcome = try watch("", ["storetool insert Employee name=Bob age=20"])
    #expect(outcome.status == 130)
    #expect(
      outcome.output == """
        {"change":"insert","to":[0,0],"objectID":"x-coredata:///Employee/p1","row":{"name":"Ann","age":18}}
        {"change":"list","rows":1,"sections":1}
        {"change":"insert","to":[0,1],"objectID":"x-coredata:///Employee/p2","row":{"name":"Bob","age":20}}
        {"change":"list","rows":2,"sections":1}

        """)
  }

  /// This requires that no program writes. A `-wal` of another writer remains beside a watched store.
  @Test func leavesNoFileBehind() throws {
    let before = try samples.expect("ls -A")
    let outcome = try watch("", [])
    #expect(outcome.status == 130)
    try samples.expect("rm watched")
    #expect(try samples.expect("ls -A") == before)
  }

  @Test func refusesWhatIsNoListOfRows() throws {
    for options in ["--count", "--ids", "--distinct", "--format csv"] {
      #expect(
        try samples.shell.run("storetool fetch Employee --watch \(options)").status == 64,
        "\(options)")
    }
  }
}
