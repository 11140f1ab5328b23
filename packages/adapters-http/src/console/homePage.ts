import { type FgtsApplicationListItem, funnelOf, type FunnelStage, funnelStages } from "@lastro/domain/origination"
import { saoPauloDate, timestampOf } from "@lastro/domain/values"
import { Effect } from "effect"
import { amountColumn, customerColumn, idsOfPartners, newApplicationLink, partnerColumns } from "./applicationsPage.ts"
import { type Html, html, nothing } from "./html.ts"
import { queryText, tableHtml } from "./tables.ts"
import { troublesHtml } from "./troubles.ts"
import { call, type Page, parameter, partnersOf, type Visit } from "./Visit.ts"

const dayMs = 24 * 60 * 60 * 1_000

/** The periods of the funnel, in days. */
const periods = [7, 30, 90] as const

/** A list of applications that need a person, as a filter of the list of applications. */
interface Task {
  readonly name: keyof Visit["words"]["tasks"]
  readonly tone: "bad" | "warn"
  readonly filter: (now: number) => Readonly<Record<string, string>>
}

const tasks: ReadonlyArray<Task> = [
  { name: "correction", tone: "bad", filter: () => ({ proposal_status: "CORRECTION_NEEDED" }) },
  { name: "disbursement", tone: "bad", filter: () => ({ proposal_status: "DISBURSEMENT_FAILED" }) },
  {
    name: "signature",
    tone: "warn",
    filter: (now) => ({
      proposal_status: "AWAITING_SIGNATURE",
      updated_to: new Date(now - dayMs).toISOString()
    })
  },
  {
    name: "expiring",
    tone: "warn",
    filter: (now) => ({
      next_action: "ACCEPT_OFFER,SUBMIT_KYC",
      expires_to: saoPauloDate(timestampOf(now))
    })
  },
  {
    name: "retry",
    tone: "warn",
    filter: (now) => ({ next_action: "REQUOTE", retry_to: timestampOf(now + 1), sort: "updated_at,desc" })
  }
]

const barHeight = 32

/** Draws the funnel as bars with the names of the stages. The table below has the same numbers. */
const funnelSvg = ({ formats, words }: Visit, stages: Readonly<Record<FunnelStage, number>>): Html => {
  // The widest bar leaves room for its number. A bar is visible unless its stage is empty.
  const width = (count: number) => count === 0 ? 0 : Math.max(0.5, 40 * count / stages.opened)
  return html`<svg class="funnel" height="${funnelStages.length * barHeight}" role="img" aria-label="${words.funnel}">${
    funnelStages.map((stage, index) => {
      const [bar, y] = [width(stages[stage]), index * barHeight]
      return html`<text x="0" y="${y + 20}">${words.funnelStages[stage]}</text><rect x="46%" y="${y + 4}" width="${
        bar.toFixed(1)
      }%" height="22" rx="4"/><text x="${(47 + bar).toFixed(1)}%" y="${y + 20}">${
        formats.integer(stages[stage])
      }</text>`
    })
  }</svg>`
}

const funnelHtml = (visit: Visit, days: number, stages: Readonly<Record<FunnelStage, number>>): Html => {
  const { base, exchange, formats, words } = visit
  return html`<section class="card"><div class="head"><h2>${words.funnel}</h2><div class="row" role="group" aria-label="${words.period}">${
    periods.map((period) =>
      html`<a class="button plain small" href="${base}${exchange.path}?days=${period}"${
        period === days ? html` aria-current="true"` : nothing
      }>${words.days(period)}</a>`
    )
  }</div></div><p class="soft">${words.funnelText}</p><div class="pair">${funnelSvg(visit, stages)}<div>${
    tableHtml(words.funnel, [
      { title: words.stage, cell: (stage: FunnelStage) => words.funnelStages[stage] },
      { title: words.count, isNumber: true, cell: (stage) => formats.integer(stages[stage]) },
      { title: words.share, isNumber: true, cell: (stage) => formats.part(stages[stage], stages.opened) }
    ], funnelStages)
  }</div></div></section>`
}

/** The applications of a task that are shown, and their total number. */
interface Due {
  readonly task: Task
  readonly filter: Readonly<Record<string, string>>
  readonly items: ReadonlyArray<FgtsApplicationListItem>
  readonly total: number
}

/** Shows the number of applications of each task, as a link to them. */
const tilesHtml = ({ formats, words }: Visit, due: ReadonlyArray<Due>): Html =>
  html`<ul class="tiles">${
    due.map(({ task: { name, tone }, total }) =>
      html`<li class="${total === 0 ? "calm" : tone}">${
        total === 0 ? html`<span>` : html`<a href="#task-${name}">`
      }<strong>${formats.integer(total)}</strong> ${words.tasks[name]}${total === 0 ? html`</span>` : html`</a>`}</li>`
    )
  }</ul>`

const dueHtml = (
  visit: Visit,
  { filter, items, task: { name }, total }: Due,
  partners: Parameters<typeof partnerColumns>[1]
): Html => {
  const { base, formats, words } = visit
  const title = words.tasks[name]
  return html`<section class="card" id="task-${name}"><div class="head"><h3>${title} <span class="count">${
    formats.integer(total)
  }</span></h3>${
    total > items.length
      ? html`<a href="${base}/console/applications?${queryText(filter)}" aria-label="${title}: ${
        words.seeAll(formats.integer(total))
      }">${words.seeAll(formats.integer(total))}</a>`
      : nothing
  }</div>${
    tableHtml(title, [
      customerColumn(visit),
      ...partnerColumns(visit, partners),
      { ...amountColumn(visit), title: words.amount },
      { title: words.updatedAt, isNumber: true, cell: ({ updated_at }) => formats.recent(updated_at) }
    ], items)
  }</section>`
}

/** The first page: the applications that need a person now, and the funnel of the last days. */
export const homePage: Page = {
  path: "/console",
  permission: "fgts:read",
  view: Effect.fnUntraced(function*(visit) {
    const { words } = visit
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const requested = Number(parameter(visit, "days"))
    const days = periods.find((period) => period === requested) ?? 30
    const created_from = new Date(now - days * dayMs).toISOString()
    const [{ data }, due] = yield* Effect.all([
      call(visit, "summarizeApplications", [], { query: { created_from } }),
      Effect.forEach(tasks, (task) => {
        const filter = task.filter(now)
        const query = { sort: "updated_at,asc", ...filter, size: "4" }
        return Effect.map(
          call(visit, "listApplications", [], { query }),
          ({ content, page }): Due => ({ task, filter, items: content, total: page.total_elements })
        )
      })
    ])
    const troubles = yield* troublesHtml(visit)
    const open = due.filter(({ total }) => total > 0)
    const partners = yield* partnersOf(visit, idsOfPartners(visit, open.flatMap(({ items }) => items)))
    return {
      title: words.home,
      actions: newApplicationLink(visit),
      body: html`<h2>${words.needsYou}</h2>${
        open.length === 0 ?
          html`<p class="card">${words.nothingToDo}</p>` :
          html`${tilesHtml(visit, due)}<div class="lists">${open.map((one) => dueHtml(visit, one, partners))}</div>`
      }${troubles}${funnelHtml(visit, days, funnelOf(data))}`
    }
  })
}
