import { type Invariant } from "./Finding.ts"

/**
 * Selects a pair for each partner and each of its ancestors, and a pair for each partner and itself, by following
 * `parent_id`. Stops at a cycle.
 */
const walk = `
  with recursive walk (descendant_id, ancestor_id, path) as (
    select id, id, array[id] from partner
    union all
    select walk.descendant_id, partner.parent_id, walk.path || partner.parent_id
    from walk join partner on partner.id = walk.ancestor_id
    where partner.parent_id is not null and not partner.parent_id = any(walk.path)
  )`

/** Selects the same pairs from the hierarchy index. */
const indexed = `
  indexed as (
    select top_id as ancestor_id, partner_id as descendant_id from subtree_partner
    union all
    select top_id, partner.id from subtree_region join partner using (region_id)
  )`

const counts = `
  own as (
    select partner.id, (partner.deleted_at is null)::int as partners, (
      select count(*) from app_user where app_user.partner_id = partner.id and app_user.deleted_at is null
    ) as users, (
      select count(*) from proposal where proposal.partner_id = partner.id
    ) as proposals
    from partner
  ),
  real as (
    select walk.ancestor_id as id, sum(own.partners) as partners, sum(own.users) as users,
      sum(own.proposals) as proposals
    from walk join own on own.id = walk.descendant_id group by walk.ancestor_id
  ),
  pending as (
    select walk.ancestor_id as id, sum(delta.partners) as partners, sum(delta.users) as users,
      sum(delta.proposals) as proposals
    from subtree_count_delta delta join walk on walk.descendant_id = delta.partner_id group by walk.ancestor_id
  )`

/** The invariants of the hierarchy. */
export const hierarchyInvariants: ReadonlyArray<Invariant> = [
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
    "Every proposal has the region_id of its partner",
    `select proposal.id::text as example
      from proposal join partner on partner.id = proposal.partner_id where proposal.region_id <> partner.region_id`
  ],
  [
    "Maintained counts equal the actual counts",
    `${walk}, ${counts} select real.id::text as example
      from real left join subtree_count folded on folded.partner_id = real.id left join pending on pending.id = real.id
      where folded.partner_id is null
        or folded.partners + coalesce(pending.partners, 0) <> real.partners
        or folded.users + coalesce(pending.users, 0) <> real.users
        or folded.proposals + coalesce(pending.proposals, 0) <> real.proposals`
  ],
  [
    "A deleted partner has no children and no users",
    `select partner.id::text as example from partner
      where deleted_at is not null and (
        exists (select from partner child where child.parent_id = partner.id and child.deleted_at is null)
        or exists (select from app_user where app_user.partner_id = partner.id and app_user.deleted_at is null)
      )`
  ]
]
