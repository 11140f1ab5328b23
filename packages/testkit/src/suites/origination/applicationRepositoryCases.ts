import { asOperator } from "@lastro/domain/hierarchy"
import { basicRequirements, type KycRequirements } from "@lastro/domain/kyc"
import { evolve, latestQuote, type LoanEvent, partsOf } from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { addMillis, type ApplicationId, type Metadata, type ProposalId, type QuoteId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { history } from "../../arbitraries/histories.ts"
import { aCustomer } from "../../builders/aCustomer.ts"
import { anApplication } from "../../builders/anApplication.ts"
import { exampleMetadata } from "../../builders/aPartner.ts"
import { answerWithOffers, requestAnotherQuote, submitExampleKyc } from "../../builders/applicationStages.ts"
import { freshHistory, freshId } from "../../builders/Fresh.ts"
import {
  insertApplication,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { decomposedText, listQuery, scopeOfPartner } from "../suite/queries.ts"
import { findApplicationForUpdate, incrementVersion, readApplication } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

type Ports = ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork

/** Contract cases for ApplicationRepository, except those about scopes, searches and polling. */
export const applicationRepositoryCases: ContractCases<Ports> = (it) => {
  it.forAll(
    "`find`, `findForUpdate`, `ofQuote` and `ofProposal` return every state of random histories as saved",
    history(),
    function*(example) {
      const applications = yield* ApplicationRepository
      const partner = yield* storeRootPartner()
      const { opening: { _tag, partner_id: _, ...opening }, steps } = yield* freshHistory(
        example,
        partner.partner_id
      )
      let state = yield* storeApplication(partner, opening)
      assert.deepStrictEqual(yield* readApplication(partner, state), state)
      for (const { after } of steps) {
        state = yield* saveApplication(state, after)
        assert.deepStrictEqual(yield* readApplication(partner, state), state)
      }
      assert.deepStrictEqual((yield* findApplicationForUpdate(partner, state)).record, state)
      for (const { quote_id } of state.quotes) {
        assert.deepStrictEqual(yield* applications.ofQuote(quote_id), Option.some(state))
      }
      if (state.proposal === null) return
      assert.deepStrictEqual(yield* applications.ofProposal(state.proposal.proposal_id), Option.some(state))
    }
  )

  it("QUOTE-15 `find` and `findForUpdate` return a quote of several lenders as saved, with a postponed lender", function*() {
    const partner = yield* storeRootPartner()
    const application = yield* storeApplication(partner)
    const at = application.updated_at
    const lenders = ["a", "b"].map((code) => ({ lender: { code, label: code }, requirements: basicRequirements }))
    const routing = { strategy: "ALL", patience_ms: 15_000 } as const
    const quote_id = (yield* freshId) as QuoteId
    const events: ReadonlyArray<LoanEvent> = [
      { _tag: "QuoteRequested", at, quote_id, wish: latestQuote(application).wish, lenders, routing },
      { _tag: "LenderPostponed", at, lender: "a", until: addMillis(at, 60_000) },
      { _tag: "LenderFailed", at, lender: "b", rejection: rejectionReason("UPSTREAM_UNAVAILABLE", "Sem resposta.") }
    ]
    const saved = yield* saveApplication(application, events.reduce(evolve, application))
    assert.strictEqual(partsOf(latestQuote(saved))[0]?.postponed_until, addMillis(at, 60_000))
    assert.deepStrictEqual(yield* readApplication(partner, application), saved)
    assert.deepStrictEqual((yield* findApplicationForUpdate(partner, application)).record, saved)
  })

  it("META-07 `saveMetadata` replaces the metadata and changes no other field, and `save` keeps it", function*() {
    const applications = yield* ApplicationRepository
    const root = yield* storeRootPartner()
    const application = yield* storeApplication(root, { metadata: { plan: "gold" } })
    const saveMetadata = (metadata: Metadata) => applications.saveMetadata(asOperator.inScope(application), metadata)
    yield* saveMetadata(exampleMetadata)
    assert.deepStrictEqual(yield* readApplication(root, application), { ...application, metadata: exampleMetadata })
    const after = yield* saveApplication(application, yield* answerWithOffers(application))
    const { items } = yield* applications.list(scopeOfPartner(root), { ...listQuery({}), at: application.created_at })
    assert.deepStrictEqual(items.map(({ metadata }) => metadata), [exampleMetadata])
    yield* saveMetadata({})
    assert.deepStrictEqual(yield* readApplication(root, application), { ...after, metadata: {} })
  })

  it("`ofId` returns an application of any partner, and nothing for an unknown id", function*() {
    const applications = yield* ApplicationRepository
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    assert.deepStrictEqual(Option.getOrNull(yield* applications.ofId(contract.application_id)), contract)
    assert.isTrue(Option.isNone(yield* applications.ofId((yield* freshId) as ApplicationId)))
  })

  it("`ofQuote` and `ofProposal` return nothing for an unknown id", function*() {
    const applications = yield* ApplicationRepository
    const root = yield* storeRootPartner()
    yield* storeContractedApplication(root)
    const unknown = yield* freshId
    assert.isTrue(Option.isNone(yield* applications.ofQuote(unknown as QuoteId)))
    assert.isTrue(Option.isNone(yield* applications.ofProposal(unknown as ProposalId)))
  })

  it("`insert` and `save` store text character for character, without normalizing it", function*() {
    const partner = yield* storeRootPartner()
    const customer = { ...(yield* aCustomer()), name: decomposedText }
    const application = {
      ...(yield* anApplication().of(partner)),
      external_id: `${decomposedText} ${yield* freshId}`,
      customer
    }
    yield* insertApplication(application)
    assert.deepStrictEqual(yield* readApplication(partner, application), application)
    const answered = yield* saveApplication(application, yield* answerWithOffers(application))
    assert.deepStrictEqual(yield* readApplication(partner, application), answered)
  })

  it("`findForUpdate` locks the application until the transaction ends, so that no update is lost", function*() {
    const root = yield* storeRootPartner()
    const application = yield* storeApplication(root)
    const add = atomically(incrementVersion(root, application))
    yield* repeatInParallel(8, add)
    assert.deepStrictEqual(yield* readApplication(root, application), { ...application, version: 9 })
  })

  it("`insert` and `save` roll back with the surrounding transaction", function*() {
    const applications = yield* ApplicationRepository
    const root = yield* storeRootPartner()
    const kept = yield* storeApplication(root)
    const added = yield* anApplication().of(root)
    yield* rollBack(Effect.gen(function*() {
      yield* applications.insert(asOperator.inScope(root.partner_id), added)
      const after = yield* saveApplication(kept, yield* answerWithOffers(kept))
      assert.deepStrictEqual(yield* readApplication(root, added), added)
      assert.deepStrictEqual(yield* readApplication(root, kept), after)
    }))
    assert.strictEqual(yield* readApplication(root, added), "NotFound")
    assert.deepStrictEqual(yield* readApplication(root, kept), kept)
  })

  it("`insert` stores the application under its partner, and changes no other application", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const others = [yield* storeApplication(root), yield* storeContractedApplication(child)]
    const application = yield* storeApplication(child)
    for (const stored of [...others, application]) {
      assert.deepStrictEqual(yield* readApplication(root, stored), stored)
    }
  })

  it("FGTS-49 `insert` and `save` store the lender's requirements, and additional KYC fields with them", function*() {
    const root = yield* storeRootPartner()
    const first: KycRequirements = { kyc_fields: ["documents", "monthly_income"], disbursement_methods: ["PIX"] }
    const opened = yield* storeApplication(root, { requirements: first })
    assert.deepStrictEqual(yield* readApplication(root, opened), { ...opened, requirements: first })
    const submitted = yield* saveApplication(opened, submitExampleKyc(yield* answerWithOffers(opened)))
    assert.deepStrictEqual(yield* readApplication(root, opened), submitted)
    assert.strictEqual(submitted.kyc?.monthly_income, 3_500.5)
    const requirements: KycRequirements = { kyc_fields: [], disbursement_methods: ["PIX", "BANK_TRANSFER"] }
    const again = { ...yield* requestAnotherQuote(submitted), requirements }
    yield* saveApplication(submitted, again)
    assert.deepStrictEqual(yield* readApplication(root, opened), again)
  })

  it("FGTS-49 an application has the basic requirements of every lender until others are saved", function*() {
    const root = yield* storeRootPartner()
    const old = yield* storeApplication(root)
    assert.deepStrictEqual(yield* readApplication(root, old), { ...old, requirements: basicRequirements })
    const requirements: KycRequirements = { kyc_fields: ["profession"], disbursement_methods: ["PIX"] }
    const again = { ...yield* requestAnotherQuote(yield* answerWithOffers(old)), requirements }
    yield* saveApplication(old, again)
    assert.deepStrictEqual(yield* readApplication(root, old), again)
  })

  it("`save` changes only the quotes, KYC, requirements, proposal, cancellation, updated_at and version of this application", function*() {
    const applications = yield* ApplicationRepository
    const [root, child] = yield* storeForest([null, 0])
    const customer = yield* aCustomer()
    const pending = yield* storeApplication(root, { customer })
    const twin = yield* storeApplication(root, { customer, external_id: pending.external_id })
    const before = yield* saveApplication(pending, yield* answerWithOffers(pending))
    const { kyc, quotes, updated_at, version } = submitExampleKyc(yield* requestAnotherQuote(before))
    const stranger = yield* anApplication({ at: "2024-02-29T23:59:59.987Z" }).of(child)
    const requirements: KycRequirements = { kyc_fields: ["profession"], disbursement_methods: ["PIX"] }
    const rejection = rejectionReason("CANCELLED_BY_PARTNER", "Duplicada.")
    const cancellation = { reason: "DUPLICATE", at: updated_at, rejection } as const
    const changed = { kyc, quotes, requirements, cancellation, updated_at, version }
    const after = { ...stranger, application_id: before.application_id, ...changed }
    yield* applications.save(asOperator.inScope(before), after)
    assert.deepStrictEqual(yield* readApplication(root, before), { ...before, ...changed })
    assert.deepStrictEqual(yield* readApplication(root, twin), twin)
  })

  it("`versions` returns the current version of each existing application", function*() {
    const applications = yield* ApplicationRepository
    const root = yield* storeRootPartner()
    const pending = yield* storeApplication(root)
    const contracted = yield* storeContractedApplication(root)
    yield* storeApplication(root)
    const unknown = (yield* freshId) as ApplicationId
    const expected = new Map([pending, contracted].map(({ application_id, version }) => [application_id, version]))
    assert.deepStrictEqual(new Map(yield* applications.versions([...expected.keys(), unknown])), expected)
    assert.strictEqual((yield* applications.versions([])).size, 0)
    assert.isAbove(contracted.version, 1)
  })

  it("`versions` accepts thousands of ids", function*() {
    const applications = yield* ApplicationRepository
    const application = yield* storeApplication(yield* storeRootPartner())
    const unknown = (yield* Effect.replicateEffect(freshId, 2_000)).map((id) => id as ApplicationId)
    const versions = yield* applications.versions([...unknown, application.application_id])
    assert.deepStrictEqual(new Map(versions), new Map([[application.application_id, 1]]))
  })
}
