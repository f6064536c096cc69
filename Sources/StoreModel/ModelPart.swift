/// Something in a model that has a name in the model's file.
package enum ModelPart: Hashable, Sendable {
  case entity(String)
  /// Where an entity inherits it, it is the parent's.
  case property(String, of: String)
  /// A named index; compound indexes have no name.
  case index(String, of: String)
  case template(String)
  case configuration(String)
  case composite(String)
}
