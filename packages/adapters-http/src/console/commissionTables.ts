import {
  type CommissionEntry,
  type CommissionPayout,
  type CommissionSummary,
  type CommissionTotal
} from "@lastro/domain/commission"
import { lenderOfRecord, lenderRegistry } from "@lastro/domain/lender"
import { Effect } from "effect"
import { type Html, html } from "./html.ts"
import { badge, type Column, factsHtml, tableHtml } from "./tables.ts"
import { call, may, readEach, type Visit } from "./Visit.ts"

/** Reads the contracts of entries by id. */
const contractsOf = (visit: Visit, entries: ReadonlyArray<CommissionEntry>) =>
  readEach(
    may(visit, "proposals:read") ? entries.flatMap(({ proposal_id }) => proposal_id ?? []) : [],
    (id) => call(visit, "getProposal", [id])
  )

const sums = ["accrued", "clawed_back", "adjusted", "carried", "paid", "payable"] as const

/** The columns for the sums of partners in a month. */
export const sumColumns = ({ formats, words: { commissions } }: Visit): ReadonlyArray<Column<CommissionSummary>> => [
  { title: commissions.contracts, isNumber: true, cell: ({ contracts }) => formats.integer(contracts) },
  ...sums.map((name) => ({
    title: commissions[name],
    isNumber: true,
    cell: (summary: CommissionSummary) => formats.amount(summary[name])
  }))
]

/**
 * Shows the sums of a month. The number of contracts is shown only for a single partner, because a contract counts once
 * for each partner of its chain.
 */
export const sumsHtml = (
  { formats, words: { commissions } }: Visit,
  amounts: CommissionTotal,
  isOfOnePartner = true
): Html =>
  html`<div class="sums">${
    factsHtml([
      [commissions.accrued, formats.money(amounts.accrued)],
      [commissions.clawed_back, formats.money(amounts.clawed_back)],
      [commissions.adjusted, formats.money(amounts.adjusted)],
      [commissions.balance, formats.money(amounts.balance)],
      [commissions.carried, formats.money(amounts.carried)],
      [commissions.paid, formats.money(amounts.paid)],
      [commissions.payable, html`<strong>${formats.money(amounts.payable)}</strong>`],
      [commissions.contracts, isOfOnePartner ? formats.integer(amounts.contracts) : null]
    ])
  }</div>`

const tones = { OPEN: "calm", CLOSED: "warn", PAID: "good" } as const

/** Shows entries of the ledger, with the numbers of their contracts, and the labels of their lenders and fee tables. */
export const entriesHtml = Effect.fnUntraced(function*(visit: Visit, entries: ReadonlyArray<CommissionEntry>) {
  const contracts = yield* contractsOf(visit, entries)
  const registry = yield* lenderRegistry
  const { base, formats, words: { commissions, status, when } } = visit
  return tableHtml(commissions.entries, [
    { title: when, cell: ({ occurred_at }) => formats.day(occurred_at) },
    {
      title: commissions.kind,
      cell: ({ kind, note }) => note === null ? commissions.kinds[kind] : `${commissions.kinds[kind]}: ${note}`
    },
    {
      title: commissions.contract,
      cell: ({ proposal_id }) => {
        const contract = contracts.get(proposal_id ?? "")
        return contract === undefined
          ? "–"
          : html`<a href="${base}/console/applications/${contract.application_id}">${contract.number}</a>`
      }
    },
    {
      title: commissions.table,
      cell: ({ lender, proposal_id, table }) =>
        lender === null
          ? "–"
          : `${lenderOfRecord(registry, lender)?.label ?? lender}, ${
            contracts.get(proposal_id ?? "")?.table.label ?? table ?? ""
          }`
    },
    {
      title: commissions.basis,
      isNumber: true,
      cell: ({ basis_amount }) => basis_amount === null ? "–" : formats.money(basis_amount)
    },
    {
      title: commissions.share,
      isNumber: true,
      cell: ({ share_percent }) => share_percent === null ? "–" : formats.share(share_percent)
    },
    { title: commissions.payableOn, cell: ({ payable_on }) => formats.date(payable_on) },
    { title: status, cell: (entry) => badge(commissions.statuses[entry.status], tones[entry.status]) },
    { title: visit.words.amount, isNumber: true, cell: ({ amount }) => formats.money(amount) }
  ], entries)
})

/** The kinds of withheld taxes, with their names. */
export const taxesOf = ({ words }: Pick<Visit, "words">) => ({
  IRRF: "IRRF",
  ISS: "ISS",
  INSS: "INSS",
  OTHER: words.commissions.otherTax
})

export const payoutsHtml = (visit: Visit, payouts: ReadonlyArray<CommissionPayout>): Html => {
  const { formats, words: { commissions } } = visit
  const taxes = taxesOf(visit)
  return tableHtml(commissions.payouts, [
    { title: commissions.paidOn, cell: ({ paid_at }) => formats.day(paid_at) },
    { title: commissions.upTo, cell: ({ period }) => formats.month(period) },
    { title: commissions.reference, cell: ({ reference }) => reference },
    { title: commissions.gross, isNumber: true, cell: ({ amount }) => formats.money(amount) },
    {
      title: commissions.withheld,
      cell: ({ withheld }) =>
        withheld.length === 0
          ? "–"
          : withheld.map(({ amount, kind }) => `${taxes[kind]} ${formats.money(amount)}`).join(", ")
    },
    { title: commissions.netAmount, isNumber: true, cell: ({ net_amount }) => formats.money(net_amount) }
  ], payouts)
}
