import { Schema } from "effect"

/** Nobody deletes itself, nor the partner it belongs to. */
export class SelfDelete extends Schema.TaggedError<SelfDelete>()("SelfDelete", {}) {}
