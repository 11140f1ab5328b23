import { prefix } from "../work/engineTables.ts"
import { type Invariant } from "./Finding.ts"

/** Whether the engine still has work of this kind to do on what the payload names so. */
const workedOn = (workflow: string, named: string, id: string) => `
  exists (
    select from ${prefix}_messages message
    where message.entity_type = 'Workflow/${workflow}' and message.tag = 'run' and not message.processed
      and message.payload::jsonb ->> '${named}' = ${id}::text
  )`

/** What has to be done is being done: promises that are kept in the same transaction as what they are about. */
export const workInvariants: ReadonlyArray<Invariant> = [
  [
    "Every pending quote is worked on",
    `select id::text as example from quote
      where outcome = 'PENDING' and not ${workedOn("Quote", "quote_id", "quote.id")}`
  ],
  [
    "Every contract that the lender has not confirmed is worked on",
    `select id::text as example from proposal
      where status = 'SUBMITTING' and not ${workedOn("Contract", "proposal_id", "proposal.id")}`
  ]
]
