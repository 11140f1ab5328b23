import { authorize } from "@lastro/domain/access"
import { getPossibleSettlements, periodOf, type PossibleSettlements } from "@lastro/domain/commission"
import { ValidationFailed } from "@lastro/domain/input"
import { currentTimestamp, type PartnerId, saoPauloDate } from "@lastro/domain/values"
import { Effect, Result } from "effect"
import { entriesHtml, payoutsHtml, sumColumns, sumsHtml, taxesOf } from "./commissionTables.ts"
import { bodyOf, type Field, fieldHtml, foldedForm, newKey, numberText } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { csvLink, factsHtml, idOf, pagesHtml, queryText, tableHtml } from "./tables.ts"
import { call, type Page, parameter, partnersOf, type Visit } from "./Visit.ts"

/** The month of a page: the parameter `period`, or the current month. The API rejects a text that is not a month. */
const monthOf = (visit: Visit) =>
  Effect.map(currentTimestamp, (now): string => parameter(visit, "period").trim() || periodOf(saoPauloDate(now)))

/** Returns the month that is some months later, or earlier for a negative number. */
const monthAfter = (period: string, months: number): string => {
  const [year = 0, month = 0] = period.split("-").map(Number)
  const count = year * 12 + month - 1 + months
  return `${Math.floor(count / 12)}-${String(count % 12 + 1).padStart(2, "0")}`
}

/** Shows a form that opens any month, and links to the previous and the next month. */
const monthForm = ({ base, exchange, words: { commissions } }: Visit, period: string): Html => {
  const link = (months: number, text: string) =>
    html`<a class="button plain" href="${base}${exchange.path}?period=${monthAfter(period, months)}">${text}</a>`
  return html`<form class="card row noprint" method="get" action="${base}${exchange.path}"><label for="f-period">${commissions.month}</label><input id="f-period" class="short" name="period" type="month" value="${period}" placeholder="2026-01"><button>${commissions.show}</button><span class="row push">${
    link(-1, commissions.previousMonth)
  }${link(1, commissions.nextMonth)}</span></form>`
}

/** Reads the sums of one partner in a month. `isEmpty` is true if the caller sees no entries of the partner. */
const sumsOf = Effect.fnUntraced(function*(visit: Visit, partner_id: string, period: string) {
  const { content, total } = yield* call(visit, "summarizeCommissions", [], { query: { partner_id, period } })
  return { isEmpty: content.length === 0, sums: content[0] ?? total }
})

/** The commissions of a month: those of the user's partner, and those of every partner below it. */
export const commissionsPage: Page = {
  path: "/console/commissions",
  permission: "commissions:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, caller, formats, words } = visit
    const { commissions } = words
    const period = yield* monthOf(visit)
    const { content, page, total } = yield* call(visit, "summarizeCommissions", [], {
      query: { period, page: parameter(visit, "page") || "0", size: "20" }
    })
    const own = yield* sumsOf(visit, caller.partner_id, period)
    const partners = yield* partnersOf(visit, [caller.partner_id, ...content.map(({ partner_id }) => partner_id)])
    const link = (id: string): Html =>
      html`<a href="${base}/console/commissions/${id}?${queryText({ period })}">${
        partners.get(id)?.name ?? commissions.outside
      }</a>`
    return {
      title: `${commissions.title}, ${formats.month(period)}`,
      body: html`${monthForm(visit, period)}<div class="grid"><section class="card"><h2>${
        link(caller.partner_id)
      }</h2>${sumsHtml(visit, own.sums)}</section><section class="card"><h2>${commissions.everybody}</h2>${
        sumsHtml(visit, total, false)
      }</section></div><section class="card"><div class="row"><h2>${words.partners}</h2>${
        csvLink(visit, { period })
      }</div><p class="soft">${commissions.text}</p>${
        content.length === 0 ? html`<p>${commissions.noEntries}</p>` : html`${
          tableHtml(commissions.title, [
            {
              title: words.partner,
              cell: ({ partner_id }) => link(partner_id)
            },
            ...sumColumns(visit)
          ], content)
        }${pagesHtml(visit, page, { period })}`
      }</section>`
    }
  })
}

/** The path of the field for one withheld tax of a payout. */
const taxPath = (kind: string): string => `withheld.${kind}`

/**
 * Moves the problems of the list of taxes to the fields of the form. A problem of the whole list moves to the first tax.
 */
const atTaxFields = <E>(refusal: E, kinds: ReadonlyArray<string>): E | ValidationFailed => {
  if (!(refusal instanceof ValidationFailed)) return refusal
  const fieldOf = (field: string): string => {
    const [, index = "0"] = /^withheld(?:\[(\d+)\].*)?$/.exec(field) ?? [undefined, "none"]
    const kind = kinds[Number(index)]
    return kind === undefined ? field : taxPath(kind)
  }
  const { problems, unlisted } = refusal
  return new ValidationFailed({ problems: problems.map((one) => ({ ...one, field: fieldOf(one.field) })), unlisted })
}

const payoutFields = (visit: Visit, amount: number | null): ReadonlyArray<Field> => [
  {
    path: "amount",
    label: visit.words.commissions.gross,
    kind: "decimal",
    value: amount === null ? null : numberText(amount, visit.language),
    isRequired: true
  },
  ...Object.entries(taxesOf(visit)).map(([kind, name]): Field => ({
    path: taxPath(kind),
    label: `${visit.words.commissions.withheld}: ${name}`,
    kind: "decimal"
  })),
  { path: "reference", label: visit.words.commissions.reference, kind: "text", isRequired: true },
  { path: "paid_at", label: visit.words.commissions.paidOn, kind: "date", isRequired: true }
]

/** Shows the forms for closing and for paying a month. */
const settlementsHtml = (visit: Visit, { closing, payout }: PossibleSettlements, key: string): Html => {
  const { commissions } = visit.words
  const isRefused = visit.refused?.action === "payout"
  const folded = (action: string, button: string, about: string, content: Html): Html =>
    foldedForm(visit, { action, button, key: `${key}-${action}`, content }, about)
  const fields = payoutFields(visit, payout).map((field) => fieldHtml(visit, "payout", field))
  return html`${closing ? folded("close", commissions.close, commissions.closeText, nothing) : nothing}${
    payout === null && !isRefused
      ? nothing
      : folded("payout", commissions.payout, commissions.payoutText, html`<div class="fields">${fields}</div>`)
  }`
}

/**
 * Reads the partner and the month of a page. A partner that left the tree still has a page if the user sees entries of
 * it.
 */
const partnerMonth = Effect.fnUntraced(function*(visit: Visit) {
  const id = idOf(visit)
  const partner = yield* Effect.result(call(visit, "getPartner", [id]))
  const period = yield* monthOf(visit)
  const month = yield* Effect.result(sumsOf(visit, id, period))
  if (Result.isFailure(partner) && (Result.isFailure(month) || month.success.isEmpty)) {
    return yield* Effect.fail(partner.failure)
  }
  const { sums } = yield* Effect.fromResult(month)
  return { id, partner: Result.isSuccess(partner) ? partner.success : undefined, period, sums }
})

/** The commissions of one partner in a month: its entries, its payouts, and the forms that the user may send. */
export const partnerCommissionsPage: Page = {
  path: "/console/commissions/:id",
  permission: "commissions:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, caller, formats, words } = visit
    const { commissions } = words
    const { id, partner, period, sums } = yield* partnerMonth(visit)
    const filters = { partner_id: id, period }
    const entries = yield* call(visit, "listCommissions", [], {
      query: { ...filters, page: parameter(visit, "page") || "0", size: "20", sort: "occurred_at,desc" }
    })
    const payouts = yield* call(visit, "listCommissionPayouts", [], { query: { partner_id: id, size: "10" } })
    const allowed = authorize(caller, "commissions:write")
    const possible = Result.isSuccess(allowed)
      ? yield* getPossibleSettlements(allowed.success, id as PartnerId, period)
      : { closing: false, payout: null }
    const path = `${base}/console/commissions`
    return {
      title: `${partner?.name ?? commissions.outside}, ${formats.month(period)}`,
      body: html`${monthForm(visit, period)}<div${
        possible.closing || possible.payout !== null ? html` class="two"` : nothing
      }><section class="card"><div class="row"><h2>${commissions.title}</h2><a class="push" href="${path}/${id}/statement?${
        queryText({ period })
      }">${commissions.statement}</a></div>${sumsHtml(visit, sums)}</section><div>${
        settlementsHtml(visit, possible, yield* newKey)
      }</div></div><section class="card"><div class="row"><h2>${commissions.entries}</h2><a class="push" href="${path}/csv?${
        queryText(filters)
      }">${words.csv}</a></div>${
        entries.content.length === 0
          ? html`<p>${commissions.noEntries}</p>`
          : html`${yield* entriesHtml(visit, entries.content)}${pagesHtml(visit, entries.page, { period })}`
      }</section>${
        payouts.content.length === 0
          ? nothing
          : html`<section class="card"><h2>${commissions.payouts}</h2>${payoutsHtml(visit, payouts.content)}</section>`
      }`
    }
  }),
  actions: {
    close: Effect.fnUntraced(function*(visit, { key }) {
      const period = yield* monthOf(visit)
      yield* call(visit, "closeCommissions", [], { body: { partner_id: idOf(visit), period }, key })
      return `/console/commissions/${idOf(visit)}?${queryText({ period, done: "1" })}`
    }),
    payout: Effect.fnUntraced(function*(visit, fields) {
      const period = yield* monthOf(visit)
      const { withheld = {}, ...sent } = bodyOf(visit.language, payoutFields(visit, null), fields)
      const taxes = Object.entries(withheld as object).map(([kind, amount]: [string, unknown]) => ({ kind, amount }))
      const day = fields["paid_at"] ?? ""
      const body = {
        ...sent,
        partner_id: idOf(visit),
        period,
        withheld: taxes,
        // The form contains only a day. Use its first moment in São Paulo, which is never in the future. São Paulo has
        // no daylight saving time.
        ...(/^\d{4}-\d\d-\d\d$/.test(day) ? { paid_at: `${day}T00:00:00-03:00` } : {})
      }
      yield* Effect.mapError(
        call(visit, "createCommissionPayout", [], { body, key: fields["key"] }),
        (refusal) => atTaxFields(refusal, taxes.map(({ kind }) => kind))
      )
      return `/console/commissions/${idOf(visit)}?${queryText({ period, done: "1" })}`
    })
  }
}

/** The statement of a partner for a month. The printed page has no navigation. */
export const commissionStatementPage: Page = {
  path: "/console/commissions/:id/statement",
  permission: "commissions:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, formats, words } = visit
    const { commissions } = words
    const { id, partner, period, sums } = yield* partnerMonth(visit)
    const filters = { partner_id: id, period }
    const entries = yield* call(visit, "listCommissions", [], {
      query: { ...filters, page: parameter(visit, "page") || "0", size: "50", sort: "occurred_at,asc" }
    })
    const payouts = yield* call(visit, "listCommissionPayouts", [], { query: { partner_id: id, size: "10" } })
    const ofMonth = payouts.content.filter((payout) => payout.period === period)
    return {
      title: commissions.statementOf(formats.month(period)),
      body: html`<div class="row noprint"><a href="${base}/console/commissions/${id}?${
        queryText({ period })
      }">${commissions.toMonth}</a><button type="button" class="plain push" data-print hidden>${commissions.print}</button></div><br><section class="card"><h2>${
        partner?.name ?? commissions.outside
      }</h2>${
        partner === undefined ? nothing : factsHtml([[words.document, formats.document(partner.document_number)]])
      }<br>${sumsHtml(visit, sums)}</section><section class="card"><h2>${commissions.entries}</h2>${
        entries.content.length === 0
          ? html`<p>${commissions.noEntries}</p>`
          : html`${yield* entriesHtml(visit, entries.content)}${pagesHtml(visit, entries.page, { period })}`
      }</section>${
        ofMonth.length === 0
          ? nothing
          : html`<section class="card"><h2>${commissions.payouts}</h2>${payoutsHtml(visit, ofMonth)}</section>`
      }<p class="soft">${commissions.printed(formats.time(yield* currentTimestamp))}</p>`
    }
  })
}
