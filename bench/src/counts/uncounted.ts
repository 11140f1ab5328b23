import { Effect } from "effect"
import { Statement } from "effect/sql"

/** Matches the part of a statement that records a change of the counts. */
const counting = /\binsert into subtree_count_delta\b[\s\S]*$/

/**
 * Provides a client that rewrites the statement that inserts a user. Both variants use such a client. So they differ
 * only in the part of the statement that records the change of the counts.
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

/** The variant that inserts users and records the changes of the counts. */
export const counted = rewritten((statement) => statement)

/** The variant that inserts users without recording the changes of the counts. */
export const uncounted = rewritten((statement) => statement.replace(counting, "select partner_id from added"))
