import { type Draws, instant } from "./expressions.ts"

/**
 * The root's share of the net amount of a contract, in millionths: one rate for the table `plus`, and one for all
 * others.
 */
const rootShare = { table: "plus", ofTable: 140_000, otherwise: 125_000 } as const

const rootRates = [
  { lender: "sandbox", table: rootShare.table, share: rootShare.ofTable },
  { lender: null, table: null, share: rootShare.otherwise }
]

/** SQL expression: the root's share of a contract, by the column `table_code`. */
const shareOfRoot =
  `case table_code when '${rootShare.table}' then ${rootShare.ofTable} else ${rootShare.otherwise} end`

/** SQL expression: a partner's share of its parent's commission, in millionths (50 % to 80 %). */
const shareOfPartner = (draws: Draws, row: string): string => `(500000 + 10000 * ${draws.below("share", 31, row)})::int`

/** Returns an SQL expression for the São Paulo day of a time. São Paulo has had no daylight saving time since 2019. */
const dayOf = (at: string): string => `to_char((${at}) at time zone 'UTC' - interval '3 hours', 'YYYY-MM-DD')`

/** Returns an SQL expression for a time in milliseconds since 1970. */
const millisOf = (at: string): string => `(extract(epoch from ${at}) * 1000)::bigint`

/** The days of the next month on which a month is closed, and on which it is paid. */
const settled = { closedOn: 10, paidOn: 12 } as const

/** The time from a payment until its commission is payable: the default of `LASTRO_COMMISSION_HOLD`. */
const hold = "interval '8 days'"

/**
 * Returns the statements that create the table of chains, and the table of entries without their status. The chain of a
 * partner has three lists: the partners from the root to this partner, the share of each, and the product of the shares
 * up to each. The products do not contain the root's share.
 */
export const createChains = (draws: Draws): ReadonlyArray<string> => [
  `create temporary table seed_chain on commit drop as
  with recursive chain (n, id, ids, shares, products) as (
    select n, id, array[id], array[0], array[1::numeric] from seed_partner where n = 0
    union all
    select child.n, child.id, chain.ids || child.id, chain.shares || share,
      chain.products || chain.products[cardinality(chain.products)] * share
    from chain join seed_partner child on child.parent = chain.n
    cross join lateral (select ${shareOfPartner(draws, "child.n")} as share) drawn
  )
  select * from chain`,
  "alter table seed_chain add primary key (id)",
  "analyze seed_chain",
  `create temporary table seed_entry (
    n bigint generated always as identity primary key, id uuid, partner_id uuid, viewers uuid[], proposal_id uuid,
    kind text, amount bigint, basis_amount bigint, lender text, table_code text, seller_partner_id uuid, period text,
    payable_on text, occurred_at timestamptz, reference text, paid_amount bigint, happened_on text
  ) on commit drop`
]

/** Returns a function that makes the statement for inserting the plans of the partners in a range of row numbers. */
export const insertPlans = (draws: Draws) => (from: number, to: number): string => `
  insert into commission_plan (
    id, partner_id, valid_from, basis, rates, created_at, created_by, writer_partner_id, parent_id, above, moves
  )
  select ${draws.uuid("plan", "joined")}, id, ${dayOf(instant("joined"))}, case n when 0 then 'NET' end,
    case n when 0 then jsonb '${JSON.stringify(rootRates)}' else jsonb_build_array(jsonb_build_object(
      'lender', null, 'table', null, 'share', shares[cardinality(shares)]
    )) end, ${instant("joined")}, 'operator', ids[1], ids[cardinality(ids) - 1],
    array(select above from unnest(ids[:cardinality(ids) - 1]) with ordinality part(above, place) order by place desc), 0
  from seed_partner join seed_chain using (n, id) where n >= ${from} and n < ${to} order by n`

/**
 * The columns of a proposal with the frozen commission of its chain. Reads the columns `ids`, `shares` and
 * `table_code`.
 */
export const frozenCommission = `json_build_object(
  'commission', json_build_object('basis', 'NET', 'lender', 'sandbox', 'table', table_code, 'chain', (
    select json_agg(json_build_object(
      'partner_id', id, 'share', case place when 1 then ${shareOfRoot} else share end
    ) order by place)
    from unnest(ids, shares) with ordinality part(id, share, place)
  )),
  'commission_partners', ids
)`

/** SQL expression: the time at which a proposal was refunded. Reads its column `facts`. */
const refundedAt = `(
  select (step ->> 'at')::timestamptz from json_array_elements(facts -> 'status_history') step
  where step ->> 'status' = 'REFUNDED' limit 1
)`

/**
 * Returns the statement that collects the entries of the proposals in the subquery `sold`. A paid contract has an
 * ACCRUAL for each partner of its chain (COMM-12). A refunded contract also has a CLAWBACK of each (COMM-13).
 */
export const collectEntries = (draws: Draws, sold: string): string => `
  insert into seed_entry (
    id, partner_id, viewers, proposal_id, kind, amount, basis_amount, lender, table_code, seller_partner_id, period,
    payable_on, occurred_at, reference, paid_amount, happened_on
  )
  select ${draws.uuid("entry", millisOf("at"), "(kind || proposal_id || place)")}, partner_id,
    array(select above from unnest(ids[:place]) with ordinality part(above, height) order by height desc),
    proposal_id, kind, amount * sign, net_amount, lender, table_code, ids[cardinality(ids)],
    to_char(at at time zone 'UTC' - interval '3 hours', 'YYYY-MM'),
    greatest(${dayOf(`paid_at + ${hold}`)}, ${dayOf("at")}), at, reference, paid_amount * sign, ${dayOf("at")}
  from (
    select sold.id as proposal_id, ids, place, ids[place] as partner_id, net_amount, sold.lender, table_code, paid_at,
      facts ->> 'reference' as reference, (facts -> 'paid' ->> 'amount')::bigint as paid_amount,
      ${refundedAt} as refunded_at,
      (reaching[place] - coalesce(reaching[place + 1], 0))::bigint as amount
    from ${sold} sold join seed_chain on seed_chain.id = sold.partner_id
    cross join lateral (
      select array_agg(
        div(2 * net_amount * (${shareOfRoot}) * products[height] + 10::numeric ^ (6 * height), 2 * 10::numeric ^ (6 * height))
        order by height
      ) as reaching from generate_subscripts(ids, 1) height
    ) reached
    cross join generate_subscripts(ids, 1) place
    where paid_at is not null
  ) share
  cross join lateral (
    values ('ACCRUAL', paid_at, 1), ('CLAWBACK', refunded_at, -1)
  ) happened(kind, at, sign)
  where amount <> 0 and at is not null`

/** Returns an SQL expression for a time on a day of the month after the column `period`. */
const onDay = (day: number) =>
  `((period || '-01')::timestamp at time zone 'UTC' + interval '1 month' + interval '${day - 1} days 15 hours')`

/**
 * Returns the statements that close and pay each month. A month is closed on a day of the next month. Two days later,
 * each partner is paid, if the amount is above 0; a negative amount is carried over. Nobody pays the root. Nothing
 * happens at or after `until`, the start of the current day in milliseconds.
 */
export const settleMonths = (draws: Draws, until: number): ReadonlyArray<string> => {
  return [
    `create temporary table seed_month on commit drop as
    select summed.*, row_number() over (order by partner_id, period) as n,
      row_number() over (partition by partner_id order by period) as place,
      ${onDay(settled.closedOn)} as closed_at, ${onDay(settled.paidOn)} as paid_at,
      null::text as paid_period, null::uuid as payout_id
    from (select partner_id, period, sum(amount)::bigint as amount from seed_entry group by partner_id, period) summed
    where ${onDay(settled.closedOn)} < ${instant(String(until))}`,
    "alter table seed_month add primary key (partner_id, place)",
    "analyze seed_month, seed_entry",
    // The amount due after each month: that of the month, and the debt of earlier months.
    `with recursive due (partner_id, place, amount) as (
      select partner_id, place, amount from seed_month where place = 1
      union all
      select later.partner_id, later.place, later.amount + least(0, due.amount)
      from due join seed_month later on later.partner_id = due.partner_id and later.place = due.place + 1
    )
    update seed_month set amount = due.amount from due
    where due.partner_id = seed_month.partner_id and due.place = seed_month.place`,
    `update seed_month set payout_id = ${draws.uuid("payout", millisOf("seed_month.paid_at"))}
    where amount > 0 and paid_at < ${instant(String(until))}
      and partner_id <> (select id from seed_partner where n = 0)`,
    // The entries of a month are paid with the next payout.
    `update seed_month set paid_period = (
      select min(later.period) from seed_month later
      where later.partner_id = seed_month.partner_id and later.period >= seed_month.period and later.payout_id is not null
    )`,
    `insert into commission_closing (id, partner_id, period, created_at, created_by)
    select ${draws.uuid("closing", millisOf("closed_at"))}, partner_id, period, closed_at, 'operator'
    from seed_month order by n`,
    `insert into commission_payout (
      id, partner_id, viewers, period, amount, net_amount, withheld, reference, paid_at, created_at
    )
    select payout_id, partner_id,
      array(select above from unnest(ids) with ordinality part(above, place) order by place desc),
      period, amount, amount - tax,
      case tax when 0 then jsonb '[]' else jsonb_build_array(jsonb_build_object('kind', 'ISS', 'amount', tax)) end,
      'TED ' || period || '-' || seed_month.n, paid_at, paid_at
    from seed_month join seed_chain on seed_chain.id = partner_id
    cross join lateral (select amount / 20 as tax) withheld
    where payout_id is not null order by seed_month.n`,
    "create index on seed_month (partner_id, period)"
  ]
}

/** Returns the statement that inserts the entries of a range of row numbers, with their status. */
export const insertEntries = (from: number, to: number): string => `
  insert into commission_entry (${
  [
    "id",
    "partner_id",
    "viewers",
    "proposal_id",
    "kind",
    "amount",
    "basis_amount",
    "lender",
    "table_code",
    "seller_partner_id",
    "period",
    "payable_on",
    "occurred_at",
    "reference",
    "paid_amount",
    "happened_on"
  ].join(", ")
}, root_id, status, payout_id)
  select item.id, item.partner_id, viewers, proposal_id, kind, item.amount, basis_amount, lender, table_code,
    seller_partner_id, item.period, payable_on, occurred_at, reference, paid_amount, happened_on,
    viewers[cardinality(viewers)],
    case when closed.partner_id is null then 'OPEN' when paid.payout_id is null then 'CLOSED' else 'PAID' end,
    paid.payout_id
  from seed_entry item
  left join seed_month closed on closed.partner_id = item.partner_id and closed.period = item.period
  left join seed_month paid on paid.partner_id = item.partner_id and paid.period = closed.paid_period
  where item.n > ${from} and item.n <= ${to} order by item.n`

/** The SQL expressions of the columns `entries` to `unpaid` of `commission_sum`, in this order. */
const sums = `count(*), sum(case kind when 'ACCRUAL' then 1 when 'CLAWBACK' then -1 else 0 end),
  coalesce(sum(amount) filter (where kind = 'ACCRUAL'), 0), coalesce(sum(amount) filter (where kind = 'CLAWBACK'), 0),
  coalesce(sum(amount) filter (where kind = 'ADJUSTMENT'), 0), coalesce(sum(amount) filter (where status = 'PAID'), 0),
  coalesce(sum(amount) filter (where status <> 'PAID'), 0)`

/** The statements that store the entries and sums that each partner sees. */
export const storeViews: ReadonlyArray<string> = [
  `insert into commission_visible (viewer_id, occurred_at, entry_id, period, amount)
  select unnest(viewers), occurred_at, id, period, amount from commission_entry`,
  `insert into commission_sum (
    viewer_id, period, partner_id, entries, contracts, accrued, clawed_back, adjusted, paid, unpaid
  )
  select viewer_id, period, partner_id, ${sums}
  from commission_entry cross join unnest(viewers) as viewer_id
  group by grouping sets ((viewer_id, period, partner_id), (viewer_id, period))`
]
