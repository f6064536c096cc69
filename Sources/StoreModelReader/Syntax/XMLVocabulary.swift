import StoreDiagnostics

/// The elements that a kind of file may hold, with their attributes and children.
///
/// Whatever is not in here is reported and not read: a misspelt name must not pass for an absent one.
struct XMLVocabulary {
  struct Word {
    let attributes: Set<String>
    let children: Set<String>
  }

  /// By element name.
  let words: [String: Word]

  /// A name that the vocabulary lacks, and those that it knows in that place.
  enum Stranger {
    case element(String, parent: String, known: [String])
    case attribute(String, element: String, known: [String])
  }

  /// Reports everything below `element` that the vocabulary lacks, as `problem` calls it.
  func check<Issue: ModelIssue>(
    _ element: XMLElement, reportingTo findings: inout Findings, as problem: (Stranger) -> Issue
  ) {
    guard let word = words[element.name] else { return }
    for attribute in element.attributes where !word.attributes.contains(attribute.name) {
      findings.report(
        problem(
          .attribute(attribute.name, element: element.name, known: word.attributes.sorted())),
        at: element.spot(ofName: attribute.name))
    }
    for child in element.children {
      guard word.children.contains(child.name) else {
        findings.report(
          problem(.element(child.name, parent: element.name, known: word.children.sorted())),
          at: child.spot)
        continue
      }
      check(child, reportingTo: &findings, as: problem)
    }
  }
}
