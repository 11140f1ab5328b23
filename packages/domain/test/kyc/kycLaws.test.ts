import { assert, describe, it } from "@effect/vitest"
import { Equal, Predicate, Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { fgtsKyc } from "../../src/kyc/FgtsKyc.ts"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { patchKyc } from "../../src/kyc/patchKyc.ts"
import { prefill } from "../../src/kyc/prefill.ts"
import { customer, decideOn, newApplication, noon, submitKyc } from "../loan/examples.ts"
import { kycValues, today, withKyc } from "./kycs.ts"

/** Serialises a value as JSON and parses it back. */
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const post = (kyc: KycValues | null, body: unknown): KycValues =>
  Result.getOrThrow(patchKyc(withKyc(kyc), throughJson(body), today))

const leafOf = (group: unknown, leaf: string): unknown => Predicate.isReadonlyObject(group) ? group[leaf] : null

/** Partial KYC bodies: some fields, some fields of groups, some nulls. */
const parts: fc.Arbitrary<object> = fc.tuple(kycValues, fc.infiniteStream(fc.constantFrom("keep", "drop", "null"))).map(
  ([values, choices]) => {
    const some = (record: object): object =>
      Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) => {
          const choice = choices.next().value
          if (choice === "drop") return []
          if (choice === "null") return [[name, null]]
          return [[name, Predicate.isReadonlyObject(value) && name !== "pix" ? some(value) : value]]
        })
      )
    return some(values)
  }
)

/** Stored values without a PIX key of unknown type, which a later type could reinterpret. */
const stored = kycValues.map((values) => values.pix?.type === null ? { ...values, pix: null } : values)

describe("KYC submission properties", () => {
  it("KYC-06 canonical values are stored unchanged", () => {
    fc.assert(
      fc.property(kycValues, (values) => {
        assert.deepStrictEqual(post(null, values), values)
        assert.deepStrictEqual(post(values, {}), values)
      }),
      { numRuns: examples(200) }
    )
  })

  it("KYC-06 posting a KYC as read changes nothing; edited fields are the only ones to change", () => {
    fc.assert(
      fc.property(
        stored,
        fc.constantFrom<KycValues["civil_status"]>("SINGLE", "WIDOWED", null),
        (values, civil_status) => {
          const read = fgtsKyc(withKyc(values), emptyKyc)
          const submitted = post(values, read)
          assert.deepStrictEqual(submitted, values)
          assert.deepStrictEqual(decideOn(withKyc(values), submitKyc(submitted)), Result.succeed([]))
          assert.deepStrictEqual(post(values, { ...read, civil_status }), { ...values, civil_status })
        }
      ),
      { numRuns: examples(150) }
    )
  })

  it("KYC-05 KYC-06 posting the suggestions as read submits them, and reading returns the same values", () => {
    fc.assert(
      fc.property(stored, (known) => {
        const suggested = prefill(customer, known)
        const read = fgtsKyc(newApplication(), suggested)
        const submitted = post(null, read)
        assert.deepStrictEqual(submitted, suggested)
        const { status, ...again } = fgtsKyc(withKyc(submitted), emptyKyc)
        const { status: _status, ...before } = read
        assert.deepStrictEqual(again.prefilled_fields, [])
        assert.deepStrictEqual({ ...again, prefilled_fields: before.prefilled_fields }, {
          ...before,
          complete: again.complete,
          missing_fields: again.missing_fields
        })
        assert.include(["PARTIAL", "COMPLETE"], status)
      }),
      { numRuns: examples(150) }
    )
  })

  it("KYC-06 a partial submission replaces the leaves it contains and keeps the others", () => {
    let merged = 0
    fc.assert(
      fc.property(stored, parts, (before, part) => {
        const result = patchKyc(withKyc(before), throughJson(part), today)
        if (Result.isFailure(result)) {
          const { problems } = result.failure
          // Another key for the stored type, or another type for the stored key.
          assert.deepStrictEqual(new Set(problems.map(({ field }) => field)), new Set(["pix.key"]))
          return
        }
        merged += 1
        for (const name of Object.keys(emptyKyc) as ReadonlyArray<keyof KycValues>) {
          const [old, now] = [before[name], result.success[name]]
          const submitted: unknown = Object.hasOwn(part, name) ? Reflect.get(part, name) : undefined
          if (submitted === undefined) assert.deepStrictEqual(now, old)
          else if (!Predicate.isReadonlyObject(submitted)) assert.deepStrictEqual<unknown>(now, submitted)
          else {
            const group: object = Predicate.isReadonlyObject(old) ? old : {}
            const leaves = new Set([...Object.keys(group), ...Object.keys(submitted)])
            for (const leaf of leaves) {
              const expected: unknown = Object.hasOwn(submitted, leaf) ? submitted[leaf] : Reflect.get(group, leaf)
              assert.strictEqual(leafOf(now, leaf), expected, `${name}.${leaf}`)
            }
          }
        }
        for (const group of ["document", "address", "pix", "bank"] as const) {
          const now = result.success[group]
          assert.isTrue(now === null || Object.values(now).some((value) => value !== null))
        }
      }),
      { numRuns: examples(500) }
    )
    assert.isAbove(merged, examples(200))
  })

  it("KYC-06 submitting twice equals submitting once", () => {
    fc.assert(
      fc.property(stored, parts, (before, part) => {
        const once = patchKyc(withKyc(before), part, today)
        if (Result.isFailure(once)) return
        assert.deepStrictEqual(patchKyc(withKyc(once.success), part, today), once)
        const decided = decideOn(withKyc(before), submitKyc(once.success, noon))
        assert.strictEqual(Result.getOrThrow(decided).length, Equal.equals(once.success, before) ? 0 : 1)
      }),
      { numRuns: examples(200) }
    )
  })

  it("KYC-06 T27 any body is either parsed or rejected with problems", () => {
    const poison = fc.oneof(fc.anything(), fc.constantFrom("\u0000", "\ud800", {}, [], { key: {} }, { type: null }))
    const names = fc.constantFrom(...Object.keys(emptyKyc), "__proto__", "constructor", "status", "own_cpf")
    fc.assert(
      fc.property(
        stored,
        fc.dictionary(names, fc.oneof(poison, fc.dictionary(fc.constantFrom("key", "type", "uf"), poison))),
        (
          before,
          body
        ) => {
          const result = patchKyc(withKyc(before), body, today)
          if (Result.isFailure(result)) assert.isAbove(result.failure.problems.length, 0)
          else assert.deepStrictEqual(post(null, result.success), result.success)
        }
      ),
      { numRuns: examples(500) }
    )
  })
})
