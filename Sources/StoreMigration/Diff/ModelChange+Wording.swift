import StoreModel
import StorePredicate

/// A change in words.
///
/// `code` is stable, for scripts: `attribute.type`. `old` and `new` are what was and what is, where
/// the change is a replacement; `detail` is for people and says all of it.
package struct ChangeWording: Hashable, Sendable {
  package let code: String
  package let detail: String
  package let old: String?
  package let new: String?

  init(_ code: String, _ detail: String, old: String? = nil, new: String? = nil) {
    self.code = code
    self.detail = detail
    self.old = old
    self.new = new
  }

  /// `optional → required`
  init(_ code: String, from old: String, to new: String) {
    self.init(code, "\(old) → \(new)", old: old, new: new)
  }

  /// `inverse: list → lists`; what is not there is `none`.
  init(_ code: String, _ label: String, _ old: String?, _ new: String?) {
    self.init(code, "\(label): \(old ?? "none") → \(new ?? "none")", old: old, new: new)
  }

  static func identifierMismatch(
    _ subject: String, losing loss: String, _ change: Replacement<String>
  ) -> ChangeWording {
    ChangeWording(
      "\(subject).identifier-mismatch",
      "renaming identifiers differ ('\(change.old)' → '\(change.new)'), so that Core Data drops the \(loss)",
      old: change.old, new: change.new)
  }

  static func onOff(_ code: String, _ label: String, _ isOn: Bool) -> ChangeWording {
    ChangeWording(code, isOn ? label : "no longer \(label)")
  }

  static func userInfo(_ subject: String, _ keys: [String]) -> ChangeWording {
    ChangeWording(
      "\(subject).user-info", "user info: " + keys.map { "'\($0)'" }.joined(separator: ", "))
  }
}

extension ModelChange {
  package var wording: ChangeWording {
    switch kind {
    case .entity(_, let change): change.wording
    case .attribute(_, _, let change): change.wording
    case .relationship(_, _, let change): change.wording
    case .fetchedProperty(_, _, let change): change.wording(of: "fetched-property")
    case .template(_, let change): change.wording(of: "template")
    case .composite(_, let change): change.wording(of: "composite")
    case .configuration(_, let change): change.wording
    case .versionIdentifiers(let change):
      ChangeWording(
        "model.identifiers", "version identifiers", change.old.joined(separator: ", "),
        change.new.joined(separator: ", "))
    }
  }
}

extension DefinitionChange {
  fileprivate func wording(of subject: String) -> ChangeWording {
    switch self {
    case .added: ChangeWording("\(subject).added", "added")
    case .removed: ChangeWording("\(subject).removed", "removed")
    case .changed(let aspects):
      ChangeWording("\(subject).changed", "changed: \(aspects.joined(separator: ", "))")
    }
  }
}

extension ConfigurationChange {
  fileprivate var wording: ChangeWording {
    switch self {
    case .added(let members):
      ChangeWording("configuration.added", "added with \(members.joined(separator: ", "))")
    case .removed: ChangeWording("configuration.removed", "removed")
    case .members(let added, let removed):
      ChangeWording(
        "configuration.members",
        (added.map { "with \($0)" } + removed.map { "without \($0)" }).joined(separator: ", "))
    }
  }
}

extension String? {
  /// `; may be 'title' renamed, without an elementID`
  var renameHint: String {
    map { "; looks like '\($0)' renamed, without an elementID" } ?? ""
  }

  /// `; its elementID 'x' has no counterpart`
  func idleIdentifier(unless resembles: String?) -> String {
    guard resembles == nil else { return "" }
    return map { "; its elementID '\($0)' has no counterpart" } ?? ""
  }
}
