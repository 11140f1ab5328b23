import { asOperator } from "@lastro/domain/hierarchy"
import { type KycValues } from "@lastro/domain/kyc"
import { type Application } from "@lastro/domain/loan"
import { type ApplicationRepository, KycSuggestions } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { addDays, addMillis, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../../arbitraries/partners.ts"
import { aCompleteKyc, exampleBank } from "../../builders/aCompleteKyc.ts"
import { aCustomer } from "../../builders/aCustomer.ts"
import { answerWithOffers, submitExampleKyc } from "../../builders/applicationStages.ts"
import { exampleInstant } from "../../builders/Fresh.ts"
import { saveApplication, storeApplication, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { moveIfAcyclic, removePartner, storeScopeExamples } from "../suite/storedRecords.ts"

const minutesAfterStart = (minutes: number): Timestamp => addMillis(exampleInstant, minutes * 60_000)

/** Returns a customer with the same CPF and another birth date. */
const anotherBirthDate = (customer: Application["customer"]): Application["customer"] => ({
  ...customer,
  birth_date: addDays(customer.birth_date, 1)
})

const readSuggestion = (application: Application) =>
  Effect.map(
    KycSuggestions.use((suggestions) => suggestions.suggest(asOperator.inScope(application))),
    Option.getOrNull
  )

/** Stores an application of a customer, and submits its KYC `minutes` after {@link exampleInstant}. */
const storeKyc = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  customer: Application["customer"],
  minutes: number,
  fields: Partial<KycValues> = {}
) {
  const application = yield* storeApplication(partner, { customer })
  const kyc = aCompleteKyc(fields).for(customer).build()
  return yield* saveApplication(application, submitExampleKyc(application, { at: minutesAfterStart(minutes), kyc }))
})

/** Contract cases for KycSuggestions. */
export const kycSuggestionsCases: ContractCases<
  ApplicationRepository | KycSuggestions | PartnerRepository | PartnerTree | UnitOfWork
> = (it) => {
  it.forAll(
    "T34 `suggest` returns the newest KYC of the person in the subtree of the application's partner, compared with brute force",
    fc.record({
      shape: forestShape(6),
      rows: fc.array(
        fc.record({
          partner: fc.nat(),
          // Half of the rows belong to one person. The third person has the same CPF and another birth date.
          person: fc.constantFrom(0, 0, 0, 1, 2, 2),
          minutes: fc.nat({ max: 1_000 }),
          submitted: fc.boolean()
        }),
        { minLength: 1, maxLength: 8 }
      )
    }),
    function*({ rows, shape }) {
      const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
      const parents = forestOf(partners)
      const person = yield* aCustomer()
      const people = [person, yield* aCustomer(), anotherBirthDate(person)] as const
      const all: Array<{ readonly application: Application; readonly at: number }> = []
      for (const [index, { minutes, partner, person: which, submitted }] of rows.entries()) {
        const owner = partners[partner % partners.length] as PartnerDetail
        const customer = people[which] ?? person
        // With the index, all submission times differ.
        const at = minutes * 100 + index
        const mother_name = `Mother of ${at}` as KycValues["mother_name"]
        const application = submitted
          ? yield* storeKyc(owner, customer, at, { mother_name })
          : yield* storeApplication(owner, { customer })
        all.push({ application, at })
      }
      for (const { application } of all) {
        const candidates = all.filter(({ application: other }) =>
          other.application_id !== application.application_id && other.kyc !== null &&
          other.customer.cpf === application.customer.cpf &&
          other.customer.birth_date === application.customer.birth_date &&
          isWithin(parents, application.partner_id, other.partner_id)
        )
        const newest = candidates.toSorted((a, b) => b.at - a.at)[0]
        assert.deepStrictEqual(yield* readSuggestion(application), newest?.application.kyc ?? null)
      }
    }
  )

  it("T34 `suggest` ignores applications of siblings, ancestors and other trees", function*() {
    const { scopes } = yield* storeScopeExamples
    for (const { caller: owner, inside, outside } of scopes) {
      const customer = yield* aCustomer()
      for (const partner of outside) yield* storeKyc(partner, customer, 2)
      const application = yield* storeApplication(owner, { customer })
      assert.isNull(yield* readSuggestion(application))
      const { kyc } = yield* storeKyc(inside.at(-1) ?? owner, customer, 1)
      assert.deepStrictEqual(yield* readSuggestion(application), kyc)
    }
  })

  it("KYC-12 `suggest` ignores the KYC of the same CPF with another birth date, even if it is the newest", function*() {
    const root = yield* storeRootPartner()
    const customer = yield* aCustomer()
    const impostor = anotherBirthDate(customer)
    const { kyc } = yield* storeKyc(root, customer, 1)
    assert.isNull(yield* readSuggestion(yield* storeApplication(root, { customer: impostor })))
    yield* storeKyc(root, impostor, 2)
    assert.deepStrictEqual(yield* readSuggestion(yield* storeApplication(root, { customer })), kyc)
  })

  it("`suggest` ignores the application itself and other CPFs", function*() {
    const root = yield* storeRootPartner()
    const application = yield* storeKyc(root, yield* aCustomer(), 1)
    yield* storeKyc(root, yield* aCustomer(), 2)
    assert.isNull(yield* readSuggestion(application))
  })

  it("`suggest` returns the KYC that was submitted last, even if another application changed later", function*() {
    const customer = yield* aCustomer()
    const root = yield* storeRootPartner()
    const busy = yield* storeKyc(root, customer, 1)
    const { kyc } = yield* storeKyc(root, customer, 2, { disbursement_method: "BANK_TRANSFER", bank: exampleBank })
    const offered = yield* saveApplication(busy, yield* answerWithOffers(busy, { at: minutesAfterStart(3) }))
    const application = yield* storeApplication(root, { customer, at: minutesAfterStart(4) })
    assert.deepStrictEqual(yield* readSuggestion(application), kyc)
    const again = submitExampleKyc(offered, {
      at: minutesAfterStart(5),
      kyc: aCompleteKyc({ is_pep: true }).for(customer).build()
    })
    yield* saveApplication(offered, again)
    assert.deepStrictEqual(yield* readSuggestion(application), again.kyc)
  })

  it("`suggest` uses the current parents of moved partners, and includes applications of removed partners", function*() {
    const customer = yield* aCustomer()
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const { kyc } = yield* storeKyc(moved, customer, 1)
    const ofLeft = yield* storeApplication(left, { customer })
    const ofRight = yield* storeApplication(right, { customer })
    yield* moveIfAcyclic(root, moved, right)
    assert.isNull(yield* readSuggestion(ofLeft))
    assert.deepStrictEqual(yield* readSuggestion(ofRight), kyc)
    yield* removePartner({ ...moved, parent_id: right.partner_id })
    assert.deepStrictEqual(yield* readSuggestion(ofRight), kyc)
  })
}
