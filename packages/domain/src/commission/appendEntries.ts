import { Effect } from "effect"
import { IdGenerator } from "../ports/generators.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type EntryId, type StoredEntry } from "./CommissionEntry.ts"
import { CommissionLedger } from "./CommissionLedger.ts"
import { type DraftEntry } from "./entries.ts"
import { periodOf, periodOfEntry } from "./period.ts"

/**
 * Adds the id and the period (COMM-11) to each entry, appends the entries in the surrounding transaction, and returns
 * them.
 */
export const appendEntries = Effect.fnUntraced(function*(drafts: ReadonlyArray<DraftEntry>, at: Timestamp) {
  if (drafts.length === 0) return []
  const ledger = yield* CommissionLedger
  const ids = yield* IdGenerator
  const partners = drafts.map(({ partner_id }) => partner_id)
  const closed = yield* ledger.closedPeriods(partners, periodOf(saoPauloDate(at)))
  const entries = yield* Effect.forEach(drafts, (draft) =>
    Effect.map(ids.next, (entry_id): StoredEntry => ({
      ...draft,
      entry_id: entry_id as EntryId,
      period: periodOfEntry(at, closed.get(draft.partner_id) ?? new Set())
    })))
  yield* ledger.append(entries)
  return entries
})
