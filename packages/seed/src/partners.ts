import { cnpj, cpf, type Draws, folded, instant } from "./expressions.ts"
import { type Timeline } from "./histories.ts"
import { address, familyNames, trades } from "./names.ts"

/**
 * The deepest level of the tree. The root is on level 1. Every leaf is on level 3 or deeper, unless there are fewer
 * than three partners.
 */
const deepest = 12

/** Maximum number of partners in a subtree without its own region. Equal to the default of `RegionSize`. */
const regionSize = 32

const rootCreated = Date.UTC(2019, 0, 2, 12)

/**
 * Returns the statements that create a random tree in the table `seed_partner`, with the path from the root to each
 * partner. A few branches are large, and most are small.
 */
export const createPartners = (partners: number, draws: Draws, { lastCreated }: Timeline): ReadonlyArray<string> => {
  const branches = Math.max(1, Math.min(Math.floor((partners - 1) / 2), Math.ceil(Math.sqrt(partners) / 3)))
  return [
    `create temporary table seed_partner on commit drop as
    with recursive drawn as (
      select n, case when n <= ${branches} then 0 when n <= ${2 * branches} then n - ${branches}
        else 1 + ${draws.skewed("parent", "(n - 1)")} end as parent
      from generate_series(1, ${partners - 1}) n
    ),
    tree (n, path, joined) as (
      select 0, array[0], ${rootCreated}::bigint
      union all
      select drawn.n, path[:${deepest - 1}] || drawn.n,
        joined + 1 + ${draws.skewed("joined", `(${lastCreated} - joined)`, "drawn.n")}
      from tree join drawn on parent = tree.n
    )
    select n, path, cardinality(path) as level, path[cardinality(path) - 1] as parent, joined,
      ${draws.uuid("partner", "joined")} as id, 1 as counted, null::uuid as region_id
    from tree`,
    "alter table seed_partner add primary key (n)",
    // From the leaves up: counts the partners of each subtree, without those in regions of their own.
    ...Array.from({ length: deepest - 1 }, (_, above) => `
    update seed_partner set counted = 1 + below.counted
    from (
      select parent, sum(counted)::int as counted from seed_partner
      where level = ${deepest - above} and counted <= ${regionSize} group by parent
    ) below
    where n = below.parent`),
    `with recursive cut (n, region_id) as (
      select n, id from seed_partner where level = 1
      union all
      select child.n, case when counted > ${regionSize} then id else cut.region_id end
      from cut join seed_partner child on child.parent = cut.n
    )
    update seed_partner set region_id = cut.region_id from cut where cut.n = seed_partner.n`,
    `create temporary table seed_subtree on commit drop as
    select top.id as top_id, top.region_id as top_region, below.id, below.region_id
    from seed_partner below cross join unnest(below.path) above join seed_partner top on top.n = above`,
    "analyze seed_partner, seed_subtree"
  ]
}

/** Returns a function that makes the statement for inserting the partners in a range of row numbers. */
export const insertPartners = (draws: Draws) => (from: number, to: number): string => `
  insert into partner (id, parent_id, root_id, region_id, person_type, status, name, name_folded, email, email_folded,
    phone, document_number, pix, address, created_at)
  select id, parent_id, root_id, region_id, person_type, status, name, ${folded("name")}, email, email,
    ${draws.phone("partner")}, case person_type when 'pf' then ${cpf("partner")} else ${cnpj("n")} end,
    case when ${draws.chance("pix", 0.6)} then jsonb_build_object('key', email, 'type', 'EMAIL') end,
    case when ${draws.chance("address", 0.7)} then jsonb '${JSON.stringify({ ...address, district: null })}'
      || jsonb_build_object('number', ${draws.digits("number", 3)}) end,
    ${instant("joined")}
  from (
    select partner.*, above.id as parent_id, root.id as root_id, 'parceiro.' || partner.n || '@rede.example' as email,
      case when is_person then 'pf' else 'pj' end as person_type,
      case when is_person then ${draws.personName("partner", "partner.n")}
        else ${draws.frequent("company", familyNames, "partner.n")} || ' ' || ${
  draws.oneOf("trade", trades, "partner.n")
}
      end as name,
      case when partner.n > 0 and ${draws.chance("inactive", 0.03, "partner.n")} then 'inactive' else 'active'
      end as status
    from (
      select *, ${draws.chance("person", 0.15)} as is_person from seed_partner where n >= ${from} and n < ${to}
    ) partner
    join seed_partner root on root.n = 0
    left join seed_partner above on above.n = partner.parent
    offset 0
  ) partner`

/**
 * Fills the hierarchy index. A region is a connected part of the partner tree. For each subtree, `subtree_region` lists
 * the regions that are entirely in it, and `subtree_partner` lists its other partners.
 */
export const indexHierarchy = `
  with regions as (
    insert into subtree_region (top_id, region_id) select top_id, id from seed_subtree where id = region_id order by 1, 2
  )
  insert into subtree_partner (top_id, partner_id) select top_id, id from seed_subtree
  where id <> region_id and top_region = region_id and top_id <> top_region order by 1, 2`

const stages = ["QUOTING", "REJECTED", "QUOTE_FAILED", "CONTRACTING", "CONTRACTED", "REFUNDING", "CANCELLED"]

/** The count columns of applications by status, each with its SQL condition on an application. */
const stageCounts: ReadonlyArray<readonly [column: string, condition: string]> = [
  ...stages.map((stage) => [`applications_${stage.toLowerCase()}`, `stage = '${stage}'`] as const),
  ["applications_quoted", "stage = 'QUOTED' and live_until > folded_until"],
  ["applications_expired", "stage = 'QUOTED' and live_until <= folded_until"]
]

/**
 * Counts partners, users, proposals and applications in every subtree. Offers that have expired by now count as
 * expired.
 */
export const countSubtrees = `
  with folded as (
    update application_expiry_fold set folded_until = greatest(folded_until, (
      select max(live_until) from application where live_until <= now() - interval '1 minute'
    )) returning folded_until
  ),
  expiring as (
    insert into application_expiry (partner_id, due_at, applications)
    select partner_id, live_until, count(*) from application, folded where live_until > folded_until
    group by partner_id, live_until
  ),
  staged as (
    select partner_id as id, count(*) as applications, ${
  stageCounts.map(([column, condition]) => `count(*) filter (where ${condition}) as ${column}`).join(", ")
}
    from application, folded group by partner_id
  )
  insert into subtree_count (partner_id, partners, users, proposals, applications, ${
  stageCounts.map(([column]) => column).join(", ")
})
  select top_id, count(*), coalesce(sum(users.count), 0), coalesce(sum(proposals.count), 0), coalesce(sum(applications), 0), ${
  stageCounts.map(([column]) => `coalesce(sum(${column}), 0)`).join(", ")
}
  from seed_subtree
  left join staged using (id)
  left join (select partner_id as id, count(*) from app_user group by partner_id) users using (id)
  left join (select partner_id as id, count(*) from proposal group by partner_id) proposals using (id)
  group by top_id`
