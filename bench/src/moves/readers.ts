import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { UserRepository } from "@lastro/domain/user"
import { type PartnerId, type UserId } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { timed } from "../measure/interleave.ts"
import { type Randomness } from "../measure/Randomness.ts"

/** Pause between two reads of a reader in milliseconds. */
const pause = 20

const page = {
  filters: {},
  page: { number: 0, size: 20 },
  sort: [{ property: "created_at", direction: "desc" }]
} as const

/**
 * Returns the reads that other callers make during the moves: pages of users and partners in several scopes, including
 * that of the root, and single records.
 */
export const reads = Effect.fn("reads")(function*(root: PartnerId, random: Randomness) {
  const sql = yield* SqlClient.SqlClient
  const users = yield* UserRepository
  const partners = yield* PartnerRepository
  const found = yield* sql<{ readonly id: UserId; readonly partner_id: PartnerId }>`
    select id, partner_id from app_user order by md5(id::text) limit 1000`
  const whole = asOperator.scope(root)
  const any = () => found[random.below(found.length)] ?? { id: "" as UserId, partner_id: root }
  return [
    Effect.suspend(() => users.list(whole, page)),
    Effect.suspend(() => users.list(asOperator.scope(any().partner_id), page)),
    Effect.suspend(() => partners.list(whole, page)),
    Effect.suspend(() => users.find(whole, any().id)),
    Effect.suspend(() => partners.find(whole, any().partner_id))
  ]
})

/**
 * Runs the reads one after another, with a pause after each, until interrupted. Records the start and the duration of
 * each read in milliseconds.
 */
export const reader = (
  all: ReadonlyArray<Effect.Effect<unknown>>,
  random: Randomness,
  taken: Array<{ readonly at: number; readonly took: number }>
) =>
  Effect.suspend(() => {
    const at = performance.now()
    return Effect.map(timed(all[random.below(all.length)] ?? Effect.void), (took) => void taken.push({ at, took }))
  }).pipe(Effect.andThen(Effect.sleep(pause)), Effect.forever)
