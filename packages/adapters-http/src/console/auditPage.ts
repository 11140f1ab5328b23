import { type AuditItem } from "@lastro/domain/audit"
import { NotFound } from "@lastro/domain/hierarchy"
import { Effect, Option } from "effect"
import { actionText, systemActor } from "./auditWords.ts"
import { type Html, html } from "./html.ts"
import { csvLink, pagesHtml, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, type Visit } from "./Visit.ts"

const isId = (text: string): boolean => /^[\da-f]{8}-/.test(text)

/** Returns the name of a user or an API client, if the caller may read it. */
const nameOf = (visit: Visit, id: string) => {
  const user = may(visit, "users:read") ? call(visit, "getUser", [id]) : Effect.fail(new NotFound())
  const client = may(visit, "clients:write") ? call(visit, "getClient", [id]) : Effect.fail(new NotFound())
  return Effect.option(Effect.map(Effect.catch(user, () => client), ({ name }) => [id, name] as const))
}

/** Returns the names of the actors. */
const namesOf = Effect.fnUntraced(function*(visit: Visit, items: ReadonlyArray<AuditItem>) {
  const ids = [...new Set(items.map(({ actor }) => actor))].filter(isId)
  const found = yield* Effect.forEach(ids, (id) => nameOf(visit, id), { concurrency: 4 })
  return new Map(found.flatMap((name) => Option.toArray(name)))
})

const pathsOf: Readonly<Record<string, string>> = {
  application: "/console/applications/",
  client: "/console/clients/",
  partner: "/console/partners/",
  proposal: "/console/applications/",
  user: "/console/users/"
}

const recordLink = ({ base, words }: Visit, { action, subject }: AuditItem): Html => {
  const path = pathsOf[action.split(".", 1)[0] ?? ""]
  return path === undefined || !isId(subject)
    ? html`<code>${subject}</code>`
    : html`<a href="${base}${path}${subject}">${words.open}</a>`
}

/** The page of the audit: one sentence per entry, the newest first. */
export const auditPage: Page = {
  path: "/console/audit",
  permission: "audit:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, exchange, formats, language, words } = visit
    const subject_id = parameter(visit, "subject_id").trim()
    const { content, page } = yield* call(visit, "listAudit", [], {
      query: {
        page: parameter(visit, "page") || "0",
        size: "20",
        ...(subject_id === "" ? {} : { subject_id })
      }
    })
    const names = yield* namesOf(visit, content)
    const actorText = (actor: string): string => systemActor(actor, language) ?? names.get(actor) ?? actor
    return {
      title: words.audit,
      actions: csvLink(visit, { subject_id }),
      body:
        html`<form class="card row" role="search" method="get" action="${base}${exchange.path}"><label for="f-subject">${words.record} (id)</label><input id="f-subject" name="subject_id" type="search" value="${subject_id}"><button>${words.search}</button></form><section class="card">${
          content.length === 0 ? html`<p>${words.nothingFound}</p>` : tableHtml(words.audit, [
            { title: words.when, cell: ({ at }) => formats.time(at) },
            {
              title: words.action,
              cell: ({ action, actor }) => html`<strong>${actorText(actor)}</strong> ${actionText(action, language)}`
            },
            { title: words.record, cell: (item) => recordLink(visit, item) },
            { title: words.changes, cell: ({ changed_fields }) => changed_fields.join(", ") || "–" }
          ], content)
        }${pagesHtml(visit, page, { subject_id })}</section>`
    }
  })
}
