import { type RawQuery, type ValidationFailed } from "@lastro/domain/input"
import { type Html, html, nothing } from "./html.ts"
import { encodeForPage, nameOf } from "./responses.ts"
import { may, type Visit } from "./Visit.ts"

/**
 * Returns the filters of the list: all query parameters of the page, with the names of the API. So the address of the
 * page can be shared, and the API rejects an unknown filter. Commas separate several values.
 */
export const filtersOf = ({ query }: Visit): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, raw]) => {
      const value = [raw ?? []].flat().map((text) => text.trim()).filter((text) => text !== "").join(",")
      return name === "page" || name === "size" || value === "" ? [] : [[name, value]]
    })
  )

/** Returns the query of the API for the filters of the page. */
export const applicationsQuery = (visit: Visit): RawQuery => ({ sort: "created_at,desc", ...filtersOf(visit) })

/** The messages of rejected filters, by the names of the filters. */
type Problems = Readonly<Record<string, string>>

/** Returns the messages of rejected filters. */
export const problemsOf = ({ exchange, language }: Visit, refusal: ValidationFailed): Problems => {
  const { details } = encodeForPage(refusal, language, exchange.request_id).body.error
  return Object.fromEntries(details.map(({ field, message }) => [nameOf(field), message]))
}

/** Returns whether the form shows every rejected filter. */
export const showsAll = (form: Html, problems: Problems): boolean => {
  const text = form.toString()
  return Object.keys(problems).every((name) => text.includes(`id="f-${name}-error"`))
}

/** Returns the form with the usual filters. Other filters of the address stay as they are. */
export const filterForm = (
  visit: Visit,
  filters: Readonly<Record<string, string>>,
  problems: Problems = {}
): Html => {
  const { base, exchange, words } = visit
  const { cpf, created_from, created_to, external_id, next_action, proposal_status, status, ...others } = filters

  /** Shows a field with its error. `inputOf` shows its input. */
  const fieldOf = (name: string, label: string, inputOf: (state: Html) => Html): Html => {
    const problem = problems[name]
    const state = problem === undefined ? nothing : html` aria-invalid="true" aria-describedby="f-${name}-error"`
    return html`<div class="field"><label for="f-${name}">${label}</label>${inputOf(state)}${
      problem === undefined ? nothing : html`<p class="error" id="f-${name}-error">${problem}</p>`
    }</div>`
  }
  /** Shows a select field. If the chosen value is not an option, adds it as one. */
  const choice = (name: string, label: string, options: Readonly<Record<string, string>>, chosen = ""): Html => {
    const all = chosen === "" || Object.hasOwn(options, chosen) ? options : { [chosen]: chosen, ...options }
    return fieldOf(
      name,
      label,
      (state) =>
        html`<select id="f-${name}" name="${name}"${state}><option value="">${words.all}</option>${
          Object.entries(all).map(([value, text]) =>
            html`<option value="${value}"${value === chosen ? html` selected` : nothing}>${text}</option>`
          )
        }</select>`
    )
  }
  /** Shows a field for a text or a day. */
  const input = (name: string, label: string, type: string, value = ""): Html =>
    fieldOf(name, label, (state) => html`<input id="f-${name}" name="${name}" type="${type}" value="${value}"${state}>`)

  return html`<form class="card" method="get" action="${base}${exchange.path}" role="search">${
    Object.entries(others).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  }<div class="fields">${choice("status", words.status, words.applicationStatus, status)}${
    may(visit, "kyc:read") ? input("cpf", words.cpf, "text", cpf) : nothing
  }${input("external_id", words.externalId, "text", external_id)}</div><details${
    [next_action, proposal_status, created_from, created_to].every((value) => value === undefined)
      ? nothing
      : html` open`
  }><summary>${words.moreFilters}</summary><div class="fields">${
    choice("next_action", words.nextStep, words.nextAction, next_action)
  }${choice("proposal_status", words.contract, words.proposalStatus, proposal_status)}${
    input("created_from", words.since, "date", created_from)
  }${
    input("created_to", words.until, "date", created_to)
  }</div></details><div class="row"><button>${words.filter}</button><a class="button plain" href="${base}${exchange.path}">${words.clear}</a></div></form>`
}
