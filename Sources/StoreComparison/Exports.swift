// A file that imports this module can use the types in its public declarations without other imports.
@_exported public import StoreEngine
