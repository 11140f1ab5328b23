import { Predicate, Result } from "effect"
import { parsePixKey } from "../../documents/Pix.ts"
import { makePatch } from "../../patch/Patch.ts"
import { type CalendarDate } from "../../time/CalendarDate.ts"
import { combineChecks } from "../../validation/combineChecks.ts"
import { type FieldProblem, fieldProblem, problem, type ValidationFailed } from "../../validation/FieldProblem.ts"
import { valueAt } from "../../validation/valueAt.ts"
import { kycFindings } from "./FgtsKyc.ts"
import { emptyKyc, kycFields, kycGroups, type KycSubject, type KycValues } from "./KycValues.ts"

const patch = makePatch(kycFields, { immutable: [] })

const findings = new Set(Object.keys(kycFindings))

/** Removes the derived fields from a body. */
const told = (body: unknown): unknown =>
  Predicate.isReadonlyObject(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !findings.has(name)))
    : body

/** Returns whether a body has disbursement data, even if unchanged. An empty group does not count. */
export const hasDisbursementFields = (body: unknown): boolean =>
  ["disbursement_method", "pix", "bank"].map((name) => valueAt(body, [name])).some((value) =>
    Predicate.isReadonlyObject(value) ? Object.keys(value).length > 0 : value !== undefined
  )

/**
 * A submission merges into the stored KYC, groups field by field. `null` clears a field, and a group without values is removed. All
 * problems are reported at once.
 * @rule KYC-06
 */
export const patchKyc = (
  application: Pick<KycSubject, "customer" | "kyc">,
  body: unknown,
  today: CalendarDate
): Result.Result<KycValues, ValidationFailed> => {
  const stored = application.kyc ?? emptyKyc
  const said = told(body)
  if (!Predicate.isReadonlyObject(said)) return Result.map(patch.apply(stored, said), ({ next }) => next)
  const whole = patch.apply(stored, said)
  const judged = Result.map(patch.apply(stored, judgeable(stored, said)), ({ next }) => withoutEmptyGroups(next))
  return Result.flatMap(judged, (kyc) =>
    Result.map(
      combineChecks({ whole, ...judgeKycIdentity(application, kyc, today), key: judgePixKey(kyc, said) }),
      ({ key }) => ({ ...kyc, pix: kyc.pix === null ? null : { ...kyc.pix, key } })
    ))
}

const groups: Readonly<Record<string, object>> = kycGroups

/** Replaces malformed values of a body with `null`, so that the rest can be judged. */
const judgeable = (stored: KycValues, said: Readonly<Record<PropertyKey, unknown>>): object => {
  const known = (part: (value: unknown) => object, value: unknown): unknown =>
    Result.isSuccess(patch.apply(stored, part(value))) ? value : null
  return ownValues(kycFields, said, (name, value) => {
    const group = groups[name]
    return group !== undefined && Predicate.isReadonlyObject(value)
      ? ownValues(group, value, (field, inner) => known((one) => ({ [name]: { [field]: one } }), inner))
      : known((one) => ({ [name]: one }), value)
  })
}

/** Maps the values of a body whose names are in `fields`. */
const ownValues = (
  fields: object,
  values: Readonly<Record<PropertyKey, unknown>>,
  read: (name: string, value: unknown) => unknown
): object =>
  Object.fromEntries(
    Object.keys(fields).filter((name) => Object.hasOwn(values, name)).map((name) => [name, read(name, values[name])])
  )

const withoutEmptyGroups = (values: KycValues): KycValues => ({
  ...values,
  document: orNone(values.document),
  address: orNone(values.address),
  pix: orNone(values.pix),
  bank: orNone(values.bank)
})

const orNone = <G extends object>(group: G | null): G | null =>
  group !== null && Object.values(group).some((value) => value !== null) ? group : null

/**
 * CPF and birth date must equal those of the application, and a PIX key of type CPF must be the customer's own. A document is issued
 * neither before the birth of its holder nor after today.
 * @rule KYC-07
 */
export const judgeKycIdentity = ({ customer }: Pick<KycSubject, "customer">, kyc: KycValues, today: CalendarDate) => ({
  own_cpf: same("cpf", kyc.cpf, customer.cpf),
  own_birth_date: same("birth_date", kyc.birth_date, customer.birth_date),
  own_key: kyc.pix?.type === "CPF" && kyc.pix.key !== null
    ? same("pix.key", Result.getOrElse(parsePixKey("CPF", kyc.pix.key), () => null), customer.cpf)
    : Result.void,
  issued_at: judgeIssue(kyc.document?.issued_at ?? null, customer.birth_date, today)
})

const same = (field: string, told: string | null, known: string): Result.Result<void, FieldProblem> =>
  told === null || told === known ? Result.void : Result.fail(fieldProblem(field, problem("MISMATCH")))

const judgeIssue = (
  issued_at: CalendarDate | null,
  birth_date: CalendarDate,
  today: CalendarDate
): Result.Result<void, FieldProblem> =>
  issued_at === null || (issued_at >= birth_date && issued_at <= today)
    ? Result.void
    // The message must not reveal the birth date.
    : Result.fail(
      fieldProblem("document.issued_at", problem("OUT_OF_RANGE", issued_at > today ? { max: today } : undefined))
    )

/**
 * A PIX key is parsed by its type once both are known. A new type alone must not change the stored key: the digits of a CPF parsed as a
 * phone number would pay another person.
 * @rule KYC-09
 */
export const judgePixKey = ({ pix }: KycValues, said: unknown): Result.Result<string | null, FieldProblem> => {
  if (pix === null || pix.type === null || pix.key === null) return Result.succeed(pix?.key ?? null)
  const read = parsePixKey(pix.type, pix.key)
  if (Result.isFailure(read)) return Result.fail(fieldProblem("pix.key", read.failure))
  return read.success !== pix.key && valueAt(said, ["pix", "key"]) === undefined
    ? Result.fail(fieldProblem("pix.key", problem("INVALID_FORMAT")))
    : Result.succeed(read.success)
}
