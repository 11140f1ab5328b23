import { Data } from "effect"

/** A caller can delete neither itself nor its own partner. */
export class SelfDelete extends Data.TaggedError("SelfDelete") {}
