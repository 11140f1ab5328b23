import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type ListedTable } from "./Listing.ts"

/**
 * Selects records of each part of a subtree. A part is a whole region, or a single partner that is not in a whole
 * region of the subtree. `selectItems` returns the query for one part. Its argument is the SQL condition that limits
 * the query to this part.
 */
export const selectParts = (
  sql: SqlClient.SqlClient,
  { owner }: Pick<ListedTable, "owner">,
  top: Fragment,
  selectItems: (within: Fragment) => Fragment
): Fragment =>
  sql`(
    select item.* from subtree_region part cross join lateral (${
    selectItems(sql`item.region_id = part.region_id`)
  }) item
    where part.top_id = ${top}
  ) union all (
    select item.* from subtree_partner part cross join lateral (
      ${selectItems(sql`${sql.literal(`item.${owner}`)} = part.partner_id`)}
    ) item where part.top_id = ${top}
  )`
