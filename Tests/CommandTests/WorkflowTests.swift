import Foundation
import TestSupport
import Testing

/// The workflows that test and release this repository.
struct WorkflowTests {
  private static let hasYAML = SampleFolder.canRun("python3 -c 'import yaml'")
  private static let folder = BuiltCommand.repository.appending(path: ".github/workflows")

  private struct Workflow: Decodable {
    struct Job: Decodable {
      struct Step: Decodable {
        var run: String?
        var uses: String?
        var env: [String: String]?
      }

      var needs: Needs?
      var runsOn: String
      var steps: [Step]

      enum CodingKeys: String, CodingKey {
        case needs, steps
        case runsOn = "runs-on"
      }
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
    // YAML reads the key `on` as a Boolean, which JSON writes as `true`.
    return try JSONDecoder().decode(Workflow.self, from: Data(outcome.output.utf8))
  }

  @Test(.enabled(if: hasYAML, "Python has no yaml here"), arguments: ["ci.yml", "release.yml"])
  func whatAWorkflowRunsIsThere(_ name: String) throws {
    let jobs = try workflow(name).jobs
    for (_, job) in jobs {
      for needed in job.needs?.names ?? [] { #expect(jobs[needed] != nil) }
      #expect(job.steps.first?.uses?.hasPrefix("actions/checkout@") == true)
      for run in job.steps.compactMap(\.run) {
        // The text of an expression is never passed to a shell, which would run code in the name of a tag.
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
    #expect(systems.keys.sorted() == ["linux", "macos", "release"])
    #expect(systems["linux"]?.steps.compactMap(\.run) == ["bash .ci/run"])
    let checks = try #require(systems["release"]).steps.compactMap(\.run).joined()
    #expect(checks.contains(#"Scripts/try-program "$(Scripts/release)""#))
    #expect(checks.contains("Scripts/test-container"))
    let mac = try #require(systems["macos"])
    #expect(mac.runsOn == "macos-26")
    #expect(
      Set(["Scripts/test", "Scripts/test-formula"]).isSubset(of: mac.steps.compactMap(\.run)))
    let release = try workflow("release.yml").jobs
    #expect(release["macos"]?.runsOn == "macos-26")
    let lines = release.values.flatMap(\.steps).compactMap(\.run).joined()
    for part in [
      "Scripts/package-deb", "lintian", "Scripts/try-package", "Scripts/package-macos",
      "Containerfile", "Scripts/tap", "gh release create",
    ] {
      #expect(lines.contains(part))
    }
  }

  /// The release depends on all other jobs, which create its files.
  @Test(.enabled(if: hasYAML, "Python has no yaml here"))
  func theReleaseWaitsForAllJobs() throws {
    let jobs = try workflow("release.yml").jobs
    #expect(
      Set(try #require(jobs["release"]?.needs).names) == Set(jobs.keys).subtracting(["release"]))
  }

  /// The script that reads the secrets, the workflow that passes them, and the page that explains them use the same
  /// names.
  @Test(.enabled(if: hasYAML, "Python has no yaml here"))
  func theSecretsOfASignatureAreDocumented() throws {
    let steps = try #require(try workflow("release.yml").jobs["macos"]).steps
    let environment = try #require(steps.compactMap(\.env).first)
    func names(_ path: String) throws -> Set<String> {
      let text = try String(
        contentsOf: BuiltCommand.repository.appending(path: path), encoding: .utf8)
      return Set(text.matches(of: #/\b(?:MACOS|NOTARY)_[A-Z_]+/#).map { String($0.output) })
    }
    for (name, value) in environment { #expect(value == "${{ secrets.\(name) }}") }
    #expect(try names("Scripts/package-macos") == Set(environment.keys))
    #expect(try names("docs/install.md") == Set(environment.keys))
  }

  /// The notes of a release are the text below the heading of its version.
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
    try samples.expect("cd packages && shasum -a 256 --check --status SHA256SUMS")
  }
}
