import { groupBySlug } from "@lastro/domain/identity"
import { cpf, type Draws, instant } from "./expressions.ts"
import { lastCreated } from "./histories.ts"
import { areaCodes, rareFamilyName } from "./names.ts"
import { joinPerson } from "./partners.ts"

/** Users by row number. User 0 is the root's administrator. */
export const createUsers = `
  create temporary table seed_user (n int primary key, id uuid, partner int, created bigint) on commit drop`

/** A prime above every number of partners: multiplying by it shuffles the partners. */
const prime = 2_654_435_761

/** Inserts the users of a range. A few partners have many users, most have few. */
export const insertUsers = (draws: Draws, partners: number) => (from: number, to: number): string => `
  with drawn as materialized (
    select n, case n when 0 then 0 else
      floor(${partners} * ${draws.fraction("owner")} * sqrt(${draws.fraction("owner")}))::bigint
        * ${prime} % ${partners}
    end as partner
    from generate_series(${from}, ${to - 1}) n
  ),
  item as materialized (
    select drawn.n, drawn.partner, owner.id as partner_id, region_id, created,
      ${draws.uuid("user", "created", "drawn.n")} as id,
      ${draws.fraction("group", "drawn.n")} as rank,
      ${draws.oneOf("user area", areaCodes, "drawn.n")} || '9' ||
        ${draws.digits("user phone", 8, "drawn.n")} as phone,
      given.word || '.' || family.word || '.' || drawn.n || '@rede.example' as email,
      given.name || case when is_rare then ' ${rareFamilyName} ' else ' ' end || family.name as name,
      given.folded || case when is_rare then ' ${rareFamilyName.toLowerCase()} ' else ' ' end || family.folded as folded
    from drawn
    join seed_partner owner on owner.n = drawn.partner
    cross join lateral (
      select joined + case drawn.n when 0 then 0 else
          floor((${lastCreated} - joined) * ${draws.fraction("created", "drawn.n")})
        end::bigint as created, ${draws.chance("rare name", 0.0001, "drawn.n")} as is_rare offset 0
    ) more
    ${joinPerson(draws, "user", "drawn.n")}
  ),
  numbered as (insert into seed_user (n, id, partner, created) select n, id, partner, created from item)
  insert into app_user (id, partner_id, root_id, region_id, group_id, status, name, name_folded, email, email_folded,
    email_key, phone, cpf, must_change_password, password_hash, created_at)
  select id, partner_id, (select id from seed_partner where n = 0), region_id,
    case
      when n = 0 or rank < 0.02 then '${groupBySlug("admin").group_id}'
      when rank < 0.12 then '${groupBySlug("manager").group_id}'
      when rank < 0.92 then '${groupBySlug("operator").group_id}'
      else '${groupBySlug("viewer").group_id}'
    end::uuid,
    case when n > 0 and ${draws.chance("inactive user", 0.06)} then 'INACTIVE' else 'ACTIVE' end,
    name, folded, email, email, email, phone, ${cpf("user")}, n > 0 and ${draws.chance("new password", 0.1)},
    $1, ${instant("created")}
  from item`
