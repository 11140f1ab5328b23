import { Data } from "effect"

/** Nobody deletes itself, nor the partner it belongs to. */
export class SelfDelete extends Data.TaggedError("SelfDelete") {}
