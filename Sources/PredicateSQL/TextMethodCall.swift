import StoreLayout
import SQLiteAccess
import StorePredicate

/// `TEXT_METHOD(selector, text, …)`: the methods of a string that `FUNCTION` calls, as in memory.
enum TextMethodCall {
  static let name = "TEXT_METHOD"

  static func call(_ call: FunctionCall) {
    guard call.arguments.count >= 2, let method = call.text(at: 0).flatMap(TextMethod.init),
      let text = call.text(at: 1)
    else { return call.returnNull() }
    let argument: Value?
    switch method.argument {
    case nil: argument = nil
    case .text?, .number?:
      guard call.arguments.count == 3, !call.isNull(at: 2) else { return call.returnNull() }
      argument =
        method.argument == .text
        ? call.text(at: 2).map(Value.string)
        : call.number(at: 2).map(Value.double)
    }
    call.answer(method.call(on: text, argument).map(SQLiteValue.init) ?? .null)
  }
}
