import { type FgtsApplication, type FgtsQuote, type PublicProposalDetail } from "@lastro/domain/origination"
import { type Html, html, nothing } from "./html.ts"
import { type Visit } from "./Visit.ts"

/** A step of a loan. */
interface Happening {
  readonly at: string
  readonly text: string
  readonly detail: string | null
}

const ofQuote = (
  { words }: Visit,
  { completed_at, created_at, number, offers, rejection }: FgtsQuote,
  cancelled_at: string | null
) => {
  const asked: ReadonlyArray<Happening> = number === 1
    ? []
    : [{ at: created_at, text: words.happened.quoteRequested, detail: null }]
  // The cancellation ended this quote, and is a step of its own.
  if (completed_at === null || completed_at === cancelled_at) return asked
  const text = offers.length > 0 ? words.happened.offersArrived(offers.length) : words.happened.quoteRejected
  return [...asked, { at: completed_at, text, detail: rejection?.message ?? null }]
}

/** Returns the text of a reason: Lastro's own text, or else the message of the rejection with this code. */
const detailOf = ({ words }: Visit, reason: string, proposal: PublicProposalDetail | undefined): string | null => {
  const texts: Readonly<Record<string, string>> = words.reachedBecause
  const { code, message } = proposal?.rejection ?? {}
  return texts[reason] ?? (code === reason ? message ?? null : null)
}

/**
 * Lists the steps of a loan, newest first. Reads them from the loan, which keeps them permanently. The events of the
 * feed are deleted after some time, and need their own permission.
 */
const happeningsOf = (
  visit: Visit,
  application: FgtsApplication,
  proposal: PublicProposalDetail | undefined,
  cancelled_at: string | null
): ReadonlyArray<Happening> => {
  const { words } = visit
  const accepted = proposal?.acceptance.accepted_at
  const detail = application.rejection?.message ?? null
  return [
    { at: application.created_at, text: words.happened.created, detail: null },
    ...(application.quotes ?? [application.quote]).flatMap((quote) => ofQuote(visit, quote, cancelled_at)),
    ...(cancelled_at === null ? [] : [{ at: cancelled_at, text: words.happened.cancelled, detail }]),
    ...(accepted === undefined ? [] : [{ at: accepted, text: words.happened.accepted, detail: null }]),
    ...(proposal?.status_history ?? []).map(({ at, reason, status }) => ({
      at,
      text: words.reached[status],
      detail: reason === null ? null : detailOf(visit, reason, proposal)
    }))
  ].toReversed().toSorted((a, b) => {
    if (a.at < b.at) return 1
    return a.at > b.at ? -1 : 0
  })
}

export const timelineHtml = (
  visit: Visit,
  application: FgtsApplication,
  proposal: PublicProposalDetail | undefined,
  cancelled_at: string | null
): Html =>
  html`<ol class="time">${
    happeningsOf(visit, application, proposal, cancelled_at).map(({ at, detail, text }) =>
      html`<li><span>${text}</span>${
        detail === null ? nothing : html`<br><span class="soft">${detail}</span>`
      }<br><time class="soft" datetime="${at}">${visit.formats.time(at)}</time></li>`
    )
  }</ol>`
