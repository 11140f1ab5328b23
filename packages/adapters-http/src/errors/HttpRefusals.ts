import { Schema } from "effect"

/** The path exists, but does not support the method. `allow` lists the methods it supports. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allow: Schema.Array(Schema.String)
}) {}

/** The request is not valid HTTP/1.1: the header `Host` is missing, repeated or malformed. */
export class MalformedRequest extends Schema.TaggedError<MalformedRequest>()("MalformedRequest", {}) {}

/** The body is larger than the limit, or nested too deeply. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {}) {}

/** The media type, charset or content encoding of the body is not supported. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  /** True if the operation takes a CSV file. Default: false. */
  isCsv: Schema.optionalKey(Schema.Boolean)
}) {}

/** The body is malformed. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", {}) {}

/** The caller sent too many requests. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retry_after_seconds: Schema.Int
}) {}

/** A dependency, such as the database, is temporarily unreachable. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", {}) {}

/** The change may or may not have been made: a dependency was lost while the change was being saved. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {}) {}

/** The request failed because of a defect, such as a bug. */
export class InternalFailure extends Schema.TaggedError<InternalFailure>()("InternalFailure", {}) {}
