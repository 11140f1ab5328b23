import { ValidationFailed } from "@lastro/domain/input"
import { type FgtsApplicationListItem } from "@lastro/domain/origination"
import { Effect, Result } from "effect"
import { applicationsQuery, filterForm, filtersOf, problemsOf, showsAll } from "./applicationFilters.ts"
import { alertHtml, bodyOf, type Field, recordFormView } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { applicationBadge, type Column, csvLink, nextText, pagesHtml, proposalBadge, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, partnersOf, type Visit } from "./Visit.ts"

const size = "20"

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

/** The list of applications. */
export const applicationsPage: Page = {
  path: "/console/applications",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { words } = visit
    const filters = filtersOf(visit)
    const query = { ...applicationsQuery(visit), page: parameter(visit, "page") || "0", size }
    const listed = yield* Effect.result(call(visit, "listApplications", [], { query }))
    if (Result.isFailure(listed)) {
      const { failure } = listed
      if (!(failure instanceof ValidationFailed)) return yield* failure
      const problems = problemsOf(visit, failure)
      const form = filterForm(visit, filters, problems)
      if (!showsAll(form, problems)) return yield* failure
      return { title: words.applications, status: 422, body: html`${alertHtml(words.checkForm)}${form}` }
    }
    const { content, page } = listed.success
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
