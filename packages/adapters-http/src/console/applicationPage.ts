import { authorize } from "@lastro/domain/access"
import { cancellationReasons, type NextAction, type PossibleRequests, withdrawalReasons } from "@lastro/domain/loan"
import { type FgtsApplication, getCancellationTime, getPossibleRequests } from "@lastro/domain/origination"
import { Effect, Result, Struct } from "effect"
import { contractHtml } from "./contract.ts"
import { bodyOf, type Field, fieldHtml, foldedForm, newKey } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { offersHtml } from "./offers.ts"
import { applicationBadge, factsHtml, idOf } from "./tables.ts"
import { timelineHtml } from "./timeline.ts"
import { call, may, type Page, type Visit } from "./Visit.ts"

const requoteFields = ({ words }: Visit): ReadonlyArray<Field> => [
  { path: "desired_amount", label: words.desiredAmount, kind: "decimal", isOptional: true },
  { path: "max_installments", label: words.maxInstallments, kind: "integer", isOptional: true }
]

const cancelFields = ({ words }: Visit): ReadonlyArray<Field> => [
  {
    path: "reason",
    label: words.reason,
    kind: "choice",
    options: Struct.pick(words.fields.options.cancellation, cancellationReasons)
  },
  { path: "note", label: words.note, kind: "area" }
]

const withdrawFields = ({ words }: Visit): ReadonlyArray<Field> => [{
  path: "reason",
  label: words.reason,
  kind: "choice",
  options: Struct.pick(words.fields.options.withdrawal, withdrawalReasons)
}]

const commandsHtml = (visit: Visit, possible: PossibleRequests | undefined, key: string): Html => {
  const { words } = visit
  const form = (action: string, title: string, fields: ReadonlyArray<Field>, about?: string, isDanger = false) =>
    foldedForm(visit, {
      action,
      button: title,
      key: `${key}-${action}`,
      isDanger,
      content: html`${fields.map((field) => fieldHtml(visit, action, field))}`
    }, about)
  return html`${possible?.quote ? form("requote", words.requote, requoteFields(visit)) : nothing}${
    possible?.withdrawal
      ? form("withdraw", words.withdraw, withdrawFields(visit), words.withdrawText, true)
      : nothing
  }${
    possible?.cancellation
      ? form("cancel", words.cancelApplication, cancelFields(visit), words.cancelText, true)
      : nothing
  }`
}

/** The next actions of others, during which the page reloads itself. */
const changedByOthers: ReadonlySet<NextAction> = new Set(["WAIT", "SIGN", "WAIT_FOR_SETTLEMENT"])

/** Shows the next step, with a link to the KYC form if data is missing. The page reloads itself while others act. */
const nextHtml = (visit: Visit, application: FgtsApplication): Html => {
  const { base, formats, words } = visit
  const { application_id, kyc_complete, next_action, quote, rejection } = application
  const toKyc = html`<a class="button" href="${base}/console/applications/${application_id}/kyc">${
    next_action === "SUBMIT_KYC" ? words.completeKyc : words.nextAction[next_action]
  }</a>`
  const waiting = html`${words.waiting} <span data-script hidden>${words.updatesItself}</span>`
  const explanation = next_action === "WAIT" ? waiting : words.nextAction[next_action]
  const retryText = (): string | null => {
    const { blocked_until } = quote
    if (next_action === "WAIT_FOR_SETTLEMENT" && blocked_until !== null) {
      return words.retryAt(formats.date(blocked_until))
    }
    const retry_at = rejection?.retry_at ?? null
    return retry_at === null || next_action === "NONE" ? null : words.retryAt(formats.time(retry_at))
  }
  const retry = retryText()
  const whyKyc = next_action === "SUBMIT_KYC" ? html`<p class="soft">${words.needsKyc}</p>` : nothing
  const needsData = ["SUBMIT_KYC", "FIX_KYC", "FIX_DISBURSEMENT"].includes(next_action)
  const kycLink = needsData && may(visit, "fgts:write") && may(visit, "kyc:read") ? toKyc : nothing
  const refresh = changedByOthers.has(next_action) || quote.open_parts > 0
    ? html`<p data-follow="2000"><a href="${base}/console/applications/${application_id}">${words.refresh}</a></p>`
    : nothing
  const kycDone = kyc_complete && next_action === "ACCEPT_OFFER"
    ? html`<p class="soft">${words.kycComplete}</p>`
    : nothing
  return html`<section class="card"><h2>${words.nextStep}</h2><p>${explanation}</p>${
    retry === null ? nothing : html`<p class="soft">${retry}</p>`
  }${whyKyc}${kycLink}${refresh}${kycDone}</section>`
}

/** Reads when an application was cancelled before an offer was accepted. Later, the proposal has the time. */
const cancelledAt = Effect.fnUntraced(function*({ caller }: Visit, application: FgtsApplication) {
  const { application_id, proposal_id, status } = application
  if (status !== "CANCELLED" || proposal_id !== null) return null
  return yield* getCancellationTime(yield* Effect.fromResult(authorize(caller, "fgts:read")), application_id)
})

/** An application: its next step, its offers, its contract and its history. */
export const applicationPage: Page = {
  path: "/console/applications/:id",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { formats, words } = visit
    const application = yield* call(visit, "getApplication", [idOf(visit)], { query: { include: "quotes" } })
    const proposal = application.proposal_id !== null && may(visit, "proposals:read")
      ? yield* call(visit, "getProposal", [application.proposal_id])
      : undefined
    const allowed = authorize(visit.caller, "fgts:write")
    const possible = Result.isSuccess(allowed)
      ? yield* getPossibleRequests(allowed.success, application.application_id)
      : undefined
    const key = yield* newKey
    const { customer, rejection } = application
    const state = `${application.status} ${application.next_action} ${
      proposal?.status ?? ""
    } ${application.updated_at} ${application.quote.open_parts}`
    return {
      title: customer.name ?? application.external_id,
      body: html`<div class="row"><span data-state="${state}">${
        applicationBadge(visit, application.status)
      }</span><span class="soft">${formats.cpf(customer.cpf)}</span></div><br><div class="two"><div>${
        nextHtml(visit, application)
      }${
        proposal === undefined
          ? nothing
          : contractHtml(visit, proposal, possible?.signature_link === true, `${key}-renew`)
      }${offersHtml(visit, application, key)}${
        commandsHtml(visit, possible, key)
      }</div><div><section class="card"><h2>${words.customer}</h2>${
        factsHtml([
          [words.name, customer.name],
          [words.cpf, formats.cpf(customer.cpf)],
          [words.birthDate, customer.birth_date === null ? null : formats.date(customer.birth_date)],
          [words.phone, customer.phone === null ? null : formats.phone(customer.phone)],
          [words.email, customer.email],
          [words.externalId, application.external_id],
          [words.createdAt, formats.time(application.created_at)],
          [words.rejection, rejection === null ? null : rejection.message]
        ])
      }</section><section class="card"><h2>${words.timeline}</h2>${
        timelineHtml(visit, application, proposal, yield* cancelledAt(visit, application))
      }</section></div></div>`
    }
  }),
  actions: {
    accept: Effect.fnUntraced(function*(visit, { key, offer_id = "", terms_accepted }) {
      const body = { terms_accepted: terms_accepted === "true" }
      yield* call(visit, "acceptOffer", [idOf(visit), offer_id], { body, key })
      return `/console/applications/${idOf(visit)}`
    }),
    renew: Effect.fnUntraced(function*(visit, { key }) {
      const { proposal_id } = yield* call(visit, "getApplication", [idOf(visit)])
      yield* call(visit, "renewSignatureLink", [proposal_id ?? ""], { body: {}, key })
      return `/console/applications/${idOf(visit)}`
    }),
    requote: Effect.fnUntraced(function*(visit, fields) {
      const body = bodyOf(visit.language, requoteFields(visit), fields)
      yield* call(visit, "requoteApplication", [idOf(visit)], { body, key: fields["key"] })
      return `/console/applications/${idOf(visit)}`
    }),
    withdraw: Effect.fnUntraced(function*(visit, fields) {
      const { proposal_id } = yield* call(visit, "getApplication", [idOf(visit)])
      const body = bodyOf(visit.language, withdrawFields(visit), fields)
      yield* call(visit, "withdrawFromProposal", [proposal_id ?? ""], { body, key: fields["key"] })
      return `/console/applications/${idOf(visit)}`
    }),
    cancel: Effect.fnUntraced(function*(visit, fields) {
      const body = bodyOf(visit.language, cancelFields(visit), fields)
      yield* call(visit, "cancelApplication", [idOf(visit)], { body, key: fields["key"] })
      return `/console/applications/${idOf(visit)}`
    })
  }
}
