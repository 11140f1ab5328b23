import {
  type Application,
  type ApplicationRepository,
  asOperator,
  KycSuggestions,
  type KycValues,
  millisOf,
  type PartnerDetail,
  type PartnerRepository,
  type PartnerTree,
  type Timestamp,
  timestampOf,
  type UnitOfWork
} from "@lastro/domain"
import { assert } from "chai"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../../arbitraries/forests.ts"
import { aCompleteKyc, exampleBank } from "../../given/aCompleteKyc.ts"
import { aCustomer } from "../../given/aCustomer.ts"
import { quoted, withKyc } from "../../given/applicationStages.ts"
import { exampleInstant } from "../../given/Fresh.ts"
import { givenApplication, givenForest, givenRoot, saving } from "../../given/storedRecords.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { givenScopes, moveIfAcyclic } from "../hierarchy/storedTree.ts"
import { removePartner } from "../partner/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"

const minutesLater = (minutes: number): Timestamp => timestampOf(millisOf(exampleInstant) + minutes * 60_000)

const suggestedFor = (application: Application) =>
  Effect.gen(function*() {
    const suggested = yield* (yield* KycSuggestions).suggest(asOperator.inScope(application))
    return Option.getOrNull(suggested)
  })

/** Adds an application of a customer to a partner, with a KYC that was submitted so many minutes later. */
const givenKyc = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  customer: Application["customer"],
  minutes: number,
  fields: Partial<KycValues> = {}
) {
  const application = yield* givenApplication(partner, { customer })
  const kyc = aCompleteKyc(fields).for(customer).build()
  return yield* saving(application, withKyc(application, { at: minutesLater(minutes), kyc }))
})

/** The contract of KycSuggestions. */
export const kycSuggestionsCases: ContractCases<
  ApplicationRepository | KycSuggestions | PartnerRepository | PartnerTree | UnitOfWork
> = (it, { runs }) => {
  it(
    "T34 suggests the newest KYC of the CPF at or below the application's own partner, by brute force",
    () =>
      forAll(
        fc.record({
          shape: forestShape(6),
          rows: fc.array(
            fc.record({
              partner: fc.nat(),
              // Two rows in three are of the same person.
              person: fc.constantFrom(0, 0, 1),
              minutes: fc.nat({ max: 1_000 }),
              told: fc.boolean()
            }),
            { minLength: 1, maxLength: 8 }
          )
        }),
        runs,
        Effect.fnUntraced(function*({ rows, shape }) {
          const partners = yield* givenForest<ReadonlyArray<number | null>>(shape)
          const parents = forestOf(partners)
          const people = [yield* aCustomer(), yield* aCustomer()] as const
          const all: Array<{ readonly application: Application; readonly at: number }> = []
          for (const [index, { minutes, partner, person, told }] of rows.entries()) {
            const owner = partners[partner % partners.length] as PartnerDetail
            const customer = person === 0 ? people[0] : people[1]
            // No two at the same instant.
            const at = minutes * 100 + index
            const mother_name = `Mother of ${at}` as KycValues["mother_name"]
            const application = told
              ? yield* givenKyc(owner, customer, at, { mother_name })
              : yield* givenApplication(owner, { customer })
            all.push({ application, at })
          }
          for (const { application } of all) {
            const known = all.filter(({ application: other }) =>
              other.application_id !== application.application_id && other.kyc !== null &&
              other.customer.cpf === application.customer.cpf &&
              isWithin(parents, application.partner_id, other.partner_id)
            )
            const newest = known.toSorted((one, other) => other.at - one.at)[0]
            assert.deepStrictEqual(yield* suggestedFor(application), newest?.application.kyc ?? null)
          }
        })
      ),
    propertyTimeout
  )

  it("T34 suggests nothing of a sibling's, an ancestor's or a stranger's", () =>
    Effect.gen(function*() {
      for (const { caller: own, inside, outside } of (yield* givenScopes).scopes) {
        const customer = yield* aCustomer()
        for (const partner of outside) yield* givenKyc(partner, customer, 2)
        const application = yield* givenApplication(own, { customer })
        assert.isNull(yield* suggestedFor(application))
        const { kyc } = yield* givenKyc(inside.at(-1) ?? own, customer, 1)
        assert.deepStrictEqual(yield* suggestedFor(application), kyc)
      }
    }))

  it("suggests nothing of the application itself, nor of somebody else", () =>
    Effect.gen(function*() {
      const root = yield* givenRoot()
      const application = yield* givenKyc(root, yield* aCustomer(), 1)
      yield* givenKyc(root, yield* aCustomer(), 2)
      assert.isNull(yield* suggestedFor(application))
    }))

  it("the newest is the one that was submitted last, whatever became of its application since", () =>
    Effect.gen(function*() {
      const customer = yield* aCustomer()
      const root = yield* givenRoot()
      const busy = yield* givenKyc(root, customer, 1)
      const { kyc } = yield* givenKyc(root, customer, 2, { disbursement_method: "BANK_TRANSFER", bank: exampleBank })
      const offered = yield* saving(busy, yield* quoted(busy, { at: minutesLater(3) }))
      const application = yield* givenApplication(root, { customer, at: minutesLater(4) })
      assert.deepStrictEqual(yield* suggestedFor(application), kyc)
      const again = withKyc(offered, { at: minutesLater(5), kyc: aCompleteKyc({ is_pep: true }).for(customer).build() })
      yield* saving(offered, again)
      assert.deepStrictEqual(yield* suggestedFor(application), again.kyc)
    }))

  it("whose partner is below follows the moves of partners, and outlives them", () =>
    Effect.gen(function*() {
      const customer = yield* aCustomer()
      const [root, left, right, moved] = yield* givenForest([null, 0, 0, 1])
      const { kyc } = yield* givenKyc(moved, customer, 1)
      const ofLeft = yield* givenApplication(left, { customer })
      const ofRight = yield* givenApplication(right, { customer })
      yield* moveIfAcyclic(root, moved, right)
      assert.isNull(yield* suggestedFor(ofLeft))
      assert.deepStrictEqual(yield* suggestedFor(ofRight), kyc)
      yield* removePartner({ ...moved, parent_id: right.partner_id })
      assert.deepStrictEqual(yield* suggestedFor(ofRight), kyc)
    }))
}
