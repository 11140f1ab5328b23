import { assert, describe, it } from "@effect/vitest"
import { groupBySlug } from "@lastro/domain/access"
import { parsePassword } from "@lastro/domain/identity"
import { parseSort, parseText } from "@lastro/domain/input"
import { parseNewPartner, PartnerDetail, partnerSortFields, patchPartner } from "@lastro/domain/partner"
import { CreateUserRequest, patchUser, UserDetail } from "@lastro/domain/user"
import { type PartnerId } from "@lastro/domain/values"
import {
  callerOf,
  createPartnerBody,
  createUserBody,
  forestShape,
  needle,
  needleIn,
  partnerDetail,
  partnerPatch,
  password,
  type PatchExample,
  sortValues,
  userDetail,
  userPatch
} from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { assertDecodes, checkProperty, kindsOf } from "./checks.ts"

const checkMany = <A>(arbitrary: fc.Arbitrary<A>, property: (example: A) => void): void =>
  checkProperty(arbitrary, property, 1000)

describe("arbitraries", () => {
  it("partners are valid, with and without a parent and each group", () => {
    assertDecodes(PartnerDetail, partnerDetail, 1000)
    const kinds = kindsOf(partnerDetail, ({ address, bank_account, parent_id, person_type, pix, status }) => [
      person_type,
      status,
      ...Object.entries({ address, bank_account, parent_id, pix }).map(([name, value]) => `${name}: ${value !== null}`)
    ])
    assert.lengthOf(kinds, 12)
  })

  it("names of partners are canonical", () =>
    checkMany(
      partnerDetail,
      ({ name }) => assert.deepStrictEqual(parseText({ min: 2, max: 120 })(name), Result.succeed(name))
    ))

  it("bodies that create a partner are accepted unchanged", () =>
    checkMany(createPartnerBody, (body) => assert.deepStrictEqual(parseNewPartner(body), Result.succeed(body))))

  it("users are valid and have every group and status", () => {
    assertDecodes(UserDetail, userDetail, 1000)
    const kinds = kindsOf(userDetail, ({ group, must_change_password, status }) => [
      group.slug,
      status,
      String(must_change_password)
    ])
    assert.lengthOf(kinds, 8)
  })

  it("bodies that create a user are accepted unchanged", () => assertDecodes(CreateUserRequest, createUserBody, 1000))

  it("passwords are valid", () =>
    checkMany(password, (text) => assert.deepStrictEqual(parsePassword(text), Result.succeed(text))))

  it("parents precede their children in forest shapes of every kind", () => {
    checkMany(forestShape(9), (shape) => {
      assert.isAtMost(shape.length, 9)
      for (const [index, parent] of shape.entries()) if (parent !== null) assert.isBelow(parent, index)
    })
    const kinds = kindsOf(forestShape(9), (shape) => [
      `single: ${shape.length === 1}`,
      `chain: ${shape.length > 3 && shape.every((parent, index) => parent === (index === 0 ? null : index - 1))}`,
      `star: ${shape.length > 3 && shape.every((parent, index) => parent === (index === 0 ? null : 0))}`,
      `several: ${shape.filter((parent) => parent === null).length > 1}`
    ])
    assert.lengthOf(kinds, 8)
  })

  it("values of `sort` parse to their order", () =>
    checkMany(
      sortValues([...partnerSortFields]),
      ({ sort, values }) => assert.deepStrictEqual(parseSort(partnerSortFields)(values), Result.succeed(sort) as never)
    ))

  it("a needle is never empty", () =>
    checkMany(
      fc.record({ needle, texts: fc.array(fc.string(), { minLength: 1 }) }),
      (example) => assert.notStrictEqual(needleIn(example.texts, example.needle), "")
    ))

  it("callers have only permissions of their group, and belong to the requested partner", () => {
    const place = { partner_id: "p" as PartnerId, root_id: "r" as PartnerId }
    checkMany(callerOf(place), ({ group, partner_id, permissions, root_id }) => {
      assert.deepStrictEqual({ partner_id, root_id }, place)
      assert.includeMembers([...groupBySlug(group).permissions], [...permissions])
    })
  })
})

/** Returns whether a patch with these intents is invalid. */
const isRefused = (
  { intents }: PatchExample,
  rules: { readonly immutable: ReadonlyArray<string>; readonly clearable: ReadonlyArray<string> }
): boolean =>
  Object.entries(intents).some(([path, intent]) =>
    intent === "wrong"
    || (intent === "other" && rules.immutable.includes(path))
    || (intent === "null" && !rules.clearable.includes(path))
  )

describe("patches", () => {
  it("PATCH-01 the intents of a partner patch determine its refusal and its effect", () => {
    const rules = {
      immutable: ["partner.type", "partner.document_number"],
      clearable: [
        "pix",
        "address",
        "bank_account",
        "metadata",
        "address.district",
        "address.complement",
        "bank_account.agency_digit",
        "bank_account.account_digit"
      ]
    }
    const examples = partnerDetail.chain((stored) => partnerPatch(stored).map((patch) => ({ stored, patch })))
    checkMany(examples, ({ patch, stored }) => {
      const result = patchPartner(stored, patch.body)
      assert.strictEqual(Result.isFailure(result), isRefused(patch, rules))
      if (Result.isFailure(result)) return
      const intents = Object.values(patch.intents)
      assert.strictEqual(result.success.changed, intents.includes("other") || intents.includes("null"))
    })
  })

  it("PATCH-01 the intents of a user patch determine its refusal and its effect", () => {
    const examples = userDetail.chain((stored) => userPatch(stored).map((patch) => ({ stored, patch })))
    checkMany(examples, ({ patch, stored }) => {
      const result = patchUser(stored, patch.body)
      assert.strictEqual(Result.isFailure(result), isRefused(patch, { immutable: ["cpf"], clearable: ["metadata"] }))
      if (Result.isFailure(result)) return
      assert.strictEqual(
        result.success.changed,
        Object.values(patch.intents).some((one) => one === "other" || one === "null")
      )
    })
  })

  it("patches have every intent", () => {
    const stored = fc.sample(partnerDetail, { numRuns: 200, seed: 7 }).find(({ address }) => address !== null)
    assert.isDefined(stored)
    const kinds = kindsOf(
      stored === undefined ? fc.constant({ intents: {} }) : partnerPatch(stored),
      ({ intents }) => Object.entries(intents).map(([path, intent]) => `${path} ${intent}`)
    )
    for (const path of ["partner.name", "address", "address.uf"]) {
      for (const intent of ["absent", "null", "same", "other", "wrong"]) {
        assert.isTrue(kinds.includes(`${path} ${intent}`))
      }
    }
  })
})
