import Hummingbird
import StoreEngine

/// A middleware that converts the errors of store requests to responses.
struct StoreErrors<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let failure as StoreError {
      let status = failure.reason.status
      if status.kind == .serverError { context.logger.error("\(request.uri.path): \(failure)") }
      let problem = ProblemDetails(failure, status: status)
      var response = try context.responseEncoder.encode(problem, from: request, context: context)
      response.status = status
      response.headers[.contentType] = "application/problem+json"
      if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
      return response
    }
  }
}

extension StoreError.Reason {
  /// The status of the response: 4xx for errors of the client, 503 for temporary errors, otherwise 500.
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .noObject: .notFound
    case .invalidRequest: .badRequest
    case .invalidData: .unprocessableContent
    case .notUnique, .deletionDenied: .conflict
    case .locked, .timedOut, .closed: .serviceUnavailable
    case .notFound, .notAStore, .exists, .unknownVersion, .unsupportedStore, .damaged,
      .readOnly, .inputOutput, .historyIncomplete, .transactionOver, .bug:
      .internalServerError
    }
  }
}

/// The body of an error response (RFC 9457).
private struct ProblemDetails: Encodable {
  struct FieldError: Encodable {
    /// The error code for programs, for example `insert.value`.
    var code: String
    var message: String
    /// The line of an upload, starting at 1.
    var line: Int?
    var help: [String]
  }

  var title: String
  var status: Int
  var errors: [FieldError]

  /// Creates the body of a response. Diagnostics of server errors are omitted, because they may contain file names.
  init(_ failure: StoreError, status: HTTPResponse.Status) {
    title = failure.reason.rawValue
    self.status = status.code
    guard status.kind == .clientError else {
      errors = []
      return
    }
    errors = failure.diagnostics.map { diagnostic in
      FieldError(
        code: diagnostic.code, message: diagnostic.message, line: diagnostic.place?.line,
        help: diagnostic.help.map(\.description))
    }
  }
}
