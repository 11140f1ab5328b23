import { cnpj, cpf, type Draws, instant } from "./expressions.ts"
import { lastCreated } from "./histories.ts"
import { addresses, areaCodes, poolSize } from "./names.ts"

/** Leaves lie between level 3, as far as there are partners enough, and level 12. The root is level 1. */
const deepest = 12

/** A subtree of more partners than this becomes a region: the default of `RegionSize`. */
const regionSize = 32

/** Creation of the root, in milliseconds since 1970. */
const rootCreated = Date.UTC(2019, 0, 2, 12)

const partnerAddresses = addresses.map((address) => JSON.stringify({ ...address, district: null }))

/** Joins a person's name: `given` and `family`, drawn by the person's row number. */
export const joinPerson = (draws: Draws, kind: string, row: string): string => `
  join seed_name given on given.kind = 'given' and given.place = ${draws.below(`${kind} given`, poolSize, row)}
  join seed_name family on family.kind = 'family' and family.place = ${draws.below(`${kind} family`, poolSize, row)}`

/** Draws the tree into `seed_partner`, with the path of each partner from the root. A few branches are large, many small. */
export const createPartners = (partners: number, draws: Draws): ReadonlyArray<string> => {
  const branches = Math.max(1, Math.min(Math.floor((partners - 1) / 2), Math.ceil(Math.sqrt(partners) / 3)))
  return [
    `create temporary table seed_partner on commit drop as
    with recursive drawn as (
      select n, case
        when n <= ${branches} then 0
        when n <= ${2 * branches} then n - ${branches}
        else 1 + ${draws.skewed("parent", "(n - 1)")}
      end as parent
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
    "analyze seed_partner"
  ]
}

/** Inserts the partners of a range. */
export const insertPartners = (draws: Draws) => (from: number, to: number): string => `
  insert into partner (id, parent_id, root_id, region_id, person_type, status, name, name_folded, email, email_folded,
    phone, document_number, pix, address, bank_account, created_at)
  select id, parent_id, root_id, region_id, person_type, status, name, folded, email, email, phone,
    case person_type when 'pf' then ${cpf("partner")} else ${cnpj()} end,
    case when ${draws.chance("pix", 0.6)} then jsonb_build_object('key', email, 'type', 'EMAIL') end,
    case when ${draws.chance("address", 0.7)} then ${draws.oneOf("partner address", partnerAddresses)}::jsonb end,
    case when ${draws.chance("account", 0.4)} then jsonb_build_object('type', 'CC', 'bank_code', '104',
      'agency', ${draws.digits("branch", 4)}, 'agency_digit', null, 'account_number', ${draws.digits("account", 8)},
      'account_digit', ${draws.digits("check", 1)}) end,
    ${instant("joined")}
  from (
    select partner.*, above.id as parent_id, root.id as root_id,
      ${draws.oneOf("area", areaCodes, "partner.n")} || '9' || ${draws.digits("phone", 8, "partner.n")} as phone,
      case when is_person then 'pf' else 'pj' end as person_type,
      case when is_person then given.name || ' ' || family.name else company.name end as name,
      case when is_person then given.folded || ' ' || family.folded else company.folded end as folded,
      case when partner.n > 0 and ${draws.chance("inactive", 0.03, "partner.n")} then 'inactive' else 'active'
      end as status,
      'parceiro.' || partner.n || '@rede.example' as email
    from (
      select *, ${draws.chance("person", 0.15)} as is_person from seed_partner where n >= ${from} and n < ${to}
    ) partner
    join seed_partner root on root.n = 0
    left join seed_partner above on above.n = partner.parent
    join seed_name company
      on company.kind = 'company' and company.place = ${draws.below("company", poolSize, "partner.n")}
    ${joinPerson(draws, "partner", "partner.n")}
  ) partner`

/** Indexes the hierarchy: the regions and single partners of every subtree. */
export const indexHierarchy = `
  with regions as (
    insert into subtree_region (top_id, region_id)
  select top.id, region.id
  from seed_partner region cross join unnest(region.path) above join seed_partner top on top.n = above
  where region.region_id = region.id order by 1, 2
  )
  insert into subtree_partner (top_id, partner_id)
  select top.id, partner.id
  from seed_partner partner cross join unnest(partner.path) above join seed_partner top on top.n = above
  where partner.region_id <> partner.id and top.region_id = partner.region_id and top.id <> top.region_id
  order by 1, 2`

/** Counts partners, users and proposals in every subtree. */
export const countSubtrees = `
  insert into subtree_count (partner_id, partners, users, proposals)
  select top.id, count(*), coalesce(sum(users.count), 0), coalesce(sum(proposals.count), 0)
  from seed_partner partner
  left join (select partner_id as id, count(*) from app_user group by partner_id) users using (id)
  left join (select partner_id as id, count(*) from proposal group by partner_id) proposals using (id)
  cross join unnest(partner.path) above join seed_partner top on top.n = above
  group by top.id`
