import { NotFound, parseUuid } from "@lastro/domain"
import { Effect, Option, Result } from "effect"
import { type Answer, type PathParams } from "../pipeline/Operation.ts"

/** The id that a path names; none where it is malformed, which is then no record's id. */
export const idIn = <Id extends string>(params: PathParams, name: string): Option.Option<Id> =>
  Option.map(Result.getSuccess(parseUuid(params[name] ?? "")), (id) => id as Id)

/** An id that a record may have, or the refusal that says that none has it. */
export const existing = <Id extends string>(id: Option.Option<Id>): Effect.Effect<Id, NotFound> =>
  Option.isSome(id) ? Effect.succeed(id.value) : Effect.fail(new NotFound())

/** Answers a page, or another list. */
export const listed = (body: unknown): Answer => ({ status: 200, body })

/** Answers one record, with its tag. */
export const detailed = (record: unknown): Answer => ({ status: 200, body: { data: record }, tagged: record })

/** Answers one record that is no `data` of anything, with its tag. */
export const bare = (record: unknown): Answer => ({ status: 200, body: record, tagged: record })

/** Answers that there is nothing to say. */
export const done: Answer = { status: 204 }
