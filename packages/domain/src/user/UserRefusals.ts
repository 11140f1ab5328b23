import { Data } from "effect"

/** Another user has this e-mail, ignoring case. */
export class EmailTaken extends Data.TaggedError("EmailTaken") {}
