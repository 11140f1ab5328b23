import { type Problems } from "./Problems.ts"

/** Reads a text field: what it becomes, or `undefined` with a problem more. */
export type ReadText = (text: string, field: string, problems: Problems) => string | undefined

const invisible = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const wrong = (problems: Problems, field: string, code: string, params?: Problems[number]["params"]): undefined => {
  problems.push(params === undefined ? { field, code } : { field, code, params })
}

/** A text of so many characters. */
export const text = (min: number, max: number): ReadText => (input, field, problems) => {
  const trimmed = input.trim()
  if (trimmed.length > max * 8) return wrong(problems, field, "TOO_LONG", { max })
  if (invisible.test(trimmed)) return wrong(problems, field, "INVALID_FORMAT")
  const canonical = trimmed.normalize("NFC")
  const { length } = [...canonical]
  if (length < min) return wrong(problems, field, "TOO_SHORT", { min })
  return length > max ? wrong(problems, field, "TOO_LONG", { max }) : canonical
}

const anyEmail = text(3, 254)

const isDomain = (domain: string): boolean =>
  domain.split(".").every((label) =>
    label !== "" && label.length <= 63 && !label.startsWith("-") && !label.endsWith("-")
  )

/** An e-mail address. */
export const email: ReadText = (input, field, problems) => {
  const address = anyEmail(input, field, problems)
  if (address === undefined) return undefined
  const parts = address.split("@")
  const [local = "", domain = ""] = parts
  return parts.length === 2 && local.length <= 64 && local.split(".").every((part) => part !== "") &&
      isDomain(domain) && !/[\s\p{Z}"(),:;<>[\\\]]/u.test(address)
    ? address
    : wrong(problems, field, "INVALID_FORMAT")
}

/** A telephone number without the country code. */
export const phone: ReadText = (input, field, problems) => {
  const trimmed = input.trim()
  if (!/^\+?[0-9(](?:[ ()./-]*\d){9,12}$/.test(trimmed)) return wrong(problems, field, "INVALID_FORMAT")
  const dialled = trimmed.replace(/[ ()./-]/g, "")
  const digits = /^\+?55(\d{10,11})$/.exec(dialled)?.[1] ?? dialled
  return /^[1-9][1-9](?:\d{8}|9\d{8})$/.test(digits) ? digits : wrong(problems, field, "INVALID_FORMAT")
}

/** A postal code. */
export const zipcode: ReadText = (input, field, problems) => {
  const trimmed = input.trim()
  return /^\d(?:[ .-]*\d){7}$/.test(trimmed) ? trimmed.replace(/[ .-]/g, "") : wrong(problems, field, "INVALID_FORMAT")
}

const states = "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO".split(" ")

/** The code of a state. */
export const state: ReadText = (input, field, problems) => {
  const code = input.trim().toUpperCase()
  return states.includes(code) ? code : wrong(problems, field, "UNKNOWN_VALUE", { allowed: states.join(", ") })
}
