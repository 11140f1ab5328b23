import { IdGenerator } from "@lastro/domain/ports"
import { Effect, Option } from "effect"
import { type Language } from "../errors/Language.ts"
import { fieldLabel } from "./fieldLabel.ts"
import { type Html, html, nothing } from "./html.ts"
import { type View } from "./layout.ts"
import { call, type Fields, parameter, type Visit } from "./Visit.ts"

/** A field of a form. Its path is that of the API, so that an API error can be shown at its field. */
export interface Field {
  readonly path: string
  readonly label: string
  readonly kind: "text" | "email" | "tel" | "date" | "decimal" | "integer" | "password" | "choice" | "yes-no" | "area"
  /** The values of a select field, with their texts. */
  readonly options?: Readonly<Record<string, string>>
  readonly value?: string | null
  readonly isRequired?: boolean
  /** True if the label marks the field as optional. */
  readonly isOptional?: boolean
  readonly hint?: string
  readonly autocomplete?: string
}

const idOf = (action: string, path: string): string => `${action}-${path.replaceAll(".", "-")}`

/** Returns the error of a field of the form that was just rejected. */
const errorOf = ({ refused, words }: Visit, action: string, { kind, path }: Field): string | undefined => {
  if (refused?.action !== action) return undefined
  const detail = refused.error.details.find(({ field }) => field === path)
  return kind === "decimal" && detail?.code === "INVALID_TYPE" ? words.decimalForm : detail?.message
}

const attributesOf = (kind: Field["kind"]): readonly [type: string, inputmode: string] => {
  switch (kind) {
    case "decimal":
      return ["text", "decimal"]
    case "integer":
      return ["text", "numeric"]
    case "email":
    case "tel":
      return [kind, kind]
    case "date":
    case "password":
      return [kind, "text"]
    default:
      return ["text", "text"]
  }
}

/** Returns the text below a field: its error, or else its hint. */
const noteOf = (id: string, error: string | undefined, hint: string | undefined) => {
  if (error !== undefined) return { id: `${id}-error`, style: "error", text: error }
  return hint === undefined ? undefined : { id: `${id}-hint`, style: "soft", text: hint }
}

/** Returns the text of a field of the form that was just rejected. Writes a number in the language of the page. */
const sentText = ({ language, refused }: Visit, action: string, { kind, path }: Field): string | undefined => {
  const text = refused?.action === action ? refused.fields[path] : undefined
  if (refused === undefined || text === undefined || refused.rejection.language === language) return text
  const value = valueOf(kind, text, refused.rejection.language)
  return typeof value === "number" ? numberText(value, language) : text
}

/** Shows a field with its label, value and error. */
export const fieldHtml = (visit: Visit, action: string, field: Field): Html => {
  const { hint, isRequired = false, kind, label, options = {}, path } = field
  const { words } = visit
  const id = idOf(action, path)
  const value = (kind === "password" ? undefined : sentText(visit, action, field)) ?? field.value ?? ""
  const error = errorOf(visit, action, field)
  const note = noteOf(id, error, hint)
  const state = html`${error === undefined ? nothing : html` aria-invalid="true"`}${
    note === undefined ? nothing : html` aria-describedby="${note.id}"`
  }${isRequired ? html` required` : nothing}`
  const selectHtml = (choices: Readonly<Record<string, string>>): Html =>
    html`<select id="${id}" name="${path}"${state}><option value="">${words.choose}</option>${
      Object.entries(choices).map(([key, text]) =>
        html`<option value="${key}"${key === value ? html` selected` : nothing}>${text}</option>`
      )
    }</select>`
  const inputHtml = (): Html => {
    if (kind === "choice") return selectHtml(options)
    if (kind === "yes-no") return selectHtml({ true: words.yes, false: words.no })
    if (kind === "area") return html`<textarea id="${id}" name="${path}" rows="2"${state}>${value}</textarea>`
    const [type, mode] = attributesOf(kind)
    return html`<input id="${id}" name="${path}" type="${type}" inputmode="${mode}" value="${value}" autocomplete="${
      field.autocomplete ?? "off"
    }"${state}>`
  }
  return html`<div class="field"><label for="${id}">${label}${
    field.isOptional === true ? html` <span class="soft">(${words.optional})</span>` : nothing
  }</label>${inputHtml()}${
    note === undefined ? nothing : html`<p class="${note.style}" id="${note.id}">${note.text}</p>`
  }</div>`
}

/** The parts of a form other than its fields. */
interface FormParts {
  /** The name of the action that the page runs. */
  readonly action: string
  readonly button: string
  readonly content: Html
  /** The idempotency key of a command: a form that is sent twice has one effect. */
  readonly key?: string
  readonly isDanger?: boolean
}

/** Shows a form that sends an action to its own page. */
export const formHtml = (visit: Visit, { action, button, content, isDanger = false, key }: FormParts): Html =>
  html`<form method="post" novalidate><input type="hidden" name="form" value="${visit.form}"><input type="hidden" name="written_in" value="${visit.language}"><input type="hidden" name="action" value="${action}">${
    key === undefined ? nothing : html`<input type="hidden" name="key" value="${key}">`
  }${content}<button${isDanger ? html` class="danger"` : nothing}>${button}</button></form>`

/** Shows a form below a summary that opens it, so that a change needs two steps. A rejected form stays open. */
export const foldedForm = (visit: Visit, form: FormParts, about?: string): Html =>
  html`<details class="card"${
    visit.refused?.action === form.action ? html` open` : nothing
  }><summary>${form.button}</summary>${about === undefined ? nothing : html`<p>${about}</p>`}${
    formHtml(visit, form)
  }</details>`

/** Shows the form that deactivates an active record, with a warning, or activates an inactive one. */
export const statusForm = (visit: Visit, isActive: boolean, action: string, warning: string): Html => {
  const button = isActive ? visit.words.deactivate : visit.words.activate
  return foldedForm(visit, { action, button, content: nothing, isDanger: isActive }, isActive ? warning : undefined)
}

/** Shows why something was rejected. */
export const alertHtml = (text: string, details: ReadonlyArray<Html> = []): Html =>
  html`<div class="message bad" role="alert" tabindex="-1" autofocus>${text}${details}</div>`

/**
 * Shows why a form was rejected, at the top of the page. Lists the errors that `body` does not show beside their
 * fields. For the others, asks the user to check the marked fields.
 */
export const refusalHtml = ({ refused, words }: Visit, body: Html): Html => {
  if (refused === undefined) return nothing
  const { action, error: { code, details, message } } = refused
  if (code === "IDEMPOTENCY_KEY_REUSED") return alertHtml(words.sentBefore)
  const text = body.toString()
  const unshown = details.filter(({ field }) => !text.includes(`id="${idOf(action, field)}-error"`))
  return alertHtml(
    unshown.length < details.length ? words.checkForm : message,
    unshown.map(({ field, message }) =>
      html`<br>${code === "VALIDATION_FAILED" ? `${fieldLabel(words, field)}: ` : ""}${message}`
    )
  )
}

/** The pattern of a number in each language, and its thousands separator. A group has three digits. */
const numberForms: Readonly<Record<Language, readonly [form: RegExp, group: string]>> = {
  en: [/^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/, ","],
  "pt-BR": [/^-?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/, "."]
}

/** Writes a number in the form that {@link numberOf} reads. */
export const numberText = (value: number, language: Language): string =>
  language === "en" ? String(value) : String(value).replace(".", ",")

/**
 * Reads a number in the usual form of a language. Any other text is returned unchanged, so that the API reports the
 * error.
 */
const numberOf = (text: string, language: Language): unknown => {
  const [form, group] = numberForms[language]
  return form.test(text) ? Number(text.replaceAll(group, "").replace(",", ".")) : text
}

const valueOf = (kind: Field["kind"], text: string, language: Language): unknown => {
  if (kind === "decimal" || kind === "integer") return numberOf(text, language)
  return kind === "yes-no" && (text === "true" || text === "false") ? text === "true" : text
}

/** Builds the body of a request from the fields of a form. Omits empty fields. */
export const bodyOf = (
  language: Language,
  form: ReadonlyArray<Pick<Field, "kind" | "path">>,
  fields: Fields
): Readonly<Record<string, unknown>> => {
  const body: Record<string, unknown> = {}
  for (const { kind, path } of form) {
    const text = (fields[path] ?? "").trim()
    if (text === "") continue
    const names = path.split(".")
    const last = names.pop() ?? ""
    let target = body
    for (const name of names) target = (target[name] ??= {}) as Record<string, unknown>
    target[last] = valueOf(kind, text, language)
  }
  return body
}

/** Makes the idempotency key of a form. */
export const newKey = Effect.flatMap(IdGenerator, ({ next }) => next)

/**
 * The field for the partner of a new record: the partner in the address, or else that of the user. The hint is its
 * name.
 */
export const partnerField = Effect.fnUntraced(function*(visit: Visit) {
  const { caller, refused, words } = visit
  const value = refused?.fields["partner_id"] ?? (parameter(visit, "partner") || caller.partner_id)
  const partner = yield* Effect.option(call(visit, "getPartner", [value]))
  const hint = Option.match(partner, { onNone: () => ({}), onSome: ({ name }) => ({ hint: name }) })
  const field: Field = { path: "partner_id", label: `${words.partner} (id)`, kind: "text", value, ...hint }
  return field
})

/** Shows the page of a form that creates a record. */
export const recordFormView = Effect.fnUntraced(function*(
  visit: Visit,
  title: string,
  form: Pick<FormParts, "action" | "button">,
  fields: ReadonlyArray<Field>
) {
  const content = html`<div class="fields">${fields.map((field) => fieldHtml(visit, form.action, field))}</div>`
  const view: View = {
    title,
    body: html`<div class="card">${formHtml(visit, { ...form, key: yield* newKey, content })}</div>`
  }
  return view
})
