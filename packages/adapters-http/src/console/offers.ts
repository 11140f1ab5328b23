import { type FgtsApplication, type FgtsOffer } from "@lastro/domain/origination"
import { formHtml } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { badge, factsHtml, tableHtml } from "./tables.ts"
import { may, type Visit } from "./Visit.ts"

/** The appearance of an offer's card. */
interface OfferLook {
  /** True for the highest net amount of the offers that can be accepted. */
  readonly isBest: boolean
  readonly namesLender: boolean
}

const offerHtml = (
  visit: Visit,
  application: FgtsApplication,
  offer: FgtsOffer,
  { isBest, namesLender }: OfferLook,
  key: string
): Html => {
  const { formats, refused, words } = visit
  const canAccept = application.next_action === "ACCEPT_OFFER" && offer.status === "AVAILABLE" &&
    offer.missing_fields.length === 0 && may(visit, "fgts:write")
  const checkboxId = `accept-${offer.offer_id}`
  const isUnagreed = refused?.action === "accept" && refused.fields["offer_id"] === offer.offer_id &&
    refused.error.details.some(({ field }) => field === "terms_accepted")
  const { label } = offer.table
  return html`<section class="card offer${isBest ? " best" : ""}"><p>${
    isBest
      ? badge(words.bestOffer, "good")
      : badge(words.offerStatus[offer.status], offer.status === "ACCEPTED" ? "good" : "calm")
  }</p><h3>${
    namesLender ? html`${offer.lender?.label ?? "–"}<br><span class="soft">${label}</span>` : label
  }</h3><p class="big">${formats.money(offer.net_amount)}</p>${
    factsHtml([
      [words.gross, formats.money(offer.gross_amount)],
      [words.rate, formats.percent(offer.monthly_rate)],
      [words.cet, formats.percent(offer.annual_cet)],
      [words.iof, formats.money(offer.iof_amount)],
      [words.fee, formats.money(offer.fee_amount)],
      [words.validUntil, formats.recent(offer.expires_at)]
    ])
  }<details><summary id="installments-${offer.offer_id}">${words.installments} (${offer.installments.length})</summary><ul>${
    offer.installments.map(({ amount, due_date }) => html`<li>${formats.date(due_date)}: ${formats.money(amount)}</li>`)
  }</ul></details>${
    canAccept
      ? formHtml(visit, {
        action: "accept",
        button: words.accept,
        key: `${key}-${offer.offer_id.slice(-12)}`,
        content:
          html`<input type="hidden" name="offer_id" value="${offer.offer_id}"><label class="check" for="${checkboxId}"><input id="${checkboxId}" type="checkbox" name="terms_accepted" value="true" required${
            isUnagreed ? html` aria-invalid="true" aria-describedby="accept-terms_accepted-error"` : nothing
          }>${words.agreed}</label>${
            isUnagreed
              ? html`<p class="error" id="accept-terms_accepted-error">${words.mustAgree}</p>`
              : nothing
          }<br>`
      })
      : nothing
  }</section>`
}

const partTones = {
  PENDING: "calm",
  LATE: "warn",
  COMPLETED: "good",
  REJECTED: "bad",
  FAILED: "bad",
  SKIPPED: "calm"
} as const

type Part = FgtsApplication["quote"]["parts"][number]

/** Returns the status to show for a lender. A lender is late if the quote no longer waits for it. */
const shownStatus = ({ status }: Part, isWaiting: boolean) => status === "PENDING" && !isWaiting ? "LATE" : status

/** Shows the lenders of a quote and their answers. */
const partsHtml = ({ formats, words }: Visit, { offers, parts, status }: FgtsApplication["quote"]): Html => {
  const isWaiting = status === "PENDING"
  const answerText = (part: Part): string => {
    const shown = shownStatus(part, isWaiting)
    const offered = offers.filter(({ lender }) => lender?.code === part.lender?.code).length
    if (part.rejection !== null) return part.rejection.message
    if (shown === "COMPLETED") {
      return isWaiting ? words.partText.HELD : words.partText.COMPLETED(offered)
    }
    return shown === "REJECTED" ? "–" : words.partText[shown]
  }
  return tableHtml(words.lenders, [
    { title: words.lender, cell: ({ lender }) => lender?.label ?? "–" },
    {
      title: words.status,
      cell: (part) => {
        const shown = shownStatus(part, isWaiting)
        return badge(words.partStatus[shown], partTones[shown])
      }
    },
    { title: words.answer, cell: answerText },
    { title: words.when, cell: ({ completed_at }) => completed_at === null ? "–" : formats.time(completed_at) }
  ], parts)
}

/** Shows the answers of the lenders of a quote, and their offers side by side. */
export const offersHtml = (visit: Visit, application: FgtsApplication, key: string): Html => {
  const { words } = visit
  const { offers, parts, rejection, unpriced } = application.quote
  const namesLender = parts.length > 1
  // The API sorts offers by their net amount, the highest first.
  const best = offers.length > 1 ? offers.find(({ status }) => status === "AVAILABLE") : undefined
  const lenders = namesLender
    ? html`<section class="card"><h2>${words.lenders}</h2>${partsHtml(visit, application.quote)}</section>`
    : nothing
  if (offers.length + unpriced.length === 0 && rejection === null) return lenders
  return html`${lenders}<section><h2>${words.offers}</h2>${
    offers.length > 0 ? html`<p class="soft">${words.offersText}</p>` : nothing
  }${rejection === null ? nothing : html`<p>${rejection.message}</p>`}<div class="grid">${
    offers.map((offer) => offerHtml(visit, application, offer, { isBest: offer === best, namesLender }, key))
  }</div>${
    unpriced.length === 0
      ? nothing
      : html`<ul class="soft">${
        unpriced.map(({ lender, rejection, table }) =>
          html`<li>${
            namesLender && lender !== null ? `${lender.label}, ` : ""
          }${table.label}: ${rejection.message}</li>`
        )
      }</ul>`
  }</section>`
}
