import StoreDiagnostics
import StoreModel

/// Makes `ModelSyntax` of the XML elements: reads words, numbers and types, follows no name.
struct ModelDecoder {
  var findings: Findings

  init(findings: Findings) {
    self.findings = findings
  }

  mutating func decode(_ root: XMLElement) -> ModelSyntax {
    guard root.name == "model" else {
      findings.report(ShapeProblem.wrongRoot(root.name), at: root.spot)
      return ModelSyntax()
    }
    ModelVocabulary.check(root, reportingTo: &findings)
    var syntax = ModelSyntax()
    syntax.versionIdentifier = root["userDefinedModelVersionIdentifier"] ?? ""
    for child in root.children {
      switch child.name {
      case "entity": append(decodeEntity(child), to: &syntax.entities)
      case "fetchRequest": append(decodeFetchRequest(child, of: nil), to: &syntax.templates)
      case "configuration": append(decodeConfiguration(child), to: &syntax.configurations)
      case "composite": append(decodeComposite(child), to: &syntax.composites)
      default: continue
      }
    }
    return syntax
  }

  private func append<Element>(_ element: Element?, to list: inout [Element]) {
    if let element { list.append(element) }
  }

  private mutating func decodeConfiguration(_ element: XMLElement) -> ConfigurationSyntax? {
    guard let name = requiredName("name", of: element) else { return nil }
    let members = element.children(named: "memberEntity")
    return ConfigurationSyntax(
      name: name, members: members.compactMap { requiredName("name", of: $0) })
  }

  private mutating func decodeComposite(_ element: XMLElement) -> CompositeSyntax? {
    guard let name = requiredName("name", of: element) else { return nil }
    let attributes = element.children(named: "attribute")
    return CompositeSyntax(
      name: name, attributes: attributes.compactMap { decodeAttribute($0, of: name.text) })
  }
}
