import { Effect } from "effect"
import { Statement } from "effect/sql"

/** What a statement does that appends a counted change. */
const counting = /\binsert into subtree_count_delta\b[\s\S]*$/

/**
 * Has users inserted by the statement that inserts them, taken apart and put together again: with what it appends for the counts
 * or without. Both ways take the same, so that they differ in nothing but that.
 */
const rewritten = (rewrite: (statement: string) => string) =>
  Effect.provideService(
    Statement.CurrentTransformer,
    (statement, sql) =>
      Effect.sync(() => {
        const [text, parameters] = statement.compile()
        return counting.test(text) ? sql.unsafe(rewrite(text), parameters) : statement
      })
  )

/** Inserts with what is appended for the counts, as it stands. */
export const counted = rewritten((statement) => statement)

/** Inserts without it. */
export const uncounted = rewritten((statement) => statement.replace(counting, "select partner_id from added"))
