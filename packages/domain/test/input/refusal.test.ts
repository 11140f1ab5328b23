import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { inspect } from "node:util"
import * as access from "../../src/access/index.ts"
import * as hierarchy from "../../src/hierarchy/index.ts"
import { NotFound } from "../../src/hierarchy/Scope.ts"
import { Unauthenticated } from "../../src/identity/AccessClaims.ts"
import * as identity from "../../src/identity/index.ts"
import * as input from "../../src/input/index.ts"
import { inspectCustom } from "../../src/input/Refusal.ts"
import { ValidationFailed } from "../../src/input/ValidationFailed.ts"
import * as lender from "../../src/lender/index.ts"
import { CallbackRefused } from "../../src/lender/LenderCallback.ts"
import { ExitRefused, LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import * as loan from "../../src/loan/index.ts"
import { KycIncomplete, OfferNotAvailable } from "../../src/loan/LoanRefusals.ts"
import * as offer from "../../src/offer/index.ts"
import * as operator from "../../src/operator/index.ts"
import * as partner from "../../src/partner/index.ts"
import * as ports from "../../src/ports/index.ts"
import { Busy } from "../../src/ports/UnitOfWork.ts"
import * as user from "../../src/user/index.ts"

/** The fields that the message of each refusal shows. A refusal that is missing here shows none. */
const shown: Readonly<Record<string, ReadonlyArray<string>>> = {
  ApplicationNotCancellable: ["reason"],
  Busy: ["retry_after_seconds"],
  DocumentUnavailable: ["reason"],
  DuplicatePartner: ["id"],
  JobNotCancellable: ["reason"],
  KycIncomplete: ["missing"],
  LenderUnavailable: ["reason"],
  NoEffectiveCost: ["reason"],
  OfferNotAvailable: ["reason"],
  ParentCycle: ["id"],
  PartnerHasDependents: ["applications", "children", "users"],
  PolicyViolation: ["installment", "reason"],
  ProposalNotWithdrawable: ["reason"],
  SignatureNotPending: ["reason"],
  TermsOutOfRange: ["reason"],
  TokenRefused: ["error"],
  TooManyAttempts: ["retry_after_seconds"],
  UnknownParent: ["id"],
  UnlawfulOffer: ["fault"]
}

const entries = [access, hierarchy, identity, input, lender, loan, offer, operator, partner, ports, user]

/** The refusals that the entries export: every error class whose instances print their fields. */
const refusals = entries.flatMap((entry) =>
  Object.values<unknown>(entry).flatMap((value) =>
    typeof value === "function" && value.prototype instanceof Error && inspectCustom in value.prototype
      ? [value as new(fields: object) => Error & { readonly _tag: string }]
      : []
  )
)

describe("the message of a refusal", () => {
  it("has every field that it shows, and no other", () => {
    const names = [
      "applications",
      "children",
      "error",
      "fault",
      "id",
      "installment",
      "missing",
      "reason",
      "retry_after_seconds",
      "users"
    ]
    const fields = Object.fromEntries(names.map((name, index) => [name, `value${index}`]))
    const found = refusals.filter((one) => one !== ValidationFailed).map((one) => {
      const error = new one(fields)
      return [error._tag, names.filter((_, index) => error.message.includes(`value${index}`))] as const
    })
    assert.deepStrictEqual(Object.fromEntries(found.filter(([, names]) => names.length > 0)), shown)
  })

  it("states the problem, and the fields of the error", () => {
    assert.strictEqual(new NotFound().message, "The record does not exist.")
    assert.match(new OfferNotAvailable({ reason: "EXPIRED" }).message, /no longer available \(reason: EXPIRED\)\.$/)
    assert.match(
      new KycIncomplete({ missing: ["cpf", "pix.key"] }).message,
      /are missing \(missing: cpf, pix\.key\)\. Submit them first\.$/
    )
    assert.match(
      new Busy({ retry_after_seconds: 2 }).message,
      /was changed \(retry_after_seconds: 2\)\. Retry later\.$/
    )
  })

  it("states no field that is only for the log", () => {
    const detail = "secret of the webhook"
    const { message } = new Unauthenticated({ reason: "inactive" })
    assert.strictEqual(message, "The caller cannot be authenticated.")
    const refusals = [
      new CallbackRefused({ detail }),
      new ExitRefused({ detail }),
      new LenderUnavailable({ reason: "FORBIDDEN", detail })
    ]
    for (const refusal of refusals) {
      assert.notInclude(refusal.message, detail)
      assert.notInclude(String(refusal), detail)
      assert.include(inspect(refusal), `(detail: ${detail})`)
    }
  })

  it("is printed with the name when the error is thrown", () => {
    const error = new Unauthenticated({ reason: "inactive" })
    assert.match(inspect(error), /^Unauthenticated: The caller cannot be authenticated\.\n/)
    assert.match(inspect(error), / \(reason: inactive\)$/)
    assert.match(String(error), /^Unauthenticated: The caller/)
  })

  it("is not an enumerable property, and is part of the JSON form, which a printed Result contains", () => {
    const error = new OfferNotAvailable({ reason: "EXPIRED" })
    const { message } = error
    assert.deepStrictEqual(Object.keys(error).toSorted(), ["_tag", "reason"])
    assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), { _tag: "OfferNotAvailable", reason: "EXPIRED", message })
    assert.include(inspect(Result.fail(error)), message)
    const failed = new ValidationFailed({ problems: [{ field: "name", code: "REQUIRED" }] })
    assert.match(inspect(failed), /^ValidationFailed: The input is invalid: name REQUIRED\./)
    assert.deepStrictEqual(Object.keys(failed).toSorted(), ["_tag", "problems", "unlisted"])
  })

  it("names the invalid fields, but no name that could be personal data", () => {
    const messageOf = (...fields: ReadonlyArray<string>) =>
      new ValidationFailed({ problems: fields.map((field) => ({ field, code: "UNKNOWN_FIELD" })) }).message
    assert.strictEqual(
      messageOf("address.uf", "partners[1].name"),
      "The input is invalid: address.uf UNKNOWN_FIELD, partners[1].name UNKNOWN_FIELD."
    )
    assert.strictEqual(messageOf("kyc.52998224725"), "The input is invalid: kyc.… UNKNOWN_FIELD.")
    assert.strictEqual(messageOf("a\nb"), "The input is invalid: … UNKNOWN_FIELD.")
    assert.match(messageOf("a", "b", "c", "d", "e", "f", "g"), /e UNKNOWN_FIELD, and 2 more\.$/)
  })
})
