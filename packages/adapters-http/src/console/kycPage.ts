import { type FgtsKycAnswer } from "@lastro/domain/origination"
import { Effect, Struct } from "effect"
import { type Language } from "../errors/Language.ts"
import { bodyOf, type Field, fieldHtml, formHtml, newKey, numberText } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { idOf } from "./tables.ts"
import { call, type Page, type Visit } from "./Visit.ts"
import { type Words } from "./wordsEn.ts"

type Path = keyof Words["fields"]["labels"]

const kinds: Readonly<Partial<Record<Path, Field["kind"]>>> = {
  birth_date: "date",
  "document.issued_at": "date",
  email: "email",
  phone: "tel",
  is_pep: "yes-no",
  monthly_income: "decimal"
}

const choices = (
  { options }: Words["fields"]
): Readonly<Partial<Record<Path, Readonly<Record<string, string>>>>> =>
  Struct.omit(options, ["cancellation", "withdrawal", "personType"])

const valueAt = (kyc: unknown, path: string, language: Language): string | null => {
  let value: unknown = kyc
  for (const name of path.split(".")) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
  }
  if (value === undefined || value === null) return null
  return typeof value === "number" ? numberText(value, language) : String(value)
}

const payment: ReadonlyArray<Path> = [
  "disbursement_method",
  "pix.type",
  "pix.key",
  "bank.bank_code",
  "bank.account_type",
  "bank.agency",
  "bank.agency_digit",
  "bank.account_number",
  "bank.account_digit"
]

const isOfPayment = (path: string): boolean => payment.some((known) => known === path)

/** The optional field that is shown next to a required field, by the name of the required field. */
const companions: Readonly<Record<string, Path>> = { "address.number": "address.complement" }

/**
 * Returns the fields of the form: those that are missing or were rejected. If the customer has not chosen how to be
 * paid, the fields of both payment methods are shown.
 */
const shownPaths = ({ missing_fields, next_action, status }: FgtsKycAnswer): ReadonlyArray<string> => {
  if (status === "LOCKED" && next_action !== "FIX_DISBURSEMENT") return []
  const missing = next_action === "FIX_DISBURSEMENT" ? payment : missing_fields
  const withPayment = missing.includes("disbursement_method")
    ? [...missing.filter((path) => !isOfPayment(path)), ...payment]
    : missing
  return withPayment.flatMap((path) => [path, ...(companions[path] === undefined ? [] : [companions[path]])])
}

/** Returns whether this form can show a field. It cannot show fields whose values are lists. */
const isShowable = (words: Words, path: string): path is Path => Object.hasOwn(words.fields.labels, path)

const fieldsOf = ({ language, words }: Visit, kyc: FgtsKycAnswer): ReadonlyArray<Field> =>
  shownPaths(kyc).filter((path) => isShowable(words, path)).map((path): Field => {
    const options = choices(words.fields)[path]
    const isSuggested = kyc.prefilled_fields.includes(path)
    return {
      path,
      label: words.fields.labels[path],
      kind: options === undefined ? kinds[path] ?? "text" : "choice",
      ...(options === undefined ? {} : { options }),
      value: isSuggested ? valueAt(kyc, path, language) : null,
      ...(isSuggested ? { hint: words.suggested } : {})
    }
  })

/** Returns the part of the form that a field belongs to. */
const groupOf = (path: string): keyof Words["fields"]["groups"] => {
  if (path.startsWith("document.")) return "document"
  if (path.startsWith("address.")) return "address"
  return isOfPayment(path) ? "payment" : "person"
}

const groupsHtml = (visit: Visit, fields: ReadonlyArray<Field>): Html =>
  html`${
    [...Map.groupBy(fields, ({ path }) => groupOf(path))].map(([group, members]) =>
      html`<fieldset><legend>${visit.words.fields.groups[group]}</legend><div class="fields">${
        members.map((field) => fieldHtml(visit, "kyc", field))
      }</div></fieldset>`
    )
  }`

/** The form for the customer's data. It shows the missing and rejected fields, and the fields that belong to them. */
export const kycPage: Page = {
  path: "/console/applications/:id/kyc",
  permission: "kyc:read",
  view: Effect.fnUntraced(function*(visit) {
    const { base, words } = visit
    const kyc = yield* call(visit, "getKyc", [idOf(visit)])
    const fields = fieldsOf(visit, kyc)
    const unshown = shownPaths(kyc).filter((path) => !isShowable(words, path))
    const key = yield* newKey
    const contentHtml = (): Html => {
      if (fields.length > 0) {
        const content = groupsHtml(visit, fields)
        const count = kyc.missing_fields.length
        return html`${count === 0 ? nothing : html`<p class="soft">${words.kycMissing(count)}</p>`}${
          formHtml(visit, { action: "kyc", button: words.save, key, content })
        }`
      }
      if (unshown.length > 0) return nothing
      return html`<p>${kyc.complete ? words.kycComplete : words.kycLocked}</p>`
    }
    return {
      title: words.kyc,
      body: html`<p><a href="${base}/console/applications/${
        idOf(visit)
      }">${words.back}</a></p><div class="card">${contentHtml()}${
        unshown.length === 0 ? nothing : html`<p class="message warn">${words.kycLists(unshown.join(", "))}</p>`
      }</div>`
    }
  }),
  actions: {
    kyc: Effect.fnUntraced(function*(visit, fields) {
      const specs = Object.keys(visit.words.fields.labels).map((path) => ({
        path,
        kind: kinds[path as Path] ?? "text"
      }))
      const body = bodyOf(visit.language, specs, fields)
      const { complete } = yield* call(visit, "submitKyc", [idOf(visit)], { body, key: fields["key"] })
      const done = Object.keys(body).length === 0 ? "" : "?done=1"
      return `/console/applications/${idOf(visit)}${complete ? "" : "/kyc"}${done}`
    })
  }
}
