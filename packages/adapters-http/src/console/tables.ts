import { groups, holdsAll } from "@lastro/domain/access"
import { type ApplicationStatus, type NextAction, type ProposalStatus } from "@lastro/domain/loan"
import { type Html, html, nothing } from "./html.ts"
import { type Visit } from "./Visit.ts"

/**
 * Returns the id in the path of a page about one record. Without an id, returns an empty text, which finds no record.
 */
export const idOf = ({ params }: Visit): string => params["id"] ?? ""

type Tone = "good" | "warn" | "bad" | "calm"

/** Shows a short text in a colour. */
export const badge = (text: string, tone: Tone): Html => html`<span class="badge ${tone}">${text}</span>`

const applicationTone = (status: ApplicationStatus): Tone => {
  if (status === "CONTRACTED") return "good"
  if (status === "REJECTED" || status === "QUOTE_FAILED") return "bad"
  if (status === "QUOTED" || status === "EXPIRED") return "warn"
  return "calm"
}

const proposalTone = (status: ProposalStatus): Tone => {
  if (status === "PAID" || status === "SETTLED") return "good"
  if (status === "REJECTED" || status === "DISBURSEMENT_FAILED" || status === "CORRECTION_NEEDED") return "bad"
  if (status === "AWAITING_SIGNATURE") return "warn"
  return "calm"
}

/** Returns the badge of an application's status, in the language of the visit. */
export const applicationBadge = ({ words }: Visit, status: ApplicationStatus): Html =>
  badge(words.applicationStatus[status], applicationTone(status))

/** Returns the badge of a proposal's status, in the language of the visit. */
export const proposalBadge = ({ words }: Visit, status: ProposalStatus): Html =>
  badge(words.proposalStatus[status], proposalTone(status))

/** Returns the badge of the status of a user or partner, in the language of the visit. */
export const accountBadge = ({ words }: Visit, status: keyof Visit["words"]["accountStatus"]): Html =>
  badge(words.accountStatus[status], status.toLowerCase() === "active" ? "good" : "calm")

/** Shows the next action of an application. */
export const nextText = ({ words }: Visit, next: NextAction): Html | string =>
  next === "NONE" ? html`<span class="soft">–</span>` : words.nextAction[next]

/** The groups that the user may assign: those without a permission that the user lacks. */
export const heldGroups = ({ caller, words }: Visit): Readonly<Record<string, string>> =>
  Object.fromEntries(
    groups.filter(({ permissions }) => holdsAll(caller, permissions))
      .map(({ slug }) => [slug, words.groups[slug]])
  )

/** A column of a table. */
export interface Column<A> {
  readonly title: string
  readonly cell: (item: A) => Html | string
  readonly isNumber?: boolean
}

/** Shows records as a table. On a phone, each record is a block of labelled lines. */
export const tableHtml = <A>(caption: string, columns: ReadonlyArray<Column<A>>, items: ReadonlyArray<A>): Html =>
  html`<table class="stack"><caption class="skip">${caption}</caption><thead><tr>${
    columns.map(({ isNumber, title }) => html`<th scope="col"${isNumber ? html` class="n"` : nothing}>${title}</th>`)
  }</tr></thead><tbody>${
    items.map((item) =>
      html`<tr>${
        columns.map(({ cell, isNumber, title }) =>
          html`<td data-label="${title}"${isNumber ? html` class="n"` : nothing}><span>${cell(item)}</span></td>`
        )
      }</tr>`
    )
  }</tbody></table>`

/** Shows facts as a list of terms. Omits a fact without a value. */
export const factsHtml = (facts: ReadonlyArray<readonly [term: string, value: Html | string | null]>): Html =>
  html`<dl>${facts.map(([term, value]) => value === null ? nothing : html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`

/** Builds the query of a link from parameters. Omits empty ones. */
export const queryText = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString()

/** Returns a link to the whole list as CSV, with the filters of the page. */
export const csvLink = (
  { base, exchange, words }: Visit,
  filters: Readonly<Record<string, string>>
): Html => html`<a class="push" href="${base}${exchange.path}/csv?${queryText(filters)}">${words.csv}</a>`

/** The numbers of a page of a list. */
interface PageNumbers {
  readonly number: number
  readonly total_pages: number
  readonly total_elements: number
}

/** Shows links to the other pages of a list, with the same filters. Shows nothing for a single page. */
export const pagesHtml = (
  { base, exchange, formats, words }: Visit,
  { number, total_elements, total_pages }: PageNumbers,
  filters: Readonly<Record<string, string>>
): Html => {
  const link = (page: number, text: string): Html =>
    html`<a class="button plain" href="${base}${exchange.path}?${
      queryText({ ...filters, page: String(page) })
    }">${text}</a>`
  const text = words.pageOf(
    formats.integer(number + 1),
    formats.integer(total_pages),
    formats.integer(total_elements)
  )
  if (total_pages <= 1 && number === 0) return nothing
  return html`<div class="row">${
    number > 0 ? link(number - 1, words.previous) : nothing
  }<span class="soft">${text}</span>${number + 1 < total_pages ? link(number + 1, words.next) : nothing}</div>`
}
