import { assert, describe, it } from "@effect/vitest"
import {
  CreateUserRequest,
  groupBySlug,
  parseNewPartner,
  parsePassword,
  parseSort,
  parseText,
  PartnerDetail,
  type PartnerId,
  partnerSortFields,
  patchPartner,
  patchUser,
  UserDetail
} from "@lastro/domain"
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
import { Result, Schema } from "effect"
import * as fc from "fast-check"

const holds = <A>(arbitrary: fc.Arbitrary<A>, property: (example: A) => void) =>
  fc.assert(fc.property(arbitrary, property), { numRuns: 1000 })

/** Whether the values decode, to themselves. */
const areValid = <A>(schema: Schema.Codec<A, unknown>, arbitrary: fc.Arbitrary<unknown>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  holds(arbitrary, (example) => assert.deepStrictEqual(decode(example), Result.succeed(example as A)))
}

/** Whether two seeds in a row of examples ever differ in what `of` says about them: the arbitrary is no constant. */
const kindsOf = <A>(arbitrary: fc.Arbitrary<A>, of: (example: A) => ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(fc.sample(arbitrary, { numRuns: 1000, seed: 7 }).flatMap(of))

describe("arbitraries", () => {
  it("partners are valid, roots and others, with groups and without", () => {
    areValid(PartnerDetail, partnerDetail)
    const kinds = kindsOf(partnerDetail, ({ address, bank_account, parent_id, person_type, pix, status }) => [
      person_type,
      status,
      ...Object.entries({ address, bank_account, parent_id, pix }).map(([name, value]) => `${name}: ${value !== null}`)
    ])
    assert.strictEqual(kinds.size, 12)
  })

  it("partners' names are canonical", () =>
    holds(
      partnerDetail,
      ({ name }) => assert.deepStrictEqual(parseText({ min: 2, max: 120 })(name), Result.succeed(name))
    ))

  it("bodies that create a partner are accepted as they are", () =>
    holds(createPartnerBody, (body) => assert.deepStrictEqual(parseNewPartner(body), Result.succeed(body))))

  it("users are valid, of every group and status", () => {
    areValid(UserDetail, userDetail)
    const kinds = kindsOf(userDetail, ({ group, must_change_password, status }) => [
      group.slug,
      status,
      String(must_change_password)
    ])
    assert.strictEqual(kinds.size, 8)
  })

  it("bodies that create a user are accepted as they are", () => areValid(CreateUserRequest, createUserBody))

  it("passwords are valid", () =>
    holds(password, (text) => assert.deepStrictEqual(parsePassword(text), Result.succeed(text))))

  it("shapes of forests name parents that stand before their children, and are of every kind", () => {
    holds(forestShape(9), (shape) => {
      assert.isAtMost(shape.length, 9)
      for (const [index, parent] of shape.entries()) if (parent !== null) assert.isBelow(parent, index)
    })
    const kinds = kindsOf(forestShape(9), (shape) => [
      `single: ${shape.length === 1}`,
      `chain: ${shape.length > 3 && shape.every((parent, index) => parent === (index === 0 ? null : index - 1))}`,
      `star: ${shape.length > 3 && shape.every((parent, index) => parent === (index === 0 ? null : 0))}`,
      `several: ${shape.filter((parent) => parent === null).length > 1}`
    ])
    assert.strictEqual(kinds.size, 8)
  })

  it("values of `sort` ask for the order beside them", () =>
    holds(
      sortValues([...partnerSortFields]),
      ({ sort, values }) => assert.deepStrictEqual(parseSort(partnerSortFields)(values), Result.succeed(sort) as never)
    ))

  it("a needle is a part of the text it was taken from, and never nothing", () =>
    holds(
      fc.record({ needle, texts: fc.array(fc.string(), { minLength: 1 }) }),
      (example) => assert.notStrictEqual(needleIn(example.texts, example.needle), "")
    ))

  it("callers hold permissions of their group only, and belong to the partner given", () => {
    const place = { partner_id: "p" as PartnerId, root_id: "r" as PartnerId }
    holds(callerOf(place), ({ group, partner_id, permissions, root_id }) => {
      assert.deepStrictEqual({ partner_id, root_id }, place)
      assert.includeMembers([...groupBySlug(group).permissions], [...permissions])
    })
  })
})

/** Whether a patch with these intents has to be refused. */
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
  it("PATCH-01 the intents of a partner's patch tell whether it is accepted and whether it changes anything", () => {
    const rules = {
      immutable: ["partner.type", "partner.document_number"],
      clearable: [
        "pix",
        "address",
        "bank_account",
        "address.district",
        "address.complement",
        "bank_account.agency_digit",
        "bank_account.account_digit"
      ]
    }
    const examples = partnerDetail.chain((stored) => partnerPatch(stored).map((patch) => ({ stored, patch })))
    holds(examples, ({ patch, stored }) => {
      const result = patchPartner(stored, patch.body)
      assert.strictEqual(Result.isFailure(result), isRefused(patch, rules))
      if (Result.isFailure(result)) return
      const intents = Object.values(patch.intents)
      assert.strictEqual(result.success.changed, intents.includes("other") || intents.includes("null"))
    })
  })

  it("PATCH-01 the intents of a user's patch tell whether it is accepted and whether it changes anything", () => {
    const examples = userDetail.chain((stored) => userPatch(stored).map((patch) => ({ stored, patch })))
    holds(examples, ({ patch, stored }) => {
      const result = patchUser(stored, patch.body)
      assert.strictEqual(Result.isFailure(result), isRefused(patch, { immutable: ["cpf"], clearable: [] }))
      if (Result.isFailure(result)) return
      assert.strictEqual(result.success.changed, Object.values(patch.intents).includes("other"))
    })
  })

  it("a patch does everything it can to a field", () => {
    const stored = fc.sample(partnerDetail, { numRuns: 200, seed: 7 }).find(({ address }) => address !== null)
    assert.isDefined(stored)
    const kinds = kindsOf(
      stored === undefined ? fc.constant({ intents: {} }) : partnerPatch(stored),
      ({ intents }) => Object.entries(intents).map(([path, intent]) => `${path} ${intent}`)
    )
    for (const path of ["partner.name", "address", "address.uf"]) {
      for (const intent of ["absent", "null", "same", "other", "wrong"]) assert.isTrue(kinds.has(`${path} ${intent}`))
    }
  })
})
