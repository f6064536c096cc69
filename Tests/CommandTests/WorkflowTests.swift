import Foundation
import TestSupport
import Testing

/// The workflows by which this repository itself is tested and released.
struct WorkflowTests {
  private static let hasYAML = SampleFolder.canRun("python3 -c 'import yaml'")
  private static let folder = BuiltCommand.repository.appending(path: ".github/workflows")

  private struct Workflow: Decodable {
    struct Job: Decodable {
      struct Step: Decodable {
        var run: String?
        var uses: String?
      }

      var needs: Needs?
      var steps: [Step]
    }

    enum Needs: Decodable {
      case jobs([String])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
          self = .jobs([try container.decode(String.self)])
        } catch {
          self = .jobs(try container.decode([String].self))
        }
      }

      var names: [String] {
        switch self {
        case .jobs(let names): names
        }
      }
    }

    var jobs: [String: Job]
  }

  private func workflow(_ name: String) throws -> Workflow {
    let folder = try TemporaryFolder()
    let outcome = try BuiltCommand(in: folder.url).run(
      "python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)'",
      input: String(contentsOf: Self.folder.appending(path: name), encoding: .utf8))
    #expect(outcome.status == 0, "\(outcome.errors)")
    // YAML takes the key 'on' for a Boolean, which JSON writes as 'true'.
    return try JSONDecoder().decode(Workflow.self, from: Data(outcome.output.utf8))
  }

  @Test(.enabled(if: hasYAML, "Python has no yaml here"), arguments: ["ci.yml", "release.yml"])
  func whatAWorkflowRunsIsThere(_ name: String) throws {
    let jobs = try workflow(name).jobs
    for (_, job) in jobs {
      for needed in job.needs?.names ?? [] { #expect(jobs[needed] != nil) }
      #expect(job.steps.first?.uses?.hasPrefix("actions/checkout@") == true)
      for run in job.steps.compactMap(\.run) {
        // A shell never gets the text of an expression: a tag's name would be run.
        #expect(!run.contains("${{"))
        for script in run.matches(of: #/(?:Scripts/[a-z-]+|\.ci/run)/#) {
          let path = BuiltCommand.repository.appending(path: String(script.output)).path
          #expect(FileManager.default.fileExists(atPath: path), "\(script.output)")
        }
      }
    }
  }

  @Test(.enabled(if: hasYAML, "Python has no yaml here"))
  func bothSystemsAreTestedAndAllPackagesAreMade() throws {
    let systems = try workflow("ci.yml").jobs
    #expect(systems.keys.sorted() == ["linux", "macos"])
    for (_, job) in systems { #expect(job.steps.contains { $0.run == "bash .ci/run" }) }
    let release = try workflow("release.yml").jobs
    let lines = release.values.flatMap(\.steps).compactMap(\.run).joined()
    for part in [
      "Scripts/package-deb", "lintian", "Scripts/try-package", "Containerfile", "gh release create",
    ] {
      #expect(lines.contains(part))
    }
  }

  /// What a release says of itself is what stands below its version.
  @Test(.enabled(if: hasYAML, "Python has no yaml here"))
  func notesOfAReleaseAreItsChanges() throws {
    let steps = try #require(try workflow("release.yml").jobs["release"]).steps
    let run = try #require(steps.last?.run)
    let samples = try SampleFolder()
    try samples.folder.write(
      """
      ## [Unreleased]
      - Not yet.
      ## [1.2.0] - 2027-02-01
      - This.
      ### Models
      - And that.
      ## [1.1.0] - 2027-01-01
      - Before.

      """, to: "CHANGELOG.md")
    try samples.expect(
      "mkdir packages bin && echo a > packages/a && printf '#!/bin/sh\\n' > bin/gh && chmod +x bin/gh"
    )
    try samples.folder.write(run, to: "step")
    try samples.expect("TAG=v1.2.0 PATH=\"$PWD/bin:$PATH\" bash -e step")
    #expect(try samples.expect("cat notes.md") == "- This.\n### Models\n- And that.\n")
    try samples.expect("cd packages && shasum -a 256 -c SHA256SUMS")
  }
}
