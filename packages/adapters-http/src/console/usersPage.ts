import { authorize } from "@lastro/domain/access"
import { canChangeStatus, getSignInEmail, type UserListItem } from "@lastro/domain/user"
import { Effect, Result } from "effect"
import { copyButton } from "./contract.ts"
import { bodyOf, type Field, fieldHtml, formHtml, partnerField, recordFormView, statusForm } from "./forms.ts"
import { html, nothing } from "./html.ts"
import { accountBadge, csvLink, factsHtml, heldGroups, idOf, pagesHtml, tableHtml } from "./tables.ts"
import { call, may, type Page, parameter, type Visit } from "./Visit.ts"

/** The users in the subtree of the user's partner. */
export const usersPage: Page = {
  path: "/console/users",
  permission: "users:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, exchange, words } = visit
    const full_name = parameter(visit, "full_name").trim()
    const list = yield* call(visit, "listUsers", [], {
      query: {
        page: parameter(visit, "page") || "0",
        size: "20",
        sort: "name,asc",
        ...(full_name === "" ? {} : { full_name })
      }
    })
    return {
      title: words.users,
      actions: html`${csvLink(visit, { full_name })}${
        may(visit, "users:write")
          ? html`<a class="button" href="${base}/console/users/new">${words.addUser}</a>`
          : nothing
      }`,
      body:
        html`<form class="card row" role="search" method="get" action="${base}${exchange.path}"><label for="f-name">${words.name}</label><input id="f-name" name="full_name" type="search" value="${full_name}"><button>${words.search}</button></form><section class="card">${
          list.content.length === 0 ? html`<p>${words.nothingFound}</p>` : tableHtml<UserListItem>(words.users, [
            {
              title: words.name,
              cell: (user) => html`<a href="${base}/console/users/${user.user_id}">${user.name}</a>`
            },
            { title: words.email, cell: ({ email }) => email },
            { title: words.group, cell: ({ group }) => words.groups[group.slug] },
            { title: words.status, cell: ({ status }) => accountBadge(visit, status) }
          ], list.content)
        }${pagesHtml(visit, list.page, { full_name })}</section>`
    }
  })
}

const newFields = (visit: Visit): ReadonlyArray<Field> => [
  { path: "name", label: visit.words.name, kind: "text", isRequired: true },
  { path: "email", label: visit.words.email, kind: "email", isRequired: true },
  { path: "phone", label: visit.words.phone, kind: "tel", isRequired: true },
  { path: "cpf", label: visit.words.cpf, kind: "text", isRequired: true },
  {
    path: "group_id",
    label: visit.words.group,
    kind: "choice",
    isRequired: true,
    options: heldGroups(visit)
  }
]

/** The form for a new user. The temporary password is shown once. */
export const newUserPage: Page = {
  path: "/console/users/new",
  permission: "users:write",
  view: Effect.fnUntraced(function*(visit) {
    const { words } = visit
    const fields = [...newFields(visit), yield* partnerField(visit)]
    return yield* recordFormView(visit, words.addUser, { action: "add", button: words.save }, fields)
  }),
  actions: {
    add: Effect.fnUntraced(function*(visit, fields) {
      const { base, words } = visit
      const body = bodyOf(visit.language, [...newFields(visit), { path: "partner_id", kind: "text" }], fields)
      const user = yield* call(visit, "createUser", [], { body, key: fields["key"] })
      return user.temporary_password === undefined ? `/console/users/${user.user_id}?done=1` : {
        title: user.name,
        body:
          html`<div class="card"><p role="status">${words.temporaryPassword} <code>${user.temporary_password}</code></p>${
            copyButton(visit, user.temporary_password)
          }<p><a href="${base}/console/users/${user.user_id}">${words.open}</a></p></div>`
      }
    })
  }
}

export const userPage: Page = {
  path: "/console/users/:id",
  permission: "users:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, caller, formats, words } = visit
    const user = yield* call(visit, "getUser", [idOf(visit)])
    const isActive = user.status === "ACTIVE"
    const isSelf = caller.subject === user.user_id
    const allowed = authorize(caller, "users:write")
    const mayChange = Result.isSuccess(allowed) && canChangeStatus(allowed.success, user)
    return {
      title: user.name,
      body: html`<section class="card">${
        factsHtml([
          [words.status, accountBadge(visit, user.status)],
          [words.email, user.email],
          [words.phone, formats.phone(user.phone)],
          [words.cpf, formats.cpf(user.cpf)],
          [words.group, words.groups[user.group.slug]],
          ...user.partners.map(({ name, partner_id }) =>
            [words.partner, html`<a href="${base}/console/partners/${partner_id}">${name}</a>`] as const
          ),
          [words.addedAt, formats.time(user.created_at)]
        ])
      }</section>${
        isSelf || !mayChange ?
          nothing :
          statusForm(visit, isActive, isActive ? "INACTIVE" : "ACTIVE", words.deactivateUserText)
      }`
    }
  }),
  actions: {
    ACTIVE: (visit) => setStatus(visit, "ACTIVE"),
    INACTIVE: (visit) => setStatus(visit, "INACTIVE")
  }
}

const setStatus = Effect.fnUntraced(function*(visit: Visit, status: "ACTIVE" | "INACTIVE") {
  yield* call(visit, "updateUser", [idOf(visit)], { body: { status } })
  return `/console/users/${idOf(visit)}?done=1`
})

const passwordFields = ({ words }: Visit): ReadonlyArray<Field> => [
  {
    path: "current_password",
    label: words.currentPassword,
    kind: "password",
    isRequired: true,
    autocomplete: "current-password"
  },
  { path: "password", label: words.newPassword, kind: "password", isRequired: true, autocomplete: "new-password" }
]

/** The change of the user's own password. A temporary password must be changed before anything else. */
export const passwordPage: Page = {
  path: "/console/password",
  permission: null,
  view: Effect.fnUntraced(function*(visit) {
    const { caller, words } = visit
    // A password manager stores the new password under the name in this hidden field.
    const email = yield* getSignInEmail(caller)
    return {
      title: words.changePassword,
      body: html`<div class="card narrow">${
        caller.must_change_password ? html`<p class="message warn">${words.changeNow}</p>` : nothing
      }${
        formHtml(visit, {
          action: "password",
          button: words.save,
          content: html`<input type="text" name="username" autocomplete="username" value="${email}" hidden>${
            passwordFields(visit).map((field) => fieldHtml(visit, "password", field))
          }`
        })
      }</div>`
    }
  }),
  actions: {
    // The change ends every session, so the user signs in again with the new password.
    password: Effect.fnUntraced(function*(visit, fields) {
      const { current_password = "", password = "" } = fields
      yield* call(visit, "updateUser", [visit.caller.subject], { body: { current_password, password } })
      return "/console/sign-in?changed"
    })
  }
}
