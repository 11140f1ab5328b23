import { type FgtsApplicationListItem, funnelOf, type FunnelStage, funnelStages } from "@lastro/domain/origination"
import { saoPauloDate, timestampOf } from "@lastro/domain/values"
import { Effect } from "effect"
import { applicationColumns } from "./applicationsPage.ts"
import { type Html, html, nothing } from "./html.ts"
import { queryText, tableHtml } from "./tables.ts"
import { troublesHtml } from "./troubles.ts"
import { call, may, type Page, parameter, type Visit } from "./Visit.ts"

const dayMs = 24 * 60 * 60 * 1_000

/** The periods of the funnel, in days. */
const periods = [7, 30, 90] as const

/** A list of what needs a person: a filter of the list of applications. */
interface Task {
  readonly name: keyof Visit["words"]["tasks"]
  readonly filter: (now: number) => Readonly<Record<string, string>>
}

const tasks: ReadonlyArray<Task> = [
  { name: "correction", filter: () => ({ proposal_status: "CORRECTION_NEEDED" }) },
  { name: "disbursement", filter: () => ({ proposal_status: "DISBURSEMENT_FAILED" }) },
  {
    name: "signature",
    filter: (now) => ({
      proposal_status: "AWAITING_SIGNATURE",
      updated_to: new Date(now - dayMs).toISOString()
    })
  },
  {
    name: "expiring",
    filter: (now) => ({
      next_action: "ACCEPT_OFFER,SUBMIT_KYC",
      expires_to: saoPauloDate(timestampOf(now)),
      sort: "created_at,asc"
    })
  },
  { name: "retry", filter: (now) => ({ next_action: "REQUOTE", retry_to: timestampOf(now + 1) }) }
]

const barHeight = 30

/** Draws the funnel as bars. The table below has the same numbers. */
const funnelSvg = ({ formats, words }: Visit, stages: Readonly<Record<FunnelStage, number>>): Html => {
  const width = (count: number) => stages.opened === 0 ? 0 : Math.max(count === 0 ? 0 : 2, 560 * count / stages.opened)
  return html`<svg class="funnel" viewBox="0 0 640 ${
    funnelStages.length * barHeight
  }" role="img" aria-label="${words.funnel}">${
    funnelStages.map((stage, index) =>
      html`<rect x="0" y="${index * barHeight + 4}" width="${
        width(stages[stage]).toFixed(1)
      }" height="22" rx="4"/><text x="${(width(stages[stage]) + 8).toFixed(1)}" y="${index * barHeight + 20}">${
        formats.integer(stages[stage])
      }</text>`
    )
  }</svg>`
}

const funnelHtml = (visit: Visit, days: number, stages: Readonly<Record<FunnelStage, number>>): Html => {
  const { base, exchange, formats, words } = visit
  return html`<section class="card"><h2>${words.funnel}</h2><p class="soft">${words.funnelText}</p><div class="row" role="group" aria-label="${words.funnel}">${
    periods.map((period) =>
      html`<a class="button plain" href="${base}${exchange.path}?days=${period}"${
        period === days ? html` aria-current="true"` : nothing
      }>${words.days(period)}</a>`
    )
  }</div><br><div class="grid">${funnelSvg(visit, stages)}<div>${
    tableHtml(words.funnel, [
      { title: words.stage, cell: (stage: FunnelStage) => words.funnelStages[stage] },
      { title: words.count, isNumber: true, cell: (stage) => formats.integer(stages[stage]) },
      {
        title: words.share,
        isNumber: true,
        cell: (stage) => stages.opened === 0 ? "–" : formats.percent(100 * stages[stage] / stages.opened)
      }
    ], funnelStages)
  }</div></div></section>`
}

/** The applications of a task that are shown, and how many there are. */
interface Due {
  readonly task: Task
  readonly filter: Readonly<Record<string, string>>
  readonly items: ReadonlyArray<FgtsApplicationListItem>
  readonly total: number
}

const dueHtml = (visit: Visit, { filter, items, task, total }: Due): Html => {
  const { base, formats, words } = visit
  const columns = applicationColumns(visit)
  return html`<section class="card"><h3>${words.tasks[task.name]} <span class="count">${
    formats.integer(total)
  }</span></h3>${tableHtml(words.tasks[task.name], columns, items)}${
    total > items.length
      ? html`<p><a href="${base}/console/applications?${queryText(filter)}">${
        words.seeAll(formats.integer(total))
      }</a></p>`
      : nothing
  }</section>`
}

/** The first page: what needs a person now, and how far the applications of the last days have come. */
export const homePage: Page = {
  path: "/console",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, words } = visit
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const asked = Number(parameter(visit, "days"))
    const days = periods.find((period) => period === asked) ?? 30
    const created_from = new Date(now - days * dayMs).toISOString()
    const [{ data }, due] = yield* Effect.all([
      call(visit, "summarizeApplications", [], { query: { created_from } }),
      Effect.forEach(tasks, (task) => {
        const filter = task.filter(now)
        const query = { sort: "updated_at,desc", ...filter, size: "5" }
        return Effect.map(
          call(visit, "listApplications", [], { query }),
          ({ content, page }): Due => ({ task, filter, items: content, total: page.total_elements })
        )
      })
    ])
    const troubles = yield* troublesHtml(visit)
    const open = due.filter(({ total }) => total > 0)
    return {
      title: words.home,
      body: html`<div class="row">${
        may(visit, "fgts:write")
          ? html`<a class="button" href="${base}/console/applications/new">${words.newApplication}</a>`
          : nothing
      }</div><br><h2>${words.needsYou}</h2>${
        open.length === 0 ? html`<p class="card">${words.nothingToDo}</p>` : open.map((one) => dueHtml(visit, one))
      }${troubles}${funnelHtml(visit, days, funnelOf(data))}`
    }
  })
}
