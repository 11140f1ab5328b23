import { groupBySlug } from "@lastro/domain/access"
import { cpf, type Draws, folded, instant } from "./expressions.ts"
import { roundMs, rounds, type Timeline } from "./histories.ts"
import { rareFamilyName } from "./names.ts"

/**
 * Creates the temporary table of users. Its key `n` is the row number. User 0 is the root's administrator.
 * `first_round` is the first round of histories (see `rounds`) that starts after the user was created.
 */
export const createUsers = `
  create temporary table seed_user (n int primary key, id uuid, partner_id uuid, region_id uuid, first_round int)
  on commit drop`

/**
 * A prime larger than the largest number of partners. Multiplication by it, modulo the number of partners, distributes
 * users over the partners in a mixed order.
 */
const prime = 2_654_435_761

/** Of 40 users, the number in each group. */
const shares = { admin: 1, manager: 4, viewer: 3, operator: 32 } as const
const groups = (["admin", "manager", "viewer", "operator"] as const)
  .flatMap((slug) => Array.from({ length: shares[slug] }, () => groupBySlug(slug).group_id))

/**
 * Returns a function that makes the statement for inserting the users in a range of row numbers. A few partners have
 * many users; most have few.
 */
export const insertUsers =
  (draws: Draws, partners: number, { firstOpened, lastCreated }: Timeline) => (from: number, to: number): string => `
  with drawn as (
    select n, ${draws.personName("user")} ||
        case when ${draws.chance("rare name", 0.0001)} then ' ${rareFamilyName}' else '' end as name,
      case n when 0 then 0 else
        floor(${partners} * ${draws.fraction("owner")} * sqrt(${
    draws.fraction("owner")
  }))::bigint * ${prime} % ${partners}
      end as partner
    from generate_series(${from}, ${to - 1}) n
  ),
  item as materialized (
    select item.*, ${draws.uuid("user", "created")} as id,
      replace(folded, ' ', '.') || '.' || n || '@rede.example' as email
    from (
      select drawn.*, ${folded("name")} as folded, owner.id as partner_id, region_id, joined +
        case drawn.n when 0 then 0 else ${draws.below("created", `(${lastCreated} - joined)`, "drawn.n")} end as created
      from drawn join seed_partner owner on owner.n = drawn.partner offset 0
    ) item
  ),
  numbered as (
    insert into seed_user
    select n, id, partner_id, region_id,
      least(${rounds - 1}, greatest(0, ceil((created - ${firstOpened}) / ${roundMs}::float8)))
    from item
  )
  insert into app_user (id, partner_id, root_id, region_id, group_id, status, name, name_folded, email, email_folded,
    email_key, phone, cpf, must_change_password, password_hash, created_at)
  select id, partner_id, (select id from seed_partner where n = 0), region_id,
    (case n when 0 then '${groupBySlug("admin").group_id}' else ${draws.oneOf("group", groups)} end)::uuid,
    case when n > 0 and ${draws.chance("inactive user", 0.06)} then 'INACTIVE' else 'ACTIVE' end,
    name, folded, email, email, email, ${draws.phone("user")}, ${cpf("user")},
    n > 0 and ${draws.chance("new password", 0.1)}, $1, ${instant("created")}
  from item`
