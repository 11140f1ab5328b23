import { type AuditItem } from "@lastro/domain/audit"
import { NotFound } from "@lastro/domain/hierarchy"
import { Effect } from "effect"
import { actionText, systemActor } from "./auditWords.ts"
import { fieldLabel } from "./fieldLabel.ts"
import { type Html, html } from "./html.ts"
import { csvLink, pagesHtml, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, readEach, type Visit } from "./Visit.ts"

const isId = (text: string): boolean => /^[\da-f]{8}-/.test(text)

/** Reads the users and API clients among the actors. Omits those that the caller cannot read. */
const actorsOf = (visit: Visit, items: ReadonlyArray<AuditItem>) =>
  readEach(items.map(({ actor }) => actor).filter(isId), (id) => {
    const user = may(visit, "users:read") ? call(visit, "getUser", [id]) : Effect.fail(new NotFound())
    const client = may(visit, "clients:write") ? call(visit, "getClient", [id]) : Effect.fail(new NotFound())
    return Effect.catch(user, () => client)
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

/** Returns whether a field is content. Every change of a record changes the others. */
const isContent = (field: string): boolean => !["updated_at", "version"].includes(field)

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
    const actors = yield* actorsOf(visit, content)
    const actorText = (actor: string): string => systemActor(actor, language) ?? actors.get(actor)?.name ?? actor
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
            {
              title: words.changes,
              cell: ({ changed_fields }) =>
                [...new Set(changed_fields.filter(isContent).map((field) => fieldLabel(words, field)))].join(", ") ||
                "–"
            }
          ], content)
        }${pagesHtml(visit, page, { subject_id })}</section>`
    }
  })
}
