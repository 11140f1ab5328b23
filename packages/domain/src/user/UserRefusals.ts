import { Data } from "effect"

/** Another user has this e-mail, in whatever letter case. */
export class EmailTaken extends Data.TaggedError("EmailTaken") {}
