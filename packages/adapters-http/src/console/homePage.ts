import { Effect } from "effect"
import { applicationColumns } from "./applicationsPage.ts"
import { html, nothing } from "./html.ts"
import { type Page } from "./Page.ts"
import { tableHtml } from "./tables.ts"
import { call, may } from "./Visit.ts"

/** The first page: what needs a person now. */
export const homePage: Page = {
  path: "/console",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, words } = visit
    const { content } = yield* call(visit, "listApplications", [], { query: { size: "10", sort: "created_at,desc" } })
    return {
      title: words.home,
      body: html`<div class="row">${
        may(visit, "fgts:write")
          ? html`<a class="button" href="${base}/console/applications/new">${words.newApplication}</a>`
          : nothing
      }</div><br><section class="card"><h2>${words.applications}</h2>${
        content.length === 0
          ? html`<p>${words.nothingYet}</p>`
          : tableHtml(words.applications, applicationColumns(visit), content)
      }</section>`
    }
  })
}
