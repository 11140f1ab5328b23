import { Schema } from "effect"

/** The path exists, but not with this method. `allow` lists the methods it has. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allow: Schema.Array(Schema.String)
}) {}

/** The body is larger, or nests deeper, than any body of this API has to be. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {}) {}

/** The body is of a type, charset or encoding that is not read here. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {}) {}

/** The body is not well-formed. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", {}) {}

/** Too many requests. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retry_after_seconds: Schema.Int
}) {}

/** Something that is needed, such as the database, cannot be reached just now. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", {}) {}

/** A defect: something happened that nobody meant. */
export class InternalFailure extends Schema.TaggedError<InternalFailure>()("InternalFailure", {}) {}
