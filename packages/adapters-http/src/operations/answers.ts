import { existingId, type NotFound } from "@lastro/domain"
import { Effect } from "effect"
import { type Answer, type PathParams } from "../pipeline/Operation.ts"

/** The id of a record that a path names, or the refusal that says that there is none. */
export const idIn = <Id extends string>(params: PathParams, name: string): Effect.Effect<Id, NotFound> =>
  Effect.fromResult(existingId<Id>(params[name] ?? ""))

/** Answers a page, or another list. */
export const listed = (body: unknown): Answer => ({ status: 200, body })

/** Answers one record, with its tag. */
export const detailed = (record: unknown): Answer => ({ status: 200, body: { data: record }, tagged: record })

/** Answers one record that is no `data` of anything, with its tag. */
export const bare = (record: unknown): Answer => ({ status: 200, body: record, tagged: record })

/** Answers that there is nothing to say. */
export const done: Answer = { status: 204 }
