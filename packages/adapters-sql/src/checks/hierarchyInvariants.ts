import {
  type ApplicationCount,
  applicationCounts,
  changeAtExpiry,
  countColumns,
  eachCount
} from "../hierarchy/countColumns.ts"
import { type Invariant } from "./Finding.ts"

/** Selects each partner with itself and with each of its ancestors. Follows `parent_id`, and stops at a cycle. */
const walk = `
  with recursive walk (descendant_id, ancestor_id, path) as (
    select id, id, array[id] from partner
    union all
    select walk.descendant_id, partner.parent_id, walk.path || partner.parent_id
    from walk join partner on partner.id = walk.ancestor_id
    where partner.parent_id is not null and not partner.parent_id = any(walk.path)
  )`

/** Selects the same pairs as {@link walk}, from the hierarchy index. */
const indexed = `
  indexed as (
    select top_id as ancestor_id, partner_id as descendant_id from subtree_partner
    union all
    select top_id, partner.id from subtree_region join partner using (region_id)
  )`

/**
 * Returns the SQL expression that counts a partner's own applications for one count column. Counts every QUOTED
 * application as EXPIRED, so the result does not depend on the clock.
 */
const ownApplications = (column: ApplicationCount): string => {
  const status = column.slice("applications_".length).toUpperCase()
  return status === "QUOTED"
    ? "0"
    : `count(*) filter (where stage = '${status === "EXPIRED" ? "QUOTED" : status}')`
}

/**
 * Selects the counts of each partner's own records. `countApplications` returns the SQL expression for one count
 * column.
 */
export const ownCounts = (countApplications: (column: ApplicationCount) => string): string => `
  own as (
    select partner.id, partner.region_id, (partner.deleted_at is null)::int as partners, (
      select count(*) from app_user where app_user.partner_id = partner.id and app_user.deleted_at is null
    ) as users, (
      select count(*) from proposal where proposal.partner_id = partner.id
    ) as proposals, owned.*
    from partner cross join lateral (
      select count(*) as applications, ${
  applicationCounts.map((applicationCount) => `${countApplications(applicationCount)} as ${applicationCount}`).join(
    ", "
  )
}
      from application where application.partner_id = partner.id
    ) owned
  )`

const counts = `${ownCounts(ownApplications)},
  real as (
    select walk.ancestor_id as id, ${eachCount((column) => `sum(own.${column}) as ${column}`)}
    from walk join own on own.id = walk.descendant_id group by walk.ancestor_id
  ),
  change as (
    select partner_id, ${eachCount((column) => column)} from subtree_count_delta
    union all
    select partner_id, ${eachCount((column) => changeAtExpiry[column] ?? "0")} from application_expiry
  ),
  pending as (
    select walk.ancestor_id as id, ${eachCount((column) => `sum(change.${column}) as ${column}`)}
    from change join walk on walk.descendant_id = change.partner_id group by walk.ancestor_id
  )`

/** Selects the actual number of applications in each place, per tree, region and partner. */
export const placeCounts = `
  select part.part, part.part_id, place, count(*) as applications
  from application cross join lateral (
    values ('tree', root_id), ('region', region_id), ('partner', partner_id)
  ) part (part, part_id)
  where place is not null group by part.part, part.part_id, place`

/** The stored counts of applications per place, with the changes that are not added yet, equal {@link placeCounts}. */
export const placeInvariants: ReadonlyArray<Invariant> = [
  [
    "Maintained counts of places equal the actual counts",
    `select part_id::text as example from (
        ${placeCounts}
        union all select part, part_id, place, -applications from application_place_count
        union all
        select part.part, part.part_id, place, -applications
        from application_place_delta cross join lateral (
          values ('tree', root_id), ('region', region_id), ('partner', partner_id)
        ) part (part, part_id)
      ) counts group by part, part_id, place having sum(applications) <> 0`
  ]
]

export const countInvariants: ReadonlyArray<Invariant> = [
  [
    "Maintained counts equal the actual counts",
    `${walk}, ${counts} select real.id::text as example
      from real left join subtree_count folded on folded.partner_id = real.id left join pending on pending.id = real.id
      where folded.partner_id is null
        or ${
      countColumns.map((column) => `folded.${column} + coalesce(pending.${column}, 0) <> real.${column}`).join(" or ")
    }`
  ],
  [
    "Every expiry of offers that is not part of the counts is pending",
    `select partner_id::text as example from (
        select partner_id, live_until as at, 1 as applications from application
        where live_until > (select folded_until from application_expiry_fold)
        union all
        select partner_id, due_at, -applications from application_expiry
        where due_at > (select folded_until from application_expiry_fold)
      ) expiry group by partner_id, at having sum(applications) <> 0`
  ]
]

/**
 * The invariants of the tree, of the hierarchy index, and of the columns `root_id` and `region_id` that other tables
 * copy.
 */
export const structureInvariants: ReadonlyArray<Invariant> = [
  [
    "No partner is its own ancestor",
    `${walk} select walk.descendant_id::text as example
      from walk join partner on partner.id = walk.ancestor_id and partner.parent_id = walk.descendant_id`
  ],
  [
    "The hierarchy index has every ancestor of every partner",
    `${walk}, ${indexed} select ancestor_id || ' above ' || descendant_id as example
      from (select ancestor_id, descendant_id from walk except all select ancestor_id, descendant_id from indexed) x`
  ],
  [
    "The hierarchy index has only ancestors, each of them once",
    `${walk}, ${indexed} select ancestor_id || ' above ' || descendant_id as example
      from (select ancestor_id, descendant_id from indexed except all select ancestor_id, descendant_id from walk) x`
  ],
  [
    "The root_id of every partner is the root of its tree",
    `${walk} select walk.descendant_id::text as example
      from walk join partner top on top.id = walk.ancestor_id and top.parent_id is null
      join partner on partner.id = walk.descendant_id where partner.root_id <> top.id`
  ],
  [
    "Every user has the root_id and, unless deleted, the region_id of its partner",
    `select app_user.id::text as example
      from app_user join partner on partner.id = app_user.partner_id
      where app_user.root_id <> partner.root_id
        or app_user.region_id <> partner.region_id and app_user.deleted_at is null`
  ],
  [
    "Every application has the region_id of its partner",
    `select application.id::text as example
      from application join partner on partner.id = application.partner_id
      where application.region_id <> partner.region_id`
  ],
  [
    "Every proposal has the region_id of its partner",
    `select proposal.id::text as example
      from proposal join partner on partner.id = proposal.partner_id where proposal.region_id <> partner.region_id`
  ],
  [
    "Every application and proposal has the root_id of its partner",
    `select item.id::text as example
      from (select id, partner_id, root_id from application union all select id, partner_id, root_id from proposal) item
      join partner on partner.id = item.partner_id where item.root_id <> partner.root_id`
  ]
]

export const hierarchyInvariants: ReadonlyArray<Invariant> = [
  ...structureInvariants,
  ...countInvariants,
  ...placeInvariants,
  [
    "A deleted partner has no children and no users",
    `select partner.id::text as example from partner
      where deleted_at is not null and (
        exists (select from partner child where child.parent_id = partner.id and child.deleted_at is null)
        or exists (select from app_user where app_user.partner_id = partner.id and app_user.deleted_at is null)
      )`
  ]
]
