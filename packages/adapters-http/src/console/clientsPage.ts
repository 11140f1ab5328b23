import { type ClientDetail } from "@lastro/domain/client"
import { Effect } from "effect"
import { bodyOf, type Field, foldedForm, newKey, partnerField, recordFormView } from "./forms.ts"
import { html, nothing } from "./html.ts"
import { type View } from "./layout.ts"
import { accountBadge, factsHtml, heldGroups, idOf, pagesHtml, tableHtml } from "./tables.ts"
import { call, type Page, parameter, type Visit } from "./Visit.ts"

const path = "/console/clients"

/** The API clients in the subtree of the user's partner. */
export const clientsPage: Page = {
  path,
  permission: "clients:write",
  view: Effect.fnUntraced(function*(visit) {
    const { base, formats, words } = visit
    const { content, page } = yield* call(visit, "listClients", [], {
      query: { page: parameter(visit, "page") || "0", size: "20", sort: "created_at,desc" }
    })
    return {
      title: words.clients,
      actions: html`<a class="button" href="${base}${path}/new">${words.addClient}</a>`,
      body: html`<section class="card">${
        content.length === 0 ? html`<p>${words.nothingYet}</p>` : tableHtml<ClientDetail>(words.clients, [
          {
            title: words.name,
            cell: ({ client_id, name }) => html`<a href="${base}${path}/${client_id}">${name}</a>`
          },
          { title: words.group, cell: ({ group }) => words.groups[group.slug] },
          { title: words.status, cell: ({ status }) => accountBadge(visit, status) },
          { title: words.addedAt, cell: ({ created_at }) => formats.time(created_at) }
        ], content)
      }${pagesHtml(visit, page, {})}</section>`
    }
  })
}

const newFields = (visit: Visit): ReadonlyArray<Field> => [
  { path: "name", label: visit.words.name, kind: "text", isRequired: true },
  { path: "group_id", label: visit.words.group, kind: "choice", isRequired: true, options: heldGroups(visit) }
]

/** Shows a secret. No later page shows it again. */
const secretView = ({ base, words }: Visit, client: ClientDetail, secret: string): View => ({
  title: client.name,
  body: html`<div class="card" role="status"><p>${words.secretOnce}</p>${
    factsHtml([["client_id", html`<code>${client.client_id}</code>`], ["client_secret", html`<code>${secret}</code>`]])
  }<p><a href="${base}${path}/${client.client_id}">${words.open}</a></p></div>`
})

/** A new API client. */
export const newClientPage: Page = {
  path: `${path}/new`,
  permission: "clients:write",
  view: Effect.fnUntraced(function*(visit) {
    const { words } = visit
    const fields = [...newFields(visit), yield* partnerField(visit)]
    return yield* recordFormView(visit, words.addClient, { action: "add", button: words.save }, fields)
  }),
  actions: {
    add: Effect.fnUntraced(function*(visit, fields) {
      const body = bodyOf(visit.language, [...newFields(visit), { path: "partner_id", kind: "text" }], fields)
      const { client_secret, ...client } = yield* call(visit, "createClient", [], { body, key: fields["key"] })
      return client_secret === undefined
        ? `${path}/${client.client_id}`
        : secretView(visit, client, client_secret)
    })
  }
}

/** One API client. */
export const clientPage: Page = {
  path: `${path}/:id`,
  permission: "clients:write",
  view: Effect.fnUntraced(function*(visit) {
    const { base, formats, words } = visit
    const client = yield* call(visit, "getClient", [idOf(visit)])
    const { client_id, created_at, group, name, partner_id, status } = client
    return {
      title: name,
      body: html`<section class="card">${
        factsHtml([
          ["client_id", html`<code>${client_id}</code>`],
          [words.status, accountBadge(visit, status)],
          [words.group, words.groups[group.slug]],
          [words.partner, html`<a href="${base}/console/partners/${partner_id}">${words.open}</a>`],
          [words.addedAt, formats.time(created_at)]
        ])
      }</section>${
        status === "REVOKED" ? nothing : html`${
          foldedForm(
            visit,
            { action: "rotate", button: words.rotateSecret, key: yield* newKey, content: nothing },
            words.rotateText
          )
        }${
          foldedForm(
            visit,
            { action: "revoke", button: words.revokeClient, content: nothing, isDanger: true },
            words.revokeText
          )
        }`
      }`
    }
  }),
  actions: {
    rotate: Effect.fnUntraced(function*(visit, { key }) {
      const { client_secret, ...client } = yield* call(visit, "rotateClientSecret", [idOf(visit)], { key })
      return client_secret === undefined
        ? `${path}/${client.client_id}`
        : secretView(visit, client, client_secret)
    }),
    revoke: Effect.fnUntraced(function*(visit) {
      yield* call(visit, "revokeClient", [idOf(visit)])
      return `${path}?done=1`
    })
  }
}
