import { Predicate } from "effect"
import { isSame } from "../input/json.ts"
import { type KycRequirements, lenderKycFields } from "./KycRequirements.ts"
import { kycFields, kycGroups, type KycValues } from "./KycValues.ts"

const groups: Readonly<Record<string, object>> = kycGroups

/**
 * Returns the path of the KYC field that a lender names, or of the group that contains it. Undefined if neither exists.
 */
const knownPath = (named: string): string | undefined => {
  const [name = "", inner = ""] = named.split(/[.[\]]+/)
  if (!Object.hasOwn(kycFields, name)) return undefined
  return Object.hasOwn(groups[name] ?? {}, inner) ? `${name}.${inner}` : name
}

/**
 * The refused fields of a submission are the KYC fields that the lender names, each once. Unknown names are ignored.
 * So are fields that the lender does not require, because a submission ignores them (KYC-16).
 * @rule PROP-07
 */
export const refusedFields = (
  named: ReadonlyArray<string>,
  { kyc_fields }: KycRequirements
): ReadonlyArray<string> => {
  const ignored = new Set<string>(lenderKycFields.filter((field) => !kyc_fields.includes(field)))
  const known = named.map(knownPath).filter((path) => path !== undefined)
  return [...new Set(known)].filter((path) => !ignored.has(path))
}

const covers = (refused: string, path: string): boolean => path === refused || path.startsWith(`${refused}.`)

const fixed: ReadonlySet<string> = new Set(["cpf", "birth_date", "name"])

/**
 * After a refused submission, exactly the refused KYC fields can change. If the lender names none, every field can
 * change except `cpf`, `birth_date` and `name`.
 * @rule PROP-08
 */
export const isCorrectable = (refused: ReadonlyArray<string>, path: string): boolean =>
  refused.length === 0 ? !fixed.has(path) : refused.some((field) => covers(field, path))

/**
 * While the status is CORRECTION_NEEDED, a submission corrects the refused fields that it contains. The KYC must stay
 * complete. When every refused field was submitted again, even with the same value, the proposal is submitted to the
 * lender again. If the lender named no field, any change is enough.
 *
 * Returns the refused fields that are still to be submitted.
 * @rule FGTS-28
 */
export const uncorrectedFields = (
  refused: ReadonlyArray<string>,
  submitted: ReadonlyArray<string>
): ReadonlyArray<string> => refused.filter((field) => !submitted.some((path) => covers(field, path)))

/** Lists the paths of the KYC fields that a body contains, even with the value `null`. */
export const pathsInBody = (body: unknown): ReadonlyArray<string> => {
  if (!Predicate.isReadonlyObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) => {
    const group = groups[name]
    if (group === undefined || !Predicate.isReadonlyObject(value)) return Object.hasOwn(kycFields, name) ? [name] : []
    return Object.keys(value).filter((field) => Object.hasOwn(group, field)).map((field) => `${name}.${field}`)
  })
}

/** Lists the paths of the fields in which two KYCs differ. */
export const changedFields = (before: KycValues, after: KycValues): ReadonlyArray<string> =>
  Object.keys(kycFields).flatMap((name) => {
    const [old, next] = [valueOf(before, name), valueOf(after, name)]
    if (isSame(old, next)) return []
    const group = groups[name]
    if (group === undefined) return [name]
    const changed = Object.keys(group).filter((field) => !isSame(valueOf(old, field), valueOf(next, field)))
    return changed.map((field) => `${name}.${field}`)
  })

const valueOf = (values: unknown, name: string): unknown =>
  Predicate.isReadonlyObject(values) ? (values as Readonly<Record<string, unknown>>)[name] ?? null : null
