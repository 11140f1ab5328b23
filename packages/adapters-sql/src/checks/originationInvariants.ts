import { type Invariant } from "./Finding.ts"

/** The invariants of origination that hold between records; `checkApplications` knows those that hold within one. */
export const originationInvariants: ReadonlyArray<Invariant> = [
  [
    "At most one offer of an application is accepted",
    "select application_id::text as example from proposal group by application_id having count(*) > 1"
  ],
  [
    "Every application and proposal names the root of its partner's tree",
    `select item.id::text as example
      from (select id, partner_id, root_id from application union all select id, partner_id, root_id from proposal) item
      join partner on partner.id = item.partner_id where item.root_id <> partner.root_id`
  ]
]
