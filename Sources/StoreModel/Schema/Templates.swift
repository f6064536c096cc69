/// The fetch-request templates of models as functions: `storetool generate` adds one for each.
///
///     try await store.fetch(Templates.peopleFR(name: "Ray"))
public enum Templates {}
