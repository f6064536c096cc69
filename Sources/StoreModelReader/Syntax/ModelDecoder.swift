import StoreDiagnostics
import StoreModel

/// Makes `ModelSyntax` of the XML elements: reads words, numbers and types, follows no name.
struct ModelDecoder {
  var findings: Findings

  mutating func decode(_ root: XMLElement) -> ModelSyntax {
    guard root.name == "model" else {
      findings.report(ShapeIssue.wrongRoot(root.name), at: root.spot)
      return ModelSyntax()
    }
    XMLVocabulary.model.check(root, reportingTo: &findings, as: ShapeIssue.init)
    var syntax = ModelSyntax()
    syntax.versionIdentifier = root["userDefinedModelVersionIdentifier"] ?? ""
    for child in root.children {
      switch child.name {
      case "entity": syntax.entities.append(decodeEntity(child))
      case "fetchRequest": syntax.templates.append(decodeFetchRequest(child, of: nil))
      case "configuration": syntax.configurations.append(decodeConfiguration(child))
      case "composite": syntax.composites.append(decodeComposite(child))
      case "elements": syntax.frames = decodeFrames(child)
      default: continue
      }
    }
    return syntax
  }

  private mutating func decodeConfiguration(_ element: XMLElement) -> ConfigurationSyntax {
    let name = ownName(of: element)
    let members = element.children(named: "memberEntity")
    return ConfigurationSyntax(
      name: name, members: members.compactMap { requiredName("name", of: $0) })
  }

  private mutating func decodeComposite(_ element: XMLElement) -> CompositeSyntax {
    let name = ownName(of: element)
    let attributes = element.children(named: "attribute")
    return CompositeSyntax(
      name: name, attributes: attributes.map { decodeAttribute($0, of: name.text) })
  }
}
