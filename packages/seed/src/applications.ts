import { acceptedOffer, courseOf, currentRejection, isUnfinished, paidAt, placementOf } from "@lastro/domain/loan"
import {
  abridgeApplication,
  acceptedTerms,
  isContracted,
  proposalListItem,
  storeProposal
} from "@lastro/domain/origination"
import { maskCpf } from "@lastro/domain/values"
import { Struct } from "effect"
import { collectEntries, frozenCommission } from "./commissions.ts"
import { array, cpf, type Draws, draws as makeDraws, folded, instant } from "./expressions.ts"
import { classes, growHistory, rounds, shiftMs, type Timeline, unusualEndings } from "./histories.ts"

/**
 * Returns the SQL expression of each placeholder, over the columns of the subquery `item` in {@link
 * insertApplications}. Placeholders occur in histories, which are templates of applications.
 */
const fillers = (draws: Draws): Readonly<Record<string, string>> => ({
  // An id without its last two digits. `growHistory` adds them: 00 for the application, 01 for its proposal, others for
  // its quotes and offers.
  "~id~": `left(${draws.uuid("application", "opened + shift")}::text, 34)`,
  "~root~": "(select id from seed_partner where n = 0)",
  "~region~": "region_id",
  "~partner~": "partner_id",
  "~opener~": "opener_id",
  "~cpf~": "cpf",
  "~masked_cpf~": "'***.' || substr(cpf, 4, 3) || '.' || substr(cpf, 7, 3) || '-**'",
  "~year~": `1955 + ${draws.below("year", 47, "customer")}`,
  "~day~": `10 + ${draws.below("day", 19, "customer")}`,
  "~name~": "name",
  "~folded~": folded("name"),
  "~mother~": draws.personName("mother", "customer"),
  "~email~": `replace(${folded("name")}, ' ', '.') || '.' || customer || '@correio.example'`,
  "~phone~": draws.phone("customer", "customer"),
  "~document~": draws.digits("document", 8, "customer"),
  "~account~": draws.digits("customer account", 8, "customer"),
  "~external_id~": "'pedido-' || n + 1",
  // Ten hexadecimal digits are a valid proposal number in Crockford's base 32. The numbers of rows differ, because
  // multiplication by an odd factor is one-to-one modulo 2^40.
  "~number~": `upper(lpad(to_hex(
    (n + 1)::bigint * 654435761789 + ${draws.below("number", 2 ** 30, "0")} & 1099511627775), 10, '0'))`
})

const fillerNames = Object.keys(fillers(makeDraws(0)))

/** Identifies a history. */
export interface HistoryKey {
  readonly history: number
  readonly returning_customer: boolean
}

/** The keys of all histories. */
export const allHistories: ReadonlyArray<HistoryKey> = Array.from({ length: classes * rounds }, (_, history) => history)
  .flatMap((history) => [{ history, returning_customer: false }, { history, returning_customer: true }])

/** Creates the temporary table of histories. {@link insertApplications} chooses one for each application. */
export const createHistories = `
  create temporary table seed_history (
    history int, returning_customer boolean, opened bigint, times bigint[], application text, quotes text, proposal text,
    primary key (history, returning_customer)
  ) on commit drop`

/**
 * Returns a row of `seed_history`. Each text column is a template for the SQL function `format`, whose result is a list
 * of table rows as JSON. The arguments of `format` are the values of {@link fillers}, and then the times.
 */
export const historyRow = ({ history, returning_customer }: HistoryKey, timeline: Timeline) => {
  const { application, kycAt } = growHistory(history, { isReturning: returning_customer, timeline })
  const { application_id, created_at, customer: { birth_date, cpf }, external_id, partner_id } = application
  /** The arguments of `format`: the placeholders, and then the times that occur. */
  const parameters = [...fillerNames]
  const template = (rows: object) =>
    JSON.stringify(rows).replaceAll("%", "%%").replaceAll(maskCpf(cpf), "~masked_cpf~").replaceAll(cpf, "~cpf~")
      .replaceAll(birth_date, birth_date.replace(/^\d+-(\d+)-\d+$/, "~year~-$1-~day~"))
      .replace(/~\w+?~|\d{4}-\d\d-\d\dT[\d:.]+Z/g, (filler) => {
        if (!parameters.includes(filler)) parameters.push(filler)
        return `%${parameters.indexOf(filler) + 1}$s`
      })
  const place = { partner_id, root_id: "~root~", region_id: "~region~", external_id, cpf }
  const { proposal: _proposal, quotes, ...facts } = application
  const { live_until, stage } = placementOf(application)
  const course = courseOf(application)
  const listed = abridgeApplication(application)
  return {
    history,
    returning_customer,
    opened: Date.parse(created_at),
    application: template({
      ...facts,
      ...place,
      id: application_id,
      kyc_at: kycAt,
      unfinished: isUnfinished(application),
      stage,
      live_until: live_until ?? "-infinity",
      place: course.place,
      place_from: "-infinity",
      place_until: course.later[0]?.from ?? "infinity",
      course: course.later.length === 0 ? null : [{ place: course.place }, ...course.later],
      placed_version: application.version,
      rejection_code: currentRejection(application)?.code ?? null,
      listed: {
        quotes: listed.quotes,
        proposal: listed.proposal === null ? null : storeProposal(listed.proposal)
      }
    }),
    quotes: template(
      quotes.map((facts) => ({ ...facts, id: facts.quote_id, application_id, offers: undefined, facts }))
    ),
    proposal: isContracted(application)
      ? template({
        ...Struct.omit(application.proposal, ["commission"]),
        ...place,
        id: application.proposal.proposal_id,
        application_id,
        customer_folded: "~folded~",
        net_amount: acceptedTerms(application).net_amount,
        lender: acceptedOffer(application)?.lender ?? null,
        table_code: acceptedOffer(application)?.table.code ?? null,
        paid_at: paidAt(application.proposal),
        list_item: proposalListItem(application),
        facts: storeProposal(application.proposal),
        reference_repeated: false
      })
      : null,
    times: parameters.slice(fillerNames.length).map((time) => Date.parse(time))
  }
}

/** Starts the durable job of each application that waits for its lender or for a person. */
export const startJobs = `
  insert into job (kind, id, root_id, partner_id)
  select 'quote', quote.id, root_id, partner_id from application join quote on application_id = application.id
  where unfinished and quote.outcome = 'PENDING'
  union all
  select 'contract', proposal.id, application.root_id, application.partner_id
  from application join proposal on application_id = application.id where unfinished`

/**
 * Returns the start of a statement. It selects as `item` the applications with the numbers from `from` to `to - 1`,
 * each with its customer, its opener and its history. An application is opened after its opener was created. 15 % have
 * a returning customer, and no contract.
 */
const withItems = (draws: Draws, users: number) => (from: number, to: number): string => `
  with drawn as (
    select n, ${draws.below("opener", users)} as opener, ${draws.below("shift", shiftMs)} as shift,
      case when ${draws.chance("returning", 0.15)} then ${draws.below("earlier", "n")} else n end as customer
    from generate_series(${from}, ${to - 1}) n
  ),
  item as (
    select drawn.*, cpf, opener.id as opener_id, partner_id, region_id, ${
  draws.personName("customer", "customer")
} as name,
      coalesce(11 + array_position(${array(unusualEndings)}, right(cpf, 2)), customer % 12)
        + ${classes} * (first_round + ${draws.below("round", `(${rounds} - first_round)`, "drawn.n")}) as history,
      drawn.customer <> drawn.n as returning_customer
    from drawn
    cross join lateral (select ${cpf("customer", "customer")} as cpf offset 0) document
    join seed_user opener on opener.n = drawn.opener
    offset 0
  )`

/** Returns the statement that selects the keys of the histories that the applications use. */
export const selectHistories = (draws: Draws, users: number, applications: number): string =>
  `${withItems(draws, users)(0, applications)} select distinct history::int, returning_customer from item`

/**
 * Returns the statement that inserts the applications with the numbers from `from` to `to - 1`. `filled` holds the
 * templates of each application's history with its values, and the other parts insert these.
 */
export const insertApplications = (draws: Draws, users: number) => (from: number, to: number): string => `
  ${withItems(draws, users)(from, to)},
  filled as materialized (
    select format(application, variadic args)::json as application, format(quotes, variadic args)::json as quotes,
      format(proposal, variadic args)::json as proposal
    from (
      select seed_history.*, array[${
  Object.values(fillers(draws)).map((value) => `(${value})::text`).join(", ")
}] || array(
        select to_char((${instant("at + shift")}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        from unnest(times) at
      ) as args
      from item join seed_history using (history, returning_customer) offset 0
    ) template
  ),
  applications as (
    insert into application
    select record.* from filled cross join json_populate_record(null::application, filled.application) record
  ),
  quotes as (
    insert into quote select record.* from filled cross join json_populate_recordset(null::quote, quotes) record
  ),
  sold as (
    insert into proposal
    select record.* from filled
    cross join lateral (select proposal ->> 'table_code' as table_code, (proposal ->> 'partner_id')::uuid as seller) offer
    join seed_chain on seed_chain.id = seller
    cross join json_populate_record(json_populate_record(null::proposal, ${frozenCommission}), proposal) record
    where proposal is not null
    returning *
  )
  ${collectEntries(draws, "sold")}`
