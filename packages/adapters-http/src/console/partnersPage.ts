import { type PartnerListItem } from "@lastro/domain/partner"
import { Effect } from "effect"
import { bodyOf, type Field, fieldHtml, formHtml, newKey, statusForm } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { accountBadge, csvLink, factsHtml, idOf, pagesHtml, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, type Visit } from "./Visit.ts"

const link = ({ base }: Visit, { name, partner_id }: Pick<PartnerListItem, "name" | "partner_id">): Html =>
  html`<a href="${base}/console/partners/${partner_id}">${name}</a>`

const searchForm = ({ base, exchange, words }: Visit, value: string): Html =>
  html`<form class="card row" role="search" method="get" action="${base}${exchange.path}"><label for="f-name">${words.name}</label><input id="f-name" name="name" type="search" value="${value}"><button>${words.search}</button></form>`

const newLink = (visit: Visit, parent = ""): Html =>
  may(visit, "partners:write")
    ? html`<a class="button" href="${visit.base}/console/partners/new${
      parent === "" ? "" : `?parent=${parent}`
    }">${visit.words.addPartner}</a>`
    : nothing

/** Returns a link to the form for a new user or API client of a partner. */
const memberLink = (visit: Visit, list: "users" | "clients", text: string, partner_id: string): Html =>
  may(visit, `${list}:write`)
    ? html`<a class="button plain" href="${visit.base}/console/${list}/new?partner=${partner_id}">${text}</a>`
    : nothing

/** The user's partner and its children as a tree. A search shows a list of all matching partners instead. */
export const partnersPage: Page = {
  path: "/console/partners",
  permission: "partners:read",
  view: Effect.fnUntraced(function*(visit) {
    const { formats, words } = visit
    const name = parameter(visit, "name").trim()
    const list = yield* call(visit, "listPartners", [], {
      query: {
        page: parameter(visit, "page") || "0",
        size: "20",
        sort: "name,asc",
        ...(name === "" ? { parent_id: visit.caller.partner_id } : { name })
      }
    })
    const own = name === "" ? yield* call(visit, "getPartner", [visit.caller.partner_id]) : undefined
    const items = list.content
    const itemsHtml = (): Html => {
      if (own !== undefined) {
        return html`<ul class="tree"><li>${link(visit, own)} ${accountBadge(visit, own.status)}<ul>${
          items.map((child) => html`<li>${link(visit, child)} ${accountBadge(visit, child.status)}</li>`)
        }</ul></li></ul>`
      }
      if (items.length === 0) return html`<p>${words.nothingFound}</p>`
      return tableHtml(words.partners, [
        { title: words.name, cell: (partner) => link(visit, partner) },
        { title: words.document, cell: ({ document_number }) => formats.document(document_number) },
        { title: words.status, cell: ({ status }) => accountBadge(visit, status) }
      ], items)
    }
    return {
      title: words.partners,
      actions: html`${csvLink(visit, { name })}${newLink(visit)}`,
      body: html`${searchForm(visit, name)}<section class="card">${itemsHtml()}${
        pagesHtml(visit, list.page, { name })
      }</section>`
    }
  })
}

/** One partner, with its children. */
export const partnerPage: Page = {
  path: "/console/partners/:id",
  permission: "partners:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, caller, formats, words } = visit
    const partner = yield* call(visit, "getPartner", [idOf(visit)])
    const below = yield* call(visit, "listPartners", [], {
      query: { parent_id: partner.partner_id, page: parameter(visit, "page") || "0", size: "20", sort: "name,asc" }
    })
    const isOwn = partner.partner_id === caller.partner_id
    const isActive = partner.status === "active"
    return {
      title: partner.name,
      actions: html`${newLink(visit, partner.partner_id)}${
        memberLink(visit, "users", words.addUser, partner.partner_id)
      }${memberLink(visit, "clients", words.addClient, partner.partner_id)}`,
      body: html`<div class="two"><section class="card"><h2>${words.children}</h2>${
        below.content.length === 0 ?
          html`<p class="soft">${words.none}</p>` :
          html`<ul class="tree">${
            below.content.map((child) => html`<li>${link(visit, child)} ${accountBadge(visit, child.status)}</li>`)
          }</ul>${pagesHtml(visit, below.page, {})}`
      }</section><div><section class="card">${
        factsHtml([
          [words.status, accountBadge(visit, partner.status)],
          [words.document, formats.document(partner.document_number)],
          [words.personType, words.fields.options.personType[partner.person_type]],
          [words.email, partner.email],
          [words.phone, formats.phone(partner.phone)],
          [
            words.parentPartner,
            partner.parent_id === null || isOwn
              ? null
              : html`<a href="${base}/console/partners/${partner.parent_id}">${words.open}</a>`
          ]
        ])
      }</section>${
        isOwn || !may(visit, "partners:write") ?
          nothing :
          statusForm(visit, isActive, isActive ? "inactive" : "active", words.deactivateText)
      }</div></div>`
    }
  }),
  actions: {
    active: (visit) => setStatus(visit, "active"),
    inactive: (visit) => setStatus(visit, "inactive")
  }
}

const setStatus = Effect.fnUntraced(function*(visit: Visit, status: "active" | "inactive") {
  yield* call(visit, "updatePartner", [idOf(visit)], { body: { partner: { status } } })
  return `/console/partners/${idOf(visit)}?done=1`
})

const newFields = ({ words }: Visit): ReadonlyArray<Field> => [
  {
    path: "partner.type",
    label: words.personType,
    kind: "choice",
    options: words.fields.options.personType,
    isRequired: true
  },
  { path: "partner.name", label: words.name, kind: "text", isRequired: true },
  { path: "partner.document_number", label: words.document, kind: "text", isRequired: true },
  { path: "partner.email", label: words.email, kind: "email", isRequired: true },
  { path: "partner.phone", label: words.phone, kind: "tel", isRequired: true }
]

/** The form for a new partner, below any partner in the user's subtree. */
export const newPartnerPage: Page = {
  path: "/console/partners/new",
  permission: "partners:write",
  view: Effect.fnUntraced(function*(visit) {
    const { words } = visit
    const parent = visit.refused?.fields["partner.parent_uuid"] ??
      (parameter(visit, "parent") || visit.caller.partner_id)
    const above = yield* call(visit, "getPartner", [parent])
    return {
      title: words.addPartner,
      body: html`<div class="card"><p>${words.parentPartner}: ${link(visit, above)}</p>${
        formHtml(visit, {
          action: "add",
          button: words.save,
          key: yield* newKey,
          content:
            html`<input type="hidden" name="partner.parent_uuid" value="${above.partner_id}"><div class="fields">${
              newFields(visit).map((field) => fieldHtml(visit, "add", field))
            }</div>`
        })
      }</div>`
    }
  }),
  actions: {
    add: Effect.fnUntraced(function*(visit, fields) {
      const body = bodyOf(
        visit.language,
        [...newFields(visit), { path: "partner.parent_uuid", kind: "text" }],
        fields
      )
      const { partner_id } = yield* call(visit, "createPartner", [], { body, key: fields["key"] })
      return `/console/partners/${partner_id}?done=1`
    })
  }
}
