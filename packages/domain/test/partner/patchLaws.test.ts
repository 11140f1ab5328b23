import { assert, describe, it } from "@effect/vitest"
import {
  address,
  bankAccount,
  email,
  metadataKey,
  metadataValue,
  partnerDetail,
  partnerId,
  personName,
  phone,
  pix
} from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { patchPartner } from "../../src/partner/patchPartner.ts"

/** Some fields of a group, with a few nulls and invalid values. */
const someOf = (group: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  group.chain((whole) =>
    fc.record(
      Object.fromEntries(
        Object.entries(whole).map(([name, value]) =>
          [
            name,
            fc.oneof(
              { weight: 12, arbitrary: fc.constant<unknown>(value) },
              { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 1, "", {}, [], "\u0000") }
            )
          ] as const
        )
      ),
      { requiredKeys: [] }
    )
  )

const group = (values: fc.Arbitrary<object>) =>
  fc.oneof(
    { weight: 6, arbitrary: someOf(values) },
    { weight: 4, arbitrary: values },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(null, {}) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(1, "x", [], { zzz: 1 }) }
  )

/** Metadata in which some values are null. */
const metadataPatch: fc.Arbitrary<unknown> = fc.array(fc.tuple(metadataKey, fc.option(metadataValue)), { maxLength: 5 })
  .map(
    (entries) => Object.fromEntries(entries)
  )

/** Patches of every kind: mostly valid, some invalid, some empty. */
const bodies = fc.record({
  partner: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ name: personName, email, phone, parent_uuid: partnerId }, { requiredKeys: [] })
    },
    { weight: 1, arbitrary: someOf(fc.record({ name: personName, email, phone, parent_uuid: partnerId, zzz: phone })) }
  ),
  pix: group(pix),
  address: group(address),
  bank_account: group(bankAccount),
  metadata: fc.oneof(
    { weight: 8, arbitrary: metadataPatch },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, {}, 1, "x", [], { plan: 1 }, { "a[b": "x" }) }
  )
}, { requiredKeys: [] })

describe("partner patch properties", () => {
  it("PATCH-01 patching twice equals patching once", () => {
    let patched = 0
    fc.assert(
      fc.property(partnerDetail, bodies, (partner, body) => {
        const once = patchPartner(partner, body)
        if (Result.isFailure(once)) return
        patched += 1
        assert.deepStrictEqual(
          patchPartner(once.success.next, body),
          Result.succeed({
            next: once.success.next,
            changed: false
          })
        )
      }),
      { numRuns: 500 }
    )
    assert.isAbove(patched, 125)
  })

  it("PATCH-01 unmentioned fields and fields that only the system sets never change", () => {
    fc.assert(
      fc.property(partnerDetail, bodies, (partner, body) => {
        const result = patchPartner(partner, body)
        if (Result.isFailure(result)) return
        const { next } = result.success
        for (const name of ["partner_id", "status", "document_number", "person_type", "created_at"] as const) {
          assert.strictEqual(next[name], partner[name])
        }
        const named = body.partner ?? {}
        for (const name of ["name", "email", "phone"] as const) {
          if (!Object.hasOwn(named, name)) assert.strictEqual(next[name], partner[name])
        }
        for (const name of ["pix", "address", "bank_account"] as const) {
          const patch: unknown = body[name]
          if (patch === undefined) assert.deepStrictEqual(next[name], partner[name])
          if (typeof patch !== "object" || patch === null) continue
          for (const [field, value] of Object.entries(partner[name] ?? {})) {
            if (!Object.hasOwn(patch, field)) assert.strictEqual(Reflect.get(next[name] ?? {}, field), value)
          }
        }
        const patch: unknown = body.metadata ?? (body.metadata === null ? null : {})
        if (patch === null) assert.deepStrictEqual(next.metadata, {})
        else {
          const named = new Map<string, unknown>(Object.entries(Object(patch)))
          const expected = new Map(
            [...Object.entries<unknown>(partner.metadata), ...named].filter(([key]) => named.get(key) !== null)
          )
          assert.deepStrictEqual(new Map(Object.entries(next.metadata)), expected)
        }
      }),
      { numRuns: examples(500) }
    )
  })

  it("PATCH-01 changed` is true exactly if the record differ", () => {
    fc.assert(
      fc.property(partnerDetail, bodies, (partner, body) => {
        const result = patchPartner(partner, body)
        if (Result.isFailure(result)) return
        assert.strictEqual(result.success.changed, JSON.stringify(result.success.next) !== JSON.stringify(partner))
      }),
      { numRuns: examples(500) }
    )
  })

  it("PATCH-01 a patch with the record's own values changes nothing", () => {
    fc.assert(
      fc.property(partnerDetail, (partner) => {
        const body = {
          partner: {
            type: partner.person_type,
            name: partner.name,
            email: partner.email,
            phone: partner.phone,
            document_number: partner.document_number,
            parent_uuid: partner.parent_id
          },
          pix: partner.pix,
          address: partner.address,
          bank_account: partner.bank_account,
          metadata: partner.metadata
        }
        assert.deepStrictEqual(patchPartner(partner, body), Result.succeed({ next: partner, changed: false }))
      }),
      { numRuns: examples(200) }
    )
  })

  it("PATCH-01 patching mutates neither the stored record nor the patch", () => {
    fc.assert(
      fc.property(partnerDetail, bodies, (partner, body) => {
        const before = structuredClone({ partner, body })
        patchPartner(partner, body)
        assert.deepStrictEqual({ partner, body }, before)
      }),
      { numRuns: examples(200) }
    )
  })
})
