import { authorize } from "@lastro/domain/access"
import { cancellationReasons, type NextAction, type PossibleRequests, withdrawalReasons } from "@lastro/domain/loan"
import { type FgtsApplication, type FgtsOffer, getPossibleRequests } from "@lastro/domain/origination"
import { Effect, Result, Struct } from "effect"
import { contractHtml } from "./contract.ts"
import { bodyOf, type Field, fieldHtml, formHtml, newKey } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { applicationBadge, factsHtml, idOf, nextText } from "./tables.ts"
import { timelineHtml } from "./timeline.ts"
import { call, may, type Page, type Visit } from "./Visit.ts"

const offerHtml = (visit: Visit, application: FgtsApplication, offer: FgtsOffer, key: string): Html => {
  const { formats, words } = visit
  const canAccept = application.next_action === "ACCEPT_OFFER" && offer.status === "AVAILABLE" &&
    offer.missing_fields.length === 0 && may(visit, "fgts:write")
  const action = `accept ${offer.offer_id}`
  return html`<section class="card offer"><div class="row"><h3>${offer.table.label}</h3><span class="badge push">${
    words.offerStatus[offer.status]
  }</span></div>${offer.lender === null ? nothing : html`<p class="soft">${offer.lender.label}</p>`}<p class="big">${
    formats.money(offer.net_amount)
  }</p>${
    factsHtml([
      [words.gross, formats.money(offer.gross_amount)],
      [words.rate, formats.percent(offer.monthly_rate)],
      [words.cet, formats.percent(offer.annual_cet)],
      [words.iof, formats.money(offer.iof_amount)],
      [words.fee, formats.money(offer.fee_amount)],
      [words.validUntil, formats.time(offer.expires_at)]
    ])
  }<details><summary>${words.installments} (${offer.installments.length})</summary><ul>${
    offer.installments.map(({ amount, due_date }) => html`<li>${formats.date(due_date)}: ${formats.money(amount)}</li>`)
  }</ul></details>${
    canAccept
      ? formHtml(visit, {
        action: "accept",
        button: words.accept,
        key: `${key}-${offer.offer_id.slice(-12)}`,
        content: html`<input type="hidden" name="offer_id" value="${offer.offer_id}"><label class="check" for="${
          action.replace(" ", "-")
        }"><input id="${
          action.replace(" ", "-")
        }" type="checkbox" name="terms_accepted" value="true" required>${words.agreed}</label><br>`
      })
      : nothing
  }</section>`
}

/** The lenders of a quote, and their answers. Nothing for a quote with one lender. */
const partsHtml = ({ words }: Visit, { parts }: FgtsApplication["quote"]): Html =>
  parts.length < 2
    ? nothing
    : html`<ul class="soft">${
      parts.map(({ lender, rejection, status }) =>
        html`<li>${lender?.label ?? ""}: ${words.partStatus[status]}${
          rejection === null ? nothing : html` (${rejection.message})`
        }</li>`
      )
    }</ul>`

const offersHtml = (visit: Visit, application: FgtsApplication, key: string): Html => {
  const { words } = visit
  const { offers, rejection, unpriced } = application.quote
  return html`<section><h2>${words.offers}</h2>${
    offers.length > 0 ? html`<p class="soft">${words.offersText}</p>` : nothing
  }${rejection === null ? nothing : html`<p>${rejection.message}</p>`}${
    partsHtml(visit, application.quote)
  }<div class="grid">${offers.map((offer) => offerHtml(visit, application, offer, key))}</div>${
    unpriced.length === 0
      ? nothing
      : html`<ul class="soft">${
        unpriced.map(({ rejection, table }) => html`<li>${table.label}: ${rejection.message}</li>`)
      }</ul>`
  }</section>`
}

const requoteFields = ({ words }: Visit): ReadonlyArray<Field> => [
  { path: "desired_amount", label: words.desiredAmount, kind: "decimal" },
  { path: "max_installments", label: words.maxInstallments, kind: "integer" }
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

/** The forms behind a summary, so that each needs two steps. A form that was refused stays open. */
const folded = (visit: Visit, action: string, title: string, about: string | undefined, content: Html): Html =>
  html`<details class="card"${visit.refused?.action === action ? html` open` : nothing}><summary>${title}</summary>${
    about === undefined ? nothing : html`<p>${about}</p>`
  }${content}</details>`

const commandsHtml = (visit: Visit, possible: PossibleRequests | undefined, key: string): Html => {
  const { words } = visit
  const form = (action: string, title: string, fields: ReadonlyArray<Field>, about?: string, isDanger = false) =>
    folded(
      visit,
      action,
      title,
      about,
      formHtml(visit, {
        action,
        button: title,
        key: `${key}-${action}`,
        isDanger,
        content: html`${fields.map((field) => fieldHtml(visit, action, field))}`
      })
    )
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

/** The next actions that end without the viewer: by the lender, the customer or another contract. The page follows them. */
const changedByOthers: ReadonlySet<NextAction> = new Set(["WAIT", "SIGN", "WAIT_FOR_SETTLEMENT"])

const nextHtml = (visit: Visit, application: FgtsApplication): Html => {
  const { base, words } = visit
  const { application_id, kyc_complete, next_action } = application
  const toKyc = html`<a class="button" href="${base}/console/applications/${application_id}/kyc">${
    next_action === "SUBMIT_KYC" ? words.completeKyc : words.nextAction[next_action]
  }</a>`
  const needsData = ["SUBMIT_KYC", "FIX_KYC", "FIX_DISBURSEMENT"].includes(next_action)
  return html`<section class="card"><h2>${words.nextStep}</h2><p>${
    next_action === "WAIT" ? words.waiting : nextText(visit, next_action)
  }</p>${next_action === "SUBMIT_KYC" ? html`<p class="soft">${words.needsKyc}</p>` : nothing}${
    needsData && may(visit, "fgts:write") && may(visit, "kyc:read") ? toKyc : nothing
  }${
    changedByOthers.has(next_action)
      ? html`<p data-follow="2000"><a href="${base}/console/applications/${application_id}">${words.refresh}</a></p>`
      : nothing
  }${
    kyc_complete && next_action === "ACCEPT_OFFER" ? html`<p class="soft">${words.kycComplete}</p>` : nothing
  }</section>`
}

/** One application: its next step, its offers, its contract, and what happened. */
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
    const state = `${application.status} ${application.next_action} ${proposal?.status} ${application.updated_at}`
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
          [words.rejection, rejection === null ? null : rejection.message],
          [
            "",
            rejection === null || rejection.retry_at === null ? null : words.retryAt(formats.time(rejection.retry_at))
          ]
        ])
      }</section><section class="card"><h2>${words.timeline}</h2>${
        timelineHtml(visit, application, proposal)
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
