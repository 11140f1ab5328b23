import { authorize } from "@lastro/domain/access"
import { type FgtsKycAnswer, submitKycIf } from "@lastro/domain/origination"
import { Effect, Struct } from "effect"
import { type Field, fieldHtml, formHtml, newKey } from "./forms.ts"
import { type Html, html, nothing } from "./html.ts"
import { conflictsOf, replacesNothing, versionOf } from "./kycConflicts.ts"
import { choicesOf, kindOf, kycBody, type KycPath, textAt, valueAt } from "./kycFields.ts"
import { factsHtml, idOf } from "./tables.ts"
import { call, formKey, type Page, type Visit } from "./Visit.ts"
import { type Words } from "./wordsEn.ts"

const payment: ReadonlyArray<KycPath> = [
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
const companions: Readonly<Record<string, KycPath>> = { "address.number": "address.complement" }

const isLocked = ({ next_action, status }: Pick<FgtsKycAnswer, "next_action" | "status">): boolean =>
  status === "LOCKED" && next_action !== "FIX_DISBURSEMENT"

const identity: ReadonlySet<KycPath> = new Set(["cpf", "birth_date", "name"])

/** Returns whether the lender refuses the data and names no field, so that every field but the identity can change. */
const hasUnnamedRefusal = ({ missing_fields, next_action }: FgtsKycAnswer): boolean =>
  next_action === "FIX_KYC" && missing_fields.length === 0

/**
 * Returns the fields of the form: those that are missing or were rejected. If the customer has not chosen how to be
 * paid, the fields of both payment methods are shown.
 */
const shownPaths = (words: Words, kyc: FgtsKycAnswer): ReadonlyArray<string> => {
  const { missing_fields, next_action } = kyc
  if (isLocked(kyc)) return []
  if (hasUnnamedRefusal(kyc)) {
    return Struct.keys(words.fields.labels).filter((path) => !identity.has(path) && valueAt(kyc, path) !== null)
  }
  const missing = next_action === "FIX_DISBURSEMENT" ? payment : missing_fields
  const withPayment = missing.includes("disbursement_method")
    ? [...missing.filter((path) => !isOfPayment(path)), ...payment]
    : missing
  return withPayment.flatMap((path) => [path, ...(companions[path] === undefined ? [] : [companions[path]])])
}

/** Returns whether the lender refuses a field, or the group that contains it. */
const isRefused = ({ missing_fields, next_action }: FgtsKycAnswer, path: string): boolean =>
  next_action === "FIX_KYC" && missing_fields.some((refused) => `${path}.`.startsWith(`${refused}.`))

/** Returns the fields of a group, for a path that names a group. Otherwise returns the path itself. */
const membersOf = (words: Words, path: string): ReadonlyArray<string> => {
  const members = Struct.keys(words.fields.labels).filter((label) => label.startsWith(`${path}.`))
  return members.length === 0 ? [path] : members
}

/** Returns whether this form can show a field. It cannot show fields whose values are lists. */
const isShowable = (words: Words, path: string): path is KycPath => Object.hasOwn(words.fields.labels, path)

/** Returns the text below a field: what somebody else saved, what the lender refuses, or that the value is suggested. */
const hintOf = (visit: Visit, kyc: FgtsKycAnswer, path: KycPath, isConflict: boolean): string | undefined => {
  const { words } = visit
  const saved = textAt(visit, kyc, path)
  if (kyc.prefilled_fields.includes(path)) return words.suggested
  if (saved === null) return undefined
  if (isConflict) return words.savedMeanwhile(saved)
  return isRefused(kyc, path) ? words.refusedValue(saved) : undefined
}

const fieldOf = (visit: Visit, kyc: FgtsKycAnswer, path: KycPath, isConflict: boolean): Field => {
  const { language, words } = visit
  const options = choicesOf(words.fields, path)
  const hint = hintOf(visit, kyc, path, isConflict)
  return {
    path,
    label: words.fields.labels[path],
    kind: kindOf(words, path),
    ...(options === undefined ? {} : { options }),
    value: kyc.prefilled_fields.includes(path) || hasUnnamedRefusal(kyc) ? valueAt(kyc, path, language) : null,
    ...(hint === undefined ? {} : { hint })
  }
}

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
    const conflicts = conflictsOf(visit, kyc)
    const shown = shownPaths(words, kyc).flatMap((path) => membersOf(words, path))
    const paths = isLocked(kyc) ? [] : [...new Set([...shown.filter((path) => isShowable(words, path)), ...conflicts])]
    const unshown = shown.filter((path) => !isShowable(words, path))
    // After another refusal, the form still has the version with which it was opened.
    const opened = conflicts.length > 0 ? undefined : visit.refused?.fields["version"]
    const key = yield* newKey
    const contentHtml = (): Html => {
      if (paths.length > 0) {
        const fields = paths.map((path) => fieldOf(visit, kyc, path, conflicts.includes(path)))
        const content = html`<input type="hidden" name="version" value="${opened ?? versionOf(kyc)}">${
          groupsHtml(visit, fields)
        }`
        const count = kyc.missing_fields.length
        const about = kyc.next_action === "FIX_KYC" ? `${words.tasks.correction}.` : words.kycMissing(count)
        return html`${conflicts.length === 0 ? nothing : html`<p>${words.compareMeanwhile}</p>`}${
          count === 0 && !hasUnnamedRefusal(kyc) ? nothing : html`<p class="soft">${about}</p>`
        }${formHtml(visit, { action: "kyc", button: words.save, key, content })}`
      }
      if (unshown.length > 0) return nothing
      return html`<p>${kyc.complete ? words.kycComplete : words.kycLocked}</p>${
        factsHtml(
          conflicts.map((path) => [words.fields.labels[path], words.savedMeanwhile(textAt(visit, kyc, path) ?? "")])
        )
      }`
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
      const { caller, language, words } = visit
      const body = kycBody(words, language, fields)
      const allowed = yield* Effect.fromResult(authorize(caller, "fgts:write"))
      const { application_id } = yield* call(visit, "getApplication", [idOf(visit)])
      const key = formKey("submitKyc", [application_id], body, fields["key"])
      const { answer } = yield* submitKycIf(allowed, application_id, body, replacesNothing(visit, fields), key)
      const done = Object.keys(body).length === 0 ? "" : "?done=1"
      return `/console/applications/${application_id}${answer.complete ? "" : "/kyc"}${done}`
    })
  }
}
