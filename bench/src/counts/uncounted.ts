import { Effect } from "effect"
import { Statement } from "effect/sql"

/** The part of a statement that records a change of the counts. */
const counting = /\binsert into subtree_count_delta\b[\s\S]*$/

/**
 * Rewrites the statement that inserts a user, with or without the part that records the change of the counts. Both ways rewrite it,
 * so that only that part differs.
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

/** Inserts users and records the changes of the counts. */
export const counted = rewritten((statement) => statement)

/** Inserts users without changes of the counts. */
export const uncounted = rewritten((statement) => statement.replace(counting, "select partner_id from added"))
