import { assert, describe, it } from "@effect/vitest"
import { centavos } from "@lastro/domain"
import {
  aCaller,
  aClient,
  aCustomer,
  anApplication,
  aPartner,
  aUser,
  openTestLastro,
  type TestLastro,
  TestMistake
} from "@lastro/testkit"
import { Effect, Result } from "effect"

const nowhere = "01900000-0000-7000-8000-00000000dead"

/** What a promise rejects with, or what is thrown before there is one. */
const reasonOf = async (use: () => unknown): Promise<unknown> => {
  try {
    await use()
  } catch (reason) {
    return reason
  }
  return undefined
}

const mistakes: ReadonlyArray<readonly [what: string, says: RegExp, use: (world: TestLastro) => unknown]> = [
  [
    "a user of nowhere",
    /^the partner of this user, [\da-f-]{36}, is not stored: give it first$/,
    ({ given }) => given(aUser().of(nowhere))
  ],
  [
    "a user of a partner that was built only",
    /partner of this user/,
    ({ given }) => given(aUser().of(aPartner().build()))
  ],
  ["a partner below nowhere", /^the parent of this partner, /, ({ given }) => given(aPartner().under(nowhere))],
  ["a client of nowhere", /partner of this API client/, ({ given }) => given(aClient().of(nowhere))],
  ["an application of nowhere", /partner of this application/, ({ given }) => given(anApplication().of(nowhere))],
  ["a caller of nowhere", /partner of this user/, ({ callerFor }) => callerFor(aCaller().at(nowhere))],
  ["a partner twice", /^the id 01900000-\S+ is taken/, async ({ given }) => {
    const { partner_id } = await given(aPartner())
    return given(aPartner({ partner_id }))
  }],
  ["a user twice", /is taken/, async ({ given }) => {
    const { user_id } = await given(aUser())
    return given(aUser({ user_id }))
  }],
  ["a client twice", /client_id of this API client is taken/, async ({ given }) => {
    await given(aClient().called("desk"))
    return given(aClient().called("desk"))
  }],
  ["an application twice", /is taken/, async ({ given }) => {
    const { application_id } = await given(anApplication())
    return given(anApplication({ application_id }))
  }],
  ["an e-mail address twice", /e-mail address of this user is taken/, async ({ given }) => {
    await given(aUser({ email: "ana@example.com" }))
    return given(aUser({ email: "Ana@example.com" }))
  }],
  ["a document twice in a tree", /document of this partner is taken/, async ({ given }) => {
    const root = await given(aPartner())
    return given(aPartner({ document_number: root.document_number }).under(root))
  }],
  ["a record in place of a builder", /given takes a builder/, ({ given }) => given(aPartner().build() as never)],
  ["nothing in place of a builder", /given takes a builder/, ({ given }) => given(undefined as never)],
  ["an unknown user", /as this user: it is not stored/, ({ callerFor }) => callerFor({ user_id: nowhere })],
  ["a malformed id", /as this user: it is not stored/, ({ tokenFor }) => tokenFor({ user_id: "nobody" })],
  ["an unknown client", /as this API client: it is not stored/, ({ callerFor }) => callerFor({ client_id: "nobody" })],
  ["an inactive user", /it is inactive, or a partner above it is/, ({ callerFor }) => callerFor(aUser().inactive())],
  ["a partner who asks", /nobody who can ask/, ({ callerFor }) => callerFor(aPartner().build() as never)],
  ["nobody who asks", /nobody who can ask/, ({ tokenFor }) => tokenFor(undefined as never)],
  ["a contract that the lender has not", /no contract of this proposal/, ({ lender }) => lender.moves(nowhere, "PAID")],
  ["no answers", /answersQuotes takes answers/, ({ lender }) => Reflect.apply(lender.answersQuotes, undefined, [])],
  ["answers that are none", /answersQuotes takes answers/, ({ lender }) => lender.answersQuotes("NO_BALANCE" as never)],
  ["no deeds", /does takes deeds/, ({ lender }) => Reflect.apply(lender.does, undefined, [])],
  [
    "an unknown outcome",
    /has no such outcome. Use one of PAID, /,
    () => aCustomer().withSandboxOutcome("NOPE" as never)
  ],
  ["no PIX key", /^Invalid PIX key of type CPF: /, () => aPartner().withPix("CPF", "123")],
  [
    "a contract before it is accepted",
    /The contract cannot become PAID/,
    ({ given }) => given(anApplication().moved("PAID"))
  ],
  [
    "a contract that moves back",
    /cannot become AWAITING_SIGNATURE/,
    ({ given }) => given(anApplication().contracted().moved("PAID").moved("AWAITING_SIGNATURE"))
  ],
  [
    "an answer to no quote",
    /The quote cannot be answered/,
    ({ given }) => given(anApplication().quoted().refused("NO_BALANCE"))
  ],
  [
    "an acceptance without a KYC",
    /The offer cannot be accepted: KycIncomplete/,
    ({ given }) => given(anApplication().quoted().accepted())
  ],
  [
    "an acceptance of an offer that there is not",
    /^The latest quote has no offer at index 9\.$/,
    ({ given }) => given(anApplication().quoted().withKyc().accepted(9))
  ],
  [
    "an offer that the policy does not allow",
    /^no lawful offer pays 1 centavos$/,
    ({ given }) => given(anApplication().quoted(centavos(1)))
  ],
  [
    "a KYC too late",
    /The KYC cannot be submitted: KycLocked/,
    ({ given }) => given(anApplication().contracted().moved("PAID").withKyc())
  ]
]

describe("mistakes of a test", () => {
  for (const [what, says, use] of mistakes) {
    it(`${what} is told of in a sentence`, async () => {
      await using world = await openTestLastro()
      const reason = await reasonOf(() => use(world))
      assert.instanceOf(reason, TestMistake)
      assert.match(String(reason), /^TestMistake: /)
      assert.match(reason instanceof Error ? reason.message : "", says)
    })
  }

  it("a clock never goes back, and never on for ever", async () => {
    await using world = await openTestLastro()
    const { advance, now, set } = world.clock
    const past = "2025-01-01T00:00:00.000Z"
    const reasons = await Promise.all([() => set(past), () => advance(-1), () => advance("Infinity")].map(reasonOf))
    for (const reason of reasons) {
      assert.instanceOf(reason, RangeError)
      assert.match(String(reason), /a clock goes on and never back/)
    }
    await set(now())
    await advance(0)
    assert.strictEqual(now(), "2026-01-31T12:00:00.000Z")
  })
})

describe("builders of somebody", () => {
  it("the same builder is the same caller each time, as they stand now", async () => {
    await using world = await openTestLastro()
    const { callerFor, given, lastro, state, tokenFor } = world
    const builders = [aCaller().inGroup("operator"), aUser(), aClient(), aCaller().asClient()]
    await Promise.all(builders.map(async (somebody) => {
      const [first, again, token] = await Promise.all([callerFor(somebody), callerFor(somebody), tokenFor(somebody)])
      assert.deepStrictEqual(first, again)
      assert.deepStrictEqual(Result.getOrThrow(await lastro.callerOfToken(token)), first)
    }))
    assert.deepStrictEqual([state().users.size, state().clients.size, state().partners.size], [2, 2, 4])
    const clerk = aUser()
    const user = await given(clerk)
    assert.strictEqual((await callerFor(clerk)).subject, user.user_id, "who was given already")
    assert.notStrictEqual((await given(clerk)).user_id, user.user_id, "given again it is another record")
    assert.strictEqual((await callerFor(clerk)).subject, user.user_id)
    assert.notStrictEqual((await callerFor(clerk.inGroup("viewer"))).subject, user.user_id, "another builder")
    const admin = await callerFor(aCaller().at(user.partner_id))
    Result.getOrThrow(await lastro.deleteUser(admin, user.user_id))
    assert.nestedPropertyVal(await reasonOf(() => callerFor(clerk)), "cause._tag", "Unauthenticated")
  })

  it("who could not be stored can be once that is mended", async () => {
    await using world = await openTestLastro()
    const root = aPartner({ partner_id: nowhere })
    const clerk = aCaller().at(nowhere)
    assert.instanceOf(await reasonOf(() => world.callerFor(clerk)), TestMistake)
    await world.given(root)
    assert.strictEqual((await world.callerFor(clerk)).partner_id, nowhere)
  })

  it("a caller that was built is stored once", async () => {
    await using world = await openTestLastro()
    const root = await world.given(aPartner())
    const caller = Effect.runSync(aCaller().at(root))
    assert.deepStrictEqual(await world.callerFor(caller), await world.callerFor(caller))
    assert.strictEqual(world.state().users.size, 1)
  })
})
