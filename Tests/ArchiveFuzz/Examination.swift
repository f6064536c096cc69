import ModelArchives
import StoreLayout
import StoreDiagnostics
import StoreModel
import ModelTools

/// Runs all operations on one compiled model. The result must be a model or an error with a message. Everything else is
/// a finding.
enum Examination {
  /// A compiled model, as a file or as the stream in a store.
  enum Form: CaseIterable {
    case file
    case stream
  }

  enum Answer {
    case model
    case refused(String)
    case finding(String)
  }

  static func examine(_ bytes: [UInt8], as form: Form) -> Answer {
    do {
      let archive = try form == .stream ? ModelCache.decompressed(bytes) : bytes
      return examine(try CompiledModel.decode(archive, name: "Model").model)
    } catch let error as ModelCacheError {
      return .refused(error.reason)
    } catch let error as CompiledModelError {
      let text = error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
      return text.isEmpty ? .finding("an error without words") : .refused(error.fault.reason)
    } catch {
      return .finding("an error of another kind: \(error)")
    }
  }

  /// Checks that a model can be hashed, written as XML and compiled again.
  private static func examine(_ model: DataModel) -> Answer {
    guard VersionHash.hashes(of: model).count == model.entities.count else {
      return .finding("two entities of one name")
    }
    do {
      _ = try ModelXML.text(of: model)
    } catch {
      if error.diagnostics.isEmpty { return .finding("no XML, and no words: \(error)") }
    }
    let compiled = EncodedModel(model, as: .file).bytes
    do {
      _ = try CompiledModel.decode(compiled, name: "Model")
      return .model
    } catch {
      return .finding("compiled again, it is refused: \(error)")
    }
  }
}
