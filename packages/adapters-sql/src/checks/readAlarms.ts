import { type NodeAlarm } from "@lastro/domain/adapters"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { lostSeconds } from "../migrations/olderNodes.ts"

/** An alarm of a running node. */
export interface RaisedAlarm {
  readonly alarm: NodeAlarm
  /** The label of the node. */
  readonly node: string
}

/** Reads the alarms of the running nodes. */
export const readAlarms = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<RaisedAlarm>`
      select label as node, unnest(alarms) as alarm from node
      where seen_at > now() - ${lostSeconds} * interval '1 second' order by label, alarm`
).pipe(withoutTransforms, Effect.withSpan("readAlarms"))
