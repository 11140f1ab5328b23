import { maskCpf } from "@lastro/domain/documents"
import { acceptedTerms, isContracted, proposalListItem } from "@lastro/domain/proposal"
import { array, cpf, type Draws, instant, proposalNumber } from "./expressions.ts"
import {
  classes,
  firstOpened,
  growHistory,
  idNames,
  idSlot,
  roundMs,
  rounds,
  shiftMs,
  textSlot,
  unusualEndings
} from "./histories.ts"
import { areaCodes, poolSize } from "./names.ts"
import { joinPerson } from "./partners.ts"

/** SQL for each placeholder of a history, over the columns of `item` in {@link insertApplications}. */
const fillers = (draws: Draws): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(idNames.map((name) => [idSlot(name), draws.uuid(name, "opened")])),
  [idSlot("root")]: "(select id from seed_partner where n = 0)",
  [idSlot("region")]: "region_id",
  [idSlot("partner")]: "partner_id",
  [idSlot("opener")]: "opener_id",
  [textSlot("cpf")]: "cpf",
  [textSlot("masked_cpf")]: "'***.' || substr(cpf, 4, 3) || '.' || substr(cpf, 7, 3) || '-**'",
  [textSlot("birth_date")]: "to_char(birth_date, 'YYYY-MM-DD')",
  [textSlot("name")]: "given.name || ' ' || family.name",
  [textSlot("folded")]: "given.folded || ' ' || family.folded",
  [textSlot("mother_name")]: "mother.name || ' ' || family.name",
  [textSlot("email")]: "given.word || '.' || family.word || '.' || customer || '@correio.example'",
  [textSlot("phone")]: `${draws.oneOf("customer area", areaCodes, "customer")} || '9' ||
    ${draws.digits("customer phone", 8, "customer")}`,
  [textSlot("document")]: draws.digits("document", 8, "customer"),
  [textSlot("account")]: draws.digits("customer account", 8, "customer"),
  [textSlot("external_id")]: "'pedido-' || n + 1",
  [textSlot("number")]: proposalNumber(draws)
})

const fillerTexts = (draws: Draws): string =>
  Object.values(fillers(draws)).map((expression) => `(${expression})::text`).join(", ")

/** Creates the histories, which {@link insertApplications} spreads over the applications. */
export const createHistories = `
  create temporary table seed_history (
    n int primary key, times bigint[], opened bigint, application text, quotes text, proposal text
  ) on commit drop`

/** Inserts histories from a JSON array. */
export const insertHistories = `
  insert into seed_history
  select * from json_to_recordset($1::json)
    as (n int, times bigint[], opened bigint, application text, quotes text, proposal text)`

const placeholder = /~\w+~|00000000-0000-7000-8000-\d{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/**
 * Returns the history `n` of a seed as rows of the tables, in JSON. The arguments of `format` are the placeholders, then the
 * instants.
 */
export const historyRow = (n: number, seed: number, draws: Draws) => {
  const slots = Object.keys(fillers(draws))
  const { application, kycAt } = growHistory(n, seed)
  const { birth_date, cpf } = application.customer
  const times: Array<number> = []
  const argument = (found: string): string => {
    const slot = slots.indexOf(found)
    if (slot >= 0) return `%${slot + 1}$s`
    if (!times.includes(Date.parse(found))) times.push(Date.parse(found))
    return `%${slots.length + 1 + times.indexOf(Date.parse(found))}$s`
  }
  const text = (rows: object) =>
    JSON.stringify(rows).replaceAll("%", "%%").replaceAll(maskCpf(cpf), textSlot("masked_cpf"))
      .replaceAll(cpf, textSlot("cpf")).replaceAll(birth_date, textSlot("birth_date")).replace(placeholder, argument)
  const { application_id, created_at, external_id, partner_id } = application
  const place = { partner_id, root_id: idSlot("root"), external_id, cpf }
  return {
    n,
    opened: Date.parse(created_at),
    application: text({
      ...place,
      id: application_id,
      created_by: application.created_by,
      customer: application.customer,
      kyc: application.kyc,
      kyc_at: kycAt,
      unfinished: false,
      created_at,
      updated_at: application.updated_at,
      version: application.version
    }),
    quotes: text(application.quotes.map((facts) => ({ ...facts, id: facts.quote_id, application_id, facts }))),
    proposal: isContracted(application)
      ? text({
        ...application.proposal,
        ...place,
        id: application.proposal.proposal_id,
        application_id,
        region_id: idSlot("region"),
        customer_folded: textSlot("folded"),
        net_amount: acceptedTerms(application).net_amount,
        list_item: proposalListItem(application),
        facts: application.proposal
      })
      : null,
    times
  }
}

/** Inserts the applications of a range, each after the creation of its opener. 15 % have a returning customer. */
export const insertApplications = (draws: Draws, users: number) => (from: number, to: number): string => `
  with drawn as materialized (
    select n, customer, ${cpf("customer", "customer")} as cpf, ${draws.below("opener", users)} as opener
    from (
      select n, case when ${draws.chance("returning", 0.15)} then ${draws.below("earlier", "n")} else n end as customer
      from generate_series(${from}, ${to - 1}) n
    ) drawn
  ),
  placed as materialized (
    select drawn.*, opener.id as opener_id, owner.id as partner_id, owner.region_id,
      coalesce(11 + array_position(${array(unusualEndings)}, right(cpf, 2)), customer % 12) as class,
      least(${rounds - 1}, greatest(0, ceil((created - ${firstOpened}) / ${roundMs}::float8)))::int as first_round
    from drawn join seed_user opener on opener.n = drawn.opener join seed_partner owner on owner.n = opener.partner
  ),
  item as materialized (
    select placed.*, history.n as history, times, shift, opened + shift as opened,
      make_date(1955 + ${draws.below("year", 47, "customer")}, class % 12 + 1,
        1 + ${draws.below("day", 28, "customer")}) as birth_date
    from placed
    join seed_history history
      on history.n = class +
        ${classes} * (first_round + ${draws.below("round", `(${rounds} - first_round)`, "placed.n")})
    cross join lateral (select ${draws.below("shift", shiftMs, "placed.n")} as shift offset 0) moved
  ),
  filled as materialized (
    select format(application, variadic args)::json as application, format(quotes, variadic args)::json as quotes,
      format(proposal, variadic args)::json as proposal
    from (
      select history, array[${fillerTexts(draws)}] || array(
        select to_char((${instant("at + shift")}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        from unnest(times) at
      ) as args
      from item
      join seed_name mother on mother.kind = 'given' and mother.place = ${draws.below("mother", poolSize, "customer")}
      ${joinPerson(draws, "customer", "customer")}
      offset 0
    ) item
    join seed_history history on history.n = item.history
  ),
  applications as (
    insert into application
    select record.* from filled cross join json_populate_record(null::application, filled.application) record
  ),
  quotes as (
    insert into quote select record.* from filled cross join json_populate_recordset(null::quote, quotes) record
  )
  insert into proposal
  select record.* from filled cross join json_populate_record(null::proposal, proposal) record
  where proposal is not null`
