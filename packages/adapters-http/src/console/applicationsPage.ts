import { type RawQuery } from "@lastro/domain/input"
import { ApplicationStatus } from "@lastro/domain/loan"
import { type FgtsApplicationListItem } from "@lastro/domain/origination"
import { Effect } from "effect"
import { bodyOf, type Field, recordFormView } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { applicationBadge, type Column, csvLink, nextText, pagesHtml, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, type Visit } from "./Visit.ts"

const size = "20"

/** The filters of the list, as in the API. The address of the page contains them, so it can be shared. */
const filterNames = [
  "status",
  "next_action",
  "proposal_status",
  "cpf",
  "external_id",
  "created_from",
  "created_to",
  "updated_to",
  "partner_id",
  "partner_scope",
  "sort"
] as const

const filtersOf = (visit: Visit): Readonly<Record<string, string>> =>
  Object.fromEntries(filterNames.flatMap((name) => {
    const value = parameter(visit, name).trim()
    return value === "" ? [] : [[name, name === "cpf" ? value.replace(/\D/g, "") : value]]
  }))

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** The day after a day, at midnight in São Paulo. A text that is no day stays as it is, so that the API names the error. */
const midnightAfter = (day: string): string => {
  const midnight = Date.parse(`${day}T00:00:00-03:00`)
  return isDay(day) && !Number.isNaN(midnight) ? new Date(midnight + 24 * 60 * 60 * 1_000).toISOString() : day
}

/** A date of a filter is a whole day in São Paulo. The API takes times. */
const timesOf = ({ created_from, created_to, ...others }: Readonly<Record<string, string>>) => ({
  sort: "created_at,desc",
  ...others,
  ...(created_from === undefined
    ? {}
    : { created_from: isDay(created_from) ? `${created_from}T00:00:00-03:00` : created_from }),
  ...(created_to === undefined ? {} : { created_to: midnightAfter(created_to) })
})

/** The query of the API for the filters of the page. */
export const applicationsQuery = (visit: Visit): RawQuery => timesOf(filtersOf(visit))

/** The columns of a list of applications. */
export const applicationColumns = (visit: Visit): ReadonlyArray<Column<FgtsApplicationListItem>> => {
  const { base, formats, words } = visit
  return [
    {
      title: words.customer,
      cell: ({ application_id, customer, external_id }) =>
        html`<a href="${base}/console/applications/${application_id}">${customer.name ?? external_id}</a>`
    },
    { title: words.cpf, cell: ({ customer }) => formats.cpf(customer.cpf) },
    { title: words.status, cell: ({ status }) => applicationBadge(visit, status) },
    { title: words.nextStep, cell: ({ next_action }) => nextText(visit, next_action) },
    {
      title: words.bestAmount,
      isNumber: true,
      cell: ({ best_net_amount }) => best_net_amount === null ? "–" : formats.money(best_net_amount)
    },
    { title: words.createdAt, cell: ({ created_at }) => formats.time(created_at) }
  ]
}

/** The filters that the form shows. The others of the page stay as they are. */
const shownFilters = new Set(["status", "cpf", "external_id", "created_from", "created_to"])

const filterForm = (visit: Visit, filters: Readonly<Record<string, string>>): Html => {
  const { base, exchange, words } = visit
  const kept = Object.entries(filters).filter(([name]) => !shownFilters.has(name)).map(([name, value]) =>
    html`<input type="hidden" name="${name}" value="${value}">`
  )
  const text = (name: string, label: string, type: string): Html =>
    html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${type}" value="${
      filters[name] ?? ""
    }"></div>`
  return html`<form class="card" method="get" action="${base}${exchange.path}" role="search">${kept}<div class="fields"><div class="field"><label for="f-status">${words.status}</label><select id="f-status" name="status"><option value="">${words.all}</option>${
    ApplicationStatus.literals.map((status) =>
      html`<option value="${status}"${filters["status"] === status ? html` selected` : nothing}>${
        words.applicationStatus[status]
      }</option>`
    )
  }</select></div>${text("cpf", words.cpf, "text")}${text("external_id", words.externalId, "text")}${
    text("created_from", words.since, "date")
  }${
    text("created_to", words.until, "date")
  }</div><div class="row"><button>${words.filter}</button><a class="button plain" href="${base}${exchange.path}">${words.clear}</a></div></form>`
}

/** The list of applications. */
export const applicationsPage: Page = {
  path: "/console/applications",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, words } = visit
    const filters = filtersOf(visit)
    const { content, page } = yield* call(visit, "listApplications", [], {
      query: { ...applicationsQuery(visit), page: parameter(visit, "page") || "0", size }
    })
    return {
      title: words.applications,
      body: html`<div class="row">${
        may(visit, "fgts:write")
          ? html`<a class="button" href="${base}/console/applications/new">${words.newApplication}</a>`
          : nothing
      }${csvLink(visit, filters)}</div><br>${filterForm(visit, filters)}<section class="card">${
        content.length === 0
          ? html`<p>${Object.keys(filters).length === 0 ? words.nothingYet : words.nothingFound}</p>`
          : html`${tableHtml(words.applications, applicationColumns(visit), content)}${pagesHtml(visit, page, filters)}`
      }</section>`
    }
  })
}

const newFields = ({ words }: Visit): ReadonlyArray<Field> => [
  { path: "customer.name", label: words.name, kind: "text" },
  { path: "customer.cpf", label: words.cpf, kind: "text", isRequired: true },
  { path: "customer.birth_date", label: words.birthDate, kind: "date", isRequired: true },
  { path: "customer.phone", label: words.phone, kind: "tel" },
  { path: "customer.email", label: words.email, kind: "email" },
  { path: "desired_amount", label: words.desiredAmount, kind: "decimal" },
  { path: "max_installments", label: words.maxInstallments, kind: "integer" },
  { path: "external_id", label: words.externalId, kind: "text" }
]

/** A new application. Without a reference of its own, it gets the key of the form as its reference. */
export const newApplicationPage: Page = {
  path: "/console/applications/new",
  permission: "fgts:write",
  view: (visit) => {
    const { words } = visit
    return recordFormView(
      visit,
      words.newApplication,
      { action: "open", button: words.openApplication },
      newFields(visit)
    )
  },
  actions: {
    open: Effect.fnUntraced(function*(visit, fields) {
      const { key } = fields
      const body = { external_id: key, customer: {}, ...bodyOf(visit.language, newFields(visit), fields) }
      const { application_id } = yield* call(visit, "createApplication", [], { body, key })
      return `/console/applications/${application_id}`
    })
  }
}
