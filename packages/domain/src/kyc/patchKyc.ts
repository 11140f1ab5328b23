import { Predicate, Result } from "effect"
import { PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { foldText } from "../input/fold.ts"
import { makePatch } from "../input/Patch.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { valueAt } from "../input/valueAt.ts"
import { type CalendarDate, dayOf } from "../values/CalendarDate.ts"
import { parsePixKey } from "../values/Pix.ts"
import { kycFindings } from "./FgtsKyc.ts"
import { maxKycDocuments } from "./KycDocumentReference.ts"
import {
  basicRequirements,
  isSupportedMethod,
  type KycRequirements,
  lenderKycFields,
  withoutEmptyLenderFields
} from "./KycRequirements.ts"
import { emptyKyc, kycFields, kycGroups, type KycSubject, type KycValues } from "./KycValues.ts"

const patch = makePatch(kycFields, { immutable: [] })

/** The derived fields of a response, which a request can contain. */
const findings = new Set([...Object.keys(kycFindings), "next_action"])

/**
 * A submitted KYC field that the application's lender does not require is ignored: it is neither checked nor stored.
 * Derived fields are ignored, too. So callers can send the same body for every lender, and Lastro keeps no data that no
 * lender needs.
 * @rule KYC-16
 */
export const ignoredFields = (requirements: KycRequirements = basicRequirements): ReadonlySet<string> =>
  new Set<string>([...findings, ...lenderKycFields.filter((field) => !requirements.kyc_fields.includes(field))])

const withoutIgnoredFields = (body: unknown, requirements: KycRequirements | undefined): unknown => {
  const ignored = ignoredFields(requirements)
  return Predicate.isReadonlyObject(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.has(name)))
    : body
}

/** Returns whether a body contains disbursement data, even unchanged data. An empty group does not count. */
export const hasDisbursementFields = (body: unknown): boolean =>
  ["disbursement_method", "pix", "bank"].map((name) => valueAt(body, [name])).some((value) =>
    Predicate.isReadonlyObject(value) ? Object.keys(value).length > 0 : value !== undefined
  )

/**
 * A submission is merged into the stored KYC. Groups are merged field by field. `null` clears a field, and a group
 * without values is removed. All problems are reported together.
 * @rule KYC-06
 */
export const patchKyc = (
  application: Pick<KycSubject, "customer" | "kyc" | "proposal" | "requirements">,
  body: unknown,
  today: CalendarDate
): Result.Result<KycValues, ValidationFailed> => {
  const stored = application.kyc ?? emptyKyc
  const submitted = withoutIgnoredFields(body, application.requirements)
  if (!Predicate.isReadonlyObject(submitted)) return Result.map(patch.apply(stored, submitted), ({ next }) => next)
  // `whole` reports the malformed values. The other checks concern the well-formed values.
  const whole = patch.apply(stored, submitted)
  const wellFormed = Result.map(
    patch.apply(stored, withoutMalformed(stored, submitted)),
    ({ next }) => withoutEmptyLenderFields(withoutEmptyGroups(next))
  )
  return Result.flatMap(wellFormed, (kyc) =>
    Result.map(
      combineChecks({
        submitted_issue: judgeIssue(dayOf(valueAt(submitted, ["document", "issued_at"])), application.customer, today),
        whole,
        ...judgeKycIdentity(application, kyc, today),
        own_name: judgeKycName(application, kyc),
        method: judgeMethod(kyc, submitted, application.requirements),
        documents: judgeDocuments(kyc),
        key: judgePixKey(kyc, submitted)
      }),
      ({ key }) => ({ ...kyc, pix: kyc.pix === null ? null : { ...kyc.pix, key } })
    ))
}

const groups: Readonly<Record<string, object>> = kycGroups

/** Replaces malformed values of a body by `null`, so that the other values can be checked. */
const withoutMalformed = (stored: KycValues, submitted: Readonly<Record<PropertyKey, unknown>>): object => {
  const validOrNull = (value: unknown, body: object): unknown =>
    Result.isSuccess(patch.apply(stored, body)) ? value : null
  return ownValues(kycFields, submitted, (name, value) => {
    const group = groups[name]
    return group !== undefined && Predicate.isReadonlyObject(value)
      ? ownValues(group, value, (field, inner) => validOrNull(inner, { [name]: { [field]: inner } }))
      : validOrNull(value, { [name]: value })
  })
}

/** Applies a function to the values of a body whose names are in `fields`. */
const ownValues = (
  fields: object,
  values: Readonly<Record<PropertyKey, unknown>>,
  read: (name: string, value: unknown) => unknown
): object =>
  Object.fromEntries(
    Object.keys(fields).filter((name) => Object.hasOwn(values, name)).map((name) => [name, read(name, values[name])])
  )

const judgeMethod = (
  { disbursement_method }: KycValues,
  submitted: unknown,
  requirements: KycRequirements = basicRequirements
): Result.Result<void, FieldProblem> =>
  isSupportedMethod(disbursement_method, requirements) || valueAt(submitted, ["disbursement_method"]) === undefined
    ? Result.void
    : Result.fail(
      fieldProblem(
        "disbursement_method",
        problem("UNKNOWN_VALUE", { allowed: requirements.disbursement_methods.join(", ") })
      )
    )

const judgeDocuments = ({ documents }: KycValues): Result.Result<void, FieldProblem> =>
  (documents?.length ?? 0) > maxKycDocuments
    ? Result.fail(fieldProblem("documents", problem("TOO_LONG", { max: maxKycDocuments })))
    : Result.void

const withoutEmptyGroups = (values: KycValues): KycValues => ({
  ...values,
  document: nullIfEmpty(values.document),
  address: nullIfEmpty(values.address),
  pix: nullIfEmpty(values.pix),
  bank: nullIfEmpty(values.bank)
})

const nullIfEmpty = <G extends object>(group: G | null): G | null =>
  group !== null && Object.values(group).some((value) => value !== null) ? group : null

/**
 * The CPF and the birth date must equal those of the application's customer. A PIX key of type CPF must be the
 * customer's own CPF. The issue date of a document must be neither before the birth date nor after today.
 * @rule KYC-07
 */
export const judgeKycIdentity = ({ customer }: Pick<KycSubject, "customer">, kyc: KycValues, today: CalendarDate) => ({
  own_cpf: same("cpf", kyc.cpf, customer.cpf),
  own_birth_date: same("birth_date", kyc.birth_date, customer.birth_date),
  own_key: kyc.pix?.type === "CPF" && kyc.pix.key !== null
    ? same("pix.key", Result.getOrElse(parsePixKey("CPF", kyc.pix.key), () => null), customer.cpf)
    : Result.void,
  issued_at: judgeIssue(kyc.document?.issued_at, customer, today)
})

const same = (field: string, submitted: string | null, expected: string): Result.Result<void, FieldProblem> =>
  submitted === null || submitted === expected ? Result.void : Result.fail(fieldProblem(field, problem("MISMATCH")))

const comparableName = (name: string): string => foldText(name).trim().replace(/\s+/g, " ")

/**
 * Until an offer is accepted, a submitted name must be that of the application's customer, if the application has one.
 * Letter case, accents and the number of spaces are ignored. To correct a wrong name of the customer, open another
 * application. A name that was stored before this rule existed can be repeated. After the acceptance, a name can change
 * only if the lender refuses it (FGTS-28).
 * @rule KYC-17
 */
export const judgeKycName = (
  { customer, kyc: stored, proposal }: Pick<KycSubject, "customer" | "kyc" | "proposal">,
  { name }: Pick<KycValues, "name">
): Result.Result<void, FieldProblem> => {
  if (name === null || customer.name === null) return Result.void
  const isExempt = proposal !== null || name === stored?.name
  return isExempt ? Result.void : same("name", comparableName(name), comparableName(customer.name))
}

const judgeIssue = (
  issued_at: string | null | undefined,
  { birth_date }: Pick<KycSubject["customer"], "birth_date">,
  today: CalendarDate
): Result.Result<void, FieldProblem> => {
  if (issued_at === undefined || issued_at === null || (issued_at >= birth_date && issued_at <= today)) {
    return Result.void
  }
  // The problem must not reveal the birth date.
  const params = issued_at > today ? { max: today } : { not_before: "birth_date" }
  return Result.fail(fieldProblem("document.issued_at", problem("OUT_OF_RANGE", params)))
}

/**
 * As soon as a PIX key and its type are both present, the key is parsed by its type. A new type must come with a new
 * key, because the stored key would change its meaning. For example, the digits of a CPF could be read as a phone
 * number, and another person would be paid.
 * @rule KYC-09
 */
export const judgePixKey = ({ pix }: KycValues, submitted: unknown): Result.Result<string | null, FieldProblem> => {
  if (pix === null || pix.type === null || pix.key === null) return Result.succeed(pix?.key ?? null)
  const read = parsePixKey(pix.type, pix.key)
  if (Result.isFailure(read)) return Result.fail(fieldProblem("pix.key", read.failure))
  return read.success !== pix.key && valueAt(submitted, ["pix", "key"]) === undefined
    ? Result.fail(fieldProblem("pix.key", invalidFormat("text in the format of the new type")))
    : Result.succeed(read.success)
}

/**
 * Returns whether a submission is compared with the customer's CPF: it contains a CPF, or it changes a PIX key of type
 * CPF.
 */
const mentionsCpf = ({ kyc }: Pick<KycSubject, "kyc">, body: unknown): boolean => {
  const type = valueAt(body, ["pix", "type"]) ?? kyc?.pix?.type
  return Predicate.isNotNullish(valueAt(body, ["cpf"])) ||
    (type === "CPF" && Predicate.isReadonlyObject(valueAt(body, ["pix"])))
}

/**
 * A caller without `kyc:read` can submit the CPF, or a PIX key that is a CPF, only for its own applications. For any
 * other application, the response would confirm a guess of the masked CPF.
 * @rule KYC-11
 */
export const judgeCpfSubmission = (
  caller: Caller,
  application: Pick<KycSubject, "kyc"> & { readonly created_by: string },
  body: unknown
): Result.Result<void, PermissionDenied> =>
  personalDataView(caller) === "masked" && application.created_by !== caller.subject && mentionsCpf(application, body)
    ? Result.fail(new PermissionDenied())
    : Result.void
