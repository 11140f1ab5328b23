import { type PublicProposalDetail } from "@lastro/domain/origination"
import { formHtml } from "./forms.ts"
import { type Html, html, nothing, qrCode, safeUrl } from "./html.ts"
import { factsHtml, proposalBadge } from "./tables.ts"
import { type Visit } from "./Visit.ts"

/** A button that copies a text to the clipboard. It is hidden without the script. */
export const copyButton = ({ words }: Visit, text: string): Html =>
  html`<button type="button" class="plain" data-copy="${text}" data-copied="${words.copied}" hidden>${words.copy}</button>`

const linkHtml = (visit: Visit, link: string): Html => {
  const { words } = visit
  const url = safeUrl(link)
  return html`<p>${words.signatureText}</p><p>${
    url === undefined ? html`<code>${link}</code>` : html`<a href="${url}" rel="noreferrer">${url}</a>`
  }</p>${qrCode(link, words.signature)}<br>`
}

const signatureHtml = (
  visit: Visit,
  { signature_url }: PublicProposalDetail,
  canRenew: boolean,
  key: string
): Html => {
  const { words } = visit
  if (signature_url === null && !canRenew) return nothing
  return html`<section class="card"><h2>${words.signature}</h2>${
    signature_url === null ? nothing : linkHtml(visit, signature_url)
  }<div class="row">${signature_url === null ? nothing : copyButton(visit, signature_url)}${
    canRenew ? formHtml(visit, { action: "renew", button: words.renewLink, key, content: nothing }) : nothing
  }</div></section>`
}

/** Shows the contract of an application: its terms, its refund and its signature link. */
export const contractHtml = (visit: Visit, proposal: PublicProposalDetail, canRenew: boolean, key: string): Html => {
  const { formats, words } = visit
  const { disbursement, loan, paid, refund, rejection, status } = proposal
  return html`<section class="card"><div class="row"><h2>${words.contract} ${proposal.number}</h2><span class="push">${
    proposalBadge(visit, status)
  }</span></div>${
    factsHtml([
      [words.net, formats.money(loan.net_amount)],
      [words.gross, formats.money(loan.gross_amount)],
      [words.cet, formats.percent(loan.annual_cet)],
      [words.account, disbursement.pix_key ?? disbursement.account_number],
      [words.paid, paid === null ? null : `${formats.money(paid.amount)}, ${formats.time(paid.at)}`],
      [words.rejection, rejection === null ? null : rejection.message]
    ])
  }${
    refund === null ?
      nothing :
      html`<h3>${words.refund}</h3><p>${
        words.refundText(formats.time(refund.expires_at))
      }</p><p><code>${refund.pix_copy_paste}</code></p>${qrCode(refund.pix_copy_paste, words.refund)}<br>${
        copyButton(visit, refund.pix_copy_paste)
      }`
  }</section>${signatureHtml(visit, proposal, canRenew, key)}`
}
