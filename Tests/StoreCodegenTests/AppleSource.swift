import Foundation
import StoreCodegen
import StoreModel
import StoreModelReader

/// Generated classes, with the app's own classes.
struct AppleSource: Sendable {
  /// The name of the file.
  var name: String
  var text: String
  /// The classes that the model names and that the generated file doesn't declare.
  var own: String

  init(_ bundle: ModelBundle, _ style: SourceStyle, allVersions: Bool = false) throws {
    let compiler = ModelCompiler(
      bundle, includesAllVersions: allVersions, access: .public, style: style)
    text = try compiler.compile().text
    name = compiler.fileName
    let versions =
      allVersions ? bundle.versions.filter(\.isReadable) : [try bundle.requireCurrentVersion()]
    let entities = try versions.flatMap { try $0.read().model.entities }
    let customs = entities.flatMap(\.attributes).compactMap(\.customClassName).sorted()
    own = Self.own(customs, beside: text, module: style == .swiftData ? "Foundation" : "CoreData")
  }

  /// The top-level names of both files, which other files of the module must not declare.
  var declared: Set<String> {
    Set(
      (text + own).matches(of: /(?m)^(?:public )?(?:final )?(?:class|struct|enum|typealias) (\w+)/)
        .map { String($0.1) })
  }

  private static func own(_ customs: [String], beside text: String, module: String) -> String {
    func names(_ pattern: Regex<(Substring, Substring)>) -> Set<String> {
      Set(text.matches(of: pattern).map { String($0.1) })
    }
    let classes = names(/class (\w+)/)
    var declarations = names(/(?m)^extension (\w+)/).subtracting(classes)
      .map { "public class \($0): NSManagedObject {}" }
    var known = classes.union(foundation)
    for custom in customs {
      let parts = custom.matches(of: /[A-Za-z_][\w.]*/).map { String($0.0) }
      for part in parts where known.insert(part).inserted {
        let names = part.split(separator: ".")
        let inner = "public class \(names.last ?? ""): NSObject {}"
        declarations.append(names.count == 2 ? "public enum \(names[0]) { \(inner) }" : inner)
      }
    }
    let open = declarations.isEmpty ? "" : "public "
    return (["\(open)import \(module)"] + declarations.sorted()).joined(separator: "\n") + "\n"
  }

  /// The types of custom classes.
  private static let foundation: Set<String> = [
    "Any", "Array", "Bool", "Data", "Date", "Decimal", "Dictionary", "Double", "Float", "Int",
    "Int16", "Int32", "Int64", "NSArray", "NSData", "NSDate", "NSDecimalNumber", "NSDictionary",
    "NSNumber", "NSObject", "NSOrderedSet", "NSSet", "NSString", "NSURL", "Set", "String", "URL",
    "UUID",
  ]
}
