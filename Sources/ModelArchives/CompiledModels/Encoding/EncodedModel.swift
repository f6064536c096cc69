package import StoreModel

/// The archive of a model, and what of the model is not in it.
package struct EncodedModel: Hashable, Sendable {
  /// Where an archive is put. Core Data has looked through the model that it puts into a store:
  /// sub-entities have copies of what they inherit, and the indexes that a flag asks for have names.
  package enum Form: Hashable, Sendable {
    /// A `.mom`, as Xcode's compiler writes it.
    case file
    /// What a store carries.
    case store
  }

  /// A part of the model that can't be archived.
  package struct Omission: Hashable, Sendable {
    package var part: ModelPart
    package var reason: String
  }

  package var bytes: [UInt8]
  package var omissions: [Omission]

  /// The same model gives the same bytes.
  package init(_ model: Model, as form: Form = .file) {
    var encoder = ModelEncoder(model: model, form: form)
    bytes = encoder.encode()
    omissions = encoder.omissions
  }
}
