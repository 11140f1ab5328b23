import { Effect } from "effect"
import { html } from "./html.ts"
import { type Page } from "./Page.ts"
import { pagesHtml, tableHtml } from "./tables.ts"
import { call, parameter } from "./Visit.ts"

/** Who did what, newest first. */
export const auditPage: Page = {
  path: "/console/audit",
  permission: "audit:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, exchange, formats, words } = visit
    const subject_id = parameter(visit, "subject_id").trim()
    const { content, page } = yield* call(visit, "listAudit", [], {
      query: {
        page: parameter(visit, "page") || "0",
        size: "20",
        ...(subject_id === "" ? {} : { subject_id })
      }
    })
    return {
      title: words.audit,
      body:
        html`<form class="card row" role="search" method="get" action="${base}${exchange.path}"><label for="f-subject">${words.record}</label><input id="f-subject" name="subject_id" type="search" value="${subject_id}"><button>${words.search}</button></form><section class="card">${
          content.length === 0 ? html`<p>${words.nothingFound}</p>` : tableHtml(words.audit, [
            { title: words.when, cell: ({ at }) => formats.time(at) },
            { title: words.action, cell: ({ action }) => action },
            { title: words.actor, cell: ({ actor }) => html`<code>${actor}</code>` },
            { title: words.record, cell: ({ subject }) => html`<code>${subject}</code>` },
            { title: words.changes, cell: ({ changed_fields }) => changed_fields.join(", ") }
          ], content)
        }${pagesHtml(visit, page, { subject_id })}</section>`
    }
  })
}
