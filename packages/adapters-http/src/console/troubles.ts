import { authorizeTroubles } from "@lastro/domain/access"
import { readTroubles, type Troubles } from "@lastro/domain/operator"
import { Effect, Result } from "effect"
import { type Html, html, nothing } from "./html.ts"
import { tableHtml } from "./tables.ts"
import { type Visit } from "./Visit.ts"

type FailingJob = Troubles["jobs"][number]

const jobsHtml = ({ base, formats, words }: Visit, { failing, jobs }: Troubles): Html => {
  const { troubles } = words
  return html`<section class="card"><h3>${troubles.jobs} <span class="count">${formats.integer(failing)}</span></h3>${
    tableHtml<FailingJob>(troubles.jobs, [
      {
        title: troubles.job,
        cell: ({ application_id, kind }) =>
          application_id === null
            ? troubles.kinds[kind]
            : html`<a href="${base}/console/applications/${application_id}">${troubles.kinds[kind]}</a>`
      },
      { title: troubles.lender, cell: ({ lender }) => lender ?? "–" },
      { title: troubles.started, cell: ({ created_at }) => formats.time(created_at) },
      { title: troubles.next, cell: ({ due_at }) => formats.time(due_at) }
    ], jobs)
  }</section>`
}

/**
 * Shows the failing jobs and the unavailable lenders of a tree, if there are any. Only for users who operate the tree
 * (AUTH-33).
 */
export const troublesHtml = Effect.fnUntraced(function*(visit: Visit) {
  const allowed = authorizeTroubles(visit.caller)
  if (Result.isFailure(allowed)) return nothing
  const troubles = yield* readTroubles(allowed.success)
  const { words } = visit
  if (troubles.failing === 0) return nothing
  return html`<h2>${words.troubles.title}</h2>${
    troubles.lenders.map(({ jobs, label }) =>
      html`<p class="message bad">${words.troubles.unavailable(label, visit.formats.integer(jobs))}</p>`
    )
  }${jobsHtml(visit, troubles)}`
})
