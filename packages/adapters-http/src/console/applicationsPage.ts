import { type RawQuery } from "@lastro/domain/input"
import { type FgtsApplicationListItem } from "@lastro/domain/origination"
import { Effect } from "effect"
import { bodyOf, type Field, recordFormView } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { applicationBadge, type Column, csvLink, nextText, pagesHtml, proposalBadge, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, partnersOf, type Visit } from "./Visit.ts"

const size = "20"

/**
 * Returns the filters of the list: all query parameters of the page, with the names of the API. So the address of the
 * page can be shared, and the API rejects an unknown filter. Commas separate several values.
 */
const filtersOf = ({ query }: Visit): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, raw]) => {
      const value = [raw ?? []].flat().map((text) => text.trim()).filter((text) => text !== "").join(",")
      return name === "page" || name === "size" || value === "" ? [] : [[name, value]]
    })
  )

/** Returns the query of the API for the filters of the page. */
export const applicationsQuery = (visit: Visit): RawQuery => ({ sort: "created_at,desc", ...filtersOf(visit) })

/** Returns a link to the form for a new application, if the user may create one. */
export const newApplicationLink = (visit: Visit): Html =>
  may(visit, "fgts:write")
    ? html`<a class="button" href="${visit.base}/console/applications/new">${visit.words.newApplication}</a>`
    : nothing

/** Returns the ids of the partners of applications. Returns none if the user may not read partners. */
export const idsOfPartners = (visit: Visit, items: ReadonlyArray<FgtsApplicationListItem>): ReadonlyArray<string> =>
  may(visit, "partners:read") ? items.map(({ partner_id }) => partner_id) : []

/** The column with the customer: the name, and the CPF below it. */
export const customerColumn = ({ base, formats, words }: Visit): Column<FgtsApplicationListItem> => ({
  title: words.customer,
  cell: ({ application_id, customer, external_id }) =>
    html`<a href="${base}/console/applications/${application_id}">${
      customer.name ?? external_id
    }</a><br><span class="soft">${formats.cpf(customer.cpf)}</span>`
})

/** The column with the partner of an application. Absent if all have the same partner. */
export const partnerColumns = (
  { base, words }: Visit,
  partners: Effect.Success<ReturnType<typeof partnersOf>>
): ReadonlyArray<Column<FgtsApplicationListItem>> =>
  partners.size < 2 ? [] : [{
    title: words.partner,
    cell: ({ partner_id }) => {
      const name = partners.get(partner_id)?.name
      return name === undefined ? "–" : html`<a class="quiet" href="${base}/console/partners/${partner_id}">${name}</a>`
    }
  }]

/** The column with the highest net amount of the offers. */
export const amountColumn = ({ formats, words }: Visit): Column<FgtsApplicationListItem> => ({
  title: words.bestAmount,
  isNumber: true,
  cell: ({ best_net_amount }) => best_net_amount === null ? "–" : formats.money(best_net_amount)
})

/** The columns of the list. An application with a contract shows the status of the contract, which is more precise. */
const applicationColumns = (
  visit: Visit,
  partners: Effect.Success<ReturnType<typeof partnersOf>>
): ReadonlyArray<Column<FgtsApplicationListItem>> => {
  const { formats, words } = visit
  return [
    customerColumn(visit),
    {
      title: words.status,
      cell: ({ proposal_status, status }) =>
        proposal_status === null ? applicationBadge(visit, status) : proposalBadge(visit, proposal_status)
    },
    { title: words.nextStep, cell: ({ next_action }) => nextText(visit, next_action) },
    ...partnerColumns(visit, partners),
    amountColumn(visit),
    { title: words.createdAt, isNumber: true, cell: ({ created_at }) => formats.time(created_at) }
  ]
}

/** Returns a select field of the filter form. If the chosen value is not an option, adds it as one. */
const choice = (
  { words }: Visit,
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  chosen = ""
): Html => {
  const all = chosen === "" || Object.hasOwn(options, chosen) ? options : { [chosen]: chosen, ...options }
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}"><option value="">${words.all}</option>${
    Object.entries(all).map(([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : nothing}>${text}</option>`
    )
  }</select></div>`
}

/** Returns a field of the filter form for a text or a day. */
const input = (name: string, label: string, type: string, value = ""): Html =>
  html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${type}" value="${value}"></div>`

/** Returns the form with the usual filters. Other filters of the address stay as they are. */
const filterForm = (visit: Visit, filters: Readonly<Record<string, string>>): Html => {
  const { base, exchange, words } = visit
  const { cpf, created_from, created_to, external_id, next_action, proposal_status, status, ...others } = filters
  return html`<form class="card" method="get" action="${base}${exchange.path}" role="search">${
    Object.entries(others).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  }<div class="fields">${choice(visit, "status", words.status, words.applicationStatus, status)}${
    may(visit, "kyc:read") ? input("cpf", words.cpf, "text", cpf) : nothing
  }${input("external_id", words.externalId, "text", external_id)}</div><details${
    [next_action, proposal_status, created_from, created_to].every((value) => value === undefined)
      ? nothing
      : html` open`
  }><summary>${words.moreFilters}</summary><div class="fields">${
    choice(visit, "next_action", words.nextStep, words.nextAction, next_action)
  }${choice(visit, "proposal_status", words.contract, words.proposalStatus, proposal_status)}${
    input("created_from", words.since, "date", created_from)
  }${
    input("created_to", words.until, "date", created_to)
  }</div></details><div class="row"><button>${words.filter}</button><a class="button plain" href="${base}${exchange.path}">${words.clear}</a></div></form>`
}

/** The list of applications. */
export const applicationsPage: Page = {
  path: "/console/applications",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { words } = visit
    const filters = filtersOf(visit)
    const { content, page } = yield* call(visit, "listApplications", [], {
      query: { ...applicationsQuery(visit), page: parameter(visit, "page") || "0", size }
    })
    return {
      title: words.applications,
      actions: html`${csvLink(visit, filters)}${newApplicationLink(visit)}`,
      body: html`${filterForm(visit, filters)}<section class="card">${
        content.length === 0
          ? html`<p>${Object.keys(filters).length === 0 ? words.nothingYet : words.nothingFound}</p>`
          : html`${
            tableHtml(
              words.applications,
              applicationColumns(visit, yield* partnersOf(visit, idsOfPartners(visit, content))),
              content
            )
          }${pagesHtml(visit, page, filters)}`
      }</section>`
    }
  })
}

const newFields = ({ words }: Visit): ReadonlyArray<Field> => [
  { path: "customer.name", label: words.name, kind: "text", isOptional: true },
  { path: "customer.cpf", label: words.cpf, kind: "text", isRequired: true },
  { path: "customer.birth_date", label: words.birthDate, kind: "date", isRequired: true },
  { path: "customer.phone", label: words.phone, kind: "tel", isOptional: true },
  { path: "customer.email", label: words.email, kind: "email", isOptional: true },
  { path: "desired_amount", label: words.desiredAmount, kind: "decimal", isOptional: true },
  { path: "max_installments", label: words.maxInstallments, kind: "integer", isOptional: true },
  { path: "external_id", label: words.externalId, kind: "text", isOptional: true }
]

/** The form for a new application. If the user enters no reference, the key of the form becomes the reference. */
export const newApplicationPage: Page = {
  path: "/console/applications/new",
  permission: "fgts:write",
  view: (visit) => {
    const { newApplication, openApplication } = visit.words
    return recordFormView(visit, newApplication, { action: "open", button: openApplication }, newFields(visit))
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
