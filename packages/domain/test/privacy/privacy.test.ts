import { assert, describe, it } from "@effect/vitest"
import {
  anApplication,
  aPartner,
  aUser,
  saveApplication,
  storeChildPartner,
  storeContractedApplication
} from "@lastro/testkit"
import { application, contractedApplication } from "@lastro/testkit/arbitraries"
import { Effect, Option, Result, type Schema } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { recordContractStatus } from "../../../testkit/src/builders/applicationStages.ts"
import { auditItem } from "../../src/audit/AuditItem.ts"
import { type AuditEntry } from "../../src/audit/AuditLog.ts"
import { maskPersonalData } from "../../src/audit/maskPersonalData.ts"
import { fgtsKyc } from "../../src/kyc/FgtsKyc.ts"
import { emptyKyc } from "../../src/kyc/KycValues.ts"
import { type Application } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { erasedExternalId, hasExternalIdLeft } from "../../src/origination/erasedExternalId.ts"
import { customerView, fgtsApplication } from "../../src/origination/FgtsApplication.ts"
import { disclosesKyc } from "../../src/origination/GetKyc.ts"
import { acceptedTerms, isContracted } from "../../src/origination/PublicProposalListItem.ts"
import { auditedFacts } from "../../src/origination/saveDecision.ts"
import { erasePartner, eraseUser } from "../../src/privacy/eraseAccount.ts"
import { eraseApplication, eraseSeller } from "../../src/privacy/eraseApplication.ts"
import { eraseAuditEntry } from "../../src/privacy/eraseAudit.ts"
import { erasePerson, keptAccounts } from "../../src/privacy/ErasePerson.ts"
import { earningPartners, exportPerson } from "../../src/privacy/ExportPerson.ts"
import { PersonalDataStore } from "../../src/privacy/PersonalDataStore.ts"
import { eraseText, personValues, valuesOfCustomer } from "../../src/privacy/personValues.ts"
import { isDeletionDue, isUnsoldDue, judgeErasure, keptUntil } from "../../src/privacy/Retention.ts"
import { saoPauloDate } from "../../src/values/CalendarDate.ts"
import { completeCpf, type Cpf } from "../../src/values/Cpf.ts"
import { type DocumentNumber } from "../../src/values/DocumentNumber.ts"
import { parseExactFilter } from "../../src/values/exactFilter.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { type PixKey } from "../../src/values/Pix.ts"
import { type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"
import { auditEntriesOf, runInMemory, storeTwoTrees } from "../fixtures.ts"

const lastDueDate = (application: Application): string =>
  isContracted(application) ? acceptedTerms(application).installments.at(-1)?.due_date ?? "" : ""

const noonOf = (date: string): Timestamp => timestampOf(Date.parse(`${date}T15:00:00.000Z`))

const later = (application: Application): Timestamp => timestampOf(Date.parse(application.updated_at) + 60_000)

const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsIn)
    : []

describe("retention", () => {
  it.effect("PRIV-01 a paid contract is kept after its last instalment, a refunded one after the refund, any other not", () =>
    Effect.gen(function*() {
      const paid = yield* anApplication().contracted().moved("PAID")
      const due = lastDueDate(paid)
      assert.strictEqual(keptUntil(paid, 5), `${Number(due.slice(0, 4)) + 5}${due.slice(4)}`)
      assert.strictEqual(keptUntil(paid, 0), due)
      const refunded = yield* anApplication().contracted().moved("PAID").moved("REFUNDED")
      const refunded_on = saoPauloDate(refunded.updated_at)
      assert.strictEqual(keptUntil(refunded, 1), `${Number(refunded_on.slice(0, 4)) + 1}${refunded_on.slice(4)}`)
      for (
        const other of [
          anApplication().quoted(),
          anApplication().contracted(),
          anApplication().contracted().moved("REJECTED")
        ]
      ) {
        assert.isNull(keptUntil(yield* other, 5))
      }
    }))

  it.effect("PRIV-02 waits for a contract in progress, keeps a paid one until its last day, and erases every other", () =>
    Effect.gen(function*() {
      const verdictOf = (application: Application, at = later(application)) => judgeErasure(application, at, 0)
      const erase = (isCancelledFirst: boolean) => ({ _tag: "ERASE" as const, isCancelledFirst })
      for (const open of [anApplication(), anApplication().quoted(), anApplication().refused("NO_BALANCE")]) {
        assert.deepStrictEqual(verdictOf(yield* open), erase(true))
      }
      assert.deepStrictEqual(verdictOf(yield* anApplication().contracted()), { _tag: "WAIT", status: "CONTRACTING" })
      assert.deepStrictEqual(verdictOf(yield* anApplication().contracted().moved("PAID").moved("REFUND_PENDING")), {
        _tag: "WAIT",
        status: "REFUNDING"
      })
      assert.deepStrictEqual(verdictOf(yield* anApplication().contracted().moved("REJECTED")), erase(false))
      const paid = yield* anApplication().contracted().moved("PAID")
      const until = keptUntil(paid, 0)
      if (until === null) return assert.fail("a paid contract need not be kept")
      assert.deepStrictEqual(verdictOf(paid, noonOf(until)), { _tag: "KEEP", until })
      const next = timestampOf(Date.parse(noonOf(until)) + 86_400_000)
      assert.deepStrictEqual(verdictOf(paid, next), erase(false))
    }))

  it.effect("PRIV-15 an application is due exactly when the retention has passed, unless it was paid or is in progress", () =>
    Effect.gen(function*() {
      const day = 86_400_000
      const isDue = (application: Application, age: number) =>
        isUnsoldDue(application, timestampOf(Date.parse(application.updated_at) + age), day)
      const unsold = [
        anApplication(),
        anApplication().quoted(),
        anApplication().refused("NO_BALANCE"),
        anApplication().contracted().moved("REJECTED")
      ]
      for (const one of unsold) {
        const application = yield* one
        assert.deepStrictEqual([isDue(application, day - 1), isDue(application, day)], [false, true])
        const erased = eraseApplication(application, application.updated_at, "erased")
        assert.isFalse(isDue(erased, 100 * day))
      }
      const sold = [
        anApplication().contracted(),
        anApplication().contracted().moved("PAID"),
        anApplication().contracted().moved("PAID").moved("REFUND_PENDING"),
        anApplication().contracted().moved("PAID").moved("REFUNDED")
      ]
      for (const one of sold) assert.isFalse(isDue(yield* one, 100_000 * day))
    }))

  it("PRIV-15 no application of a random history is due while its contract is in progress, or once it was paid", () => {
    fc.assert(
      fc.property(fc.oneof(application, contractedApplication), fc.nat({ max: 4_000 }), (application, days) => {
        const wasPaid = application.proposal?.status_history.some(({ status }) => status === "PAID") === true
        const at = timestampOf(Date.parse(application.updated_at) + days * 86_400_000)
        const isBusy = ["CONTRACTING", "REFUNDING"].includes(applicationStatus(application, at))
        assert.strictEqual(isUnsoldDue(application, at, 0), !wasPaid && !isBusy)
      }),
      { numRuns: examples(500) }
    )
  })

  it("PRIV-06 a deletion is due exactly when the retention has passed", () => {
    const [at, next] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"] as const
    const day = 86_400_000
    assert.isTrue(isDeletionDue(at as Timestamp, next as Timestamp, day))
    assert.isFalse(isDeletionDue(at as Timestamp, next as Timestamp, day + 1))
  })

  it.effect("PRIV-11 an existing user or partner is kept, a deleted one is not", () =>
    Effect.gen(function*() {
      const cpf = completeCpf("529982247")
      const user = yield* aUser()
      const partner = { ...yield* aPartner(), document_number: cpf as string as DocumentNumber }
      const payee = yield* aPartner()
      const deleted_at = "2026-01-01T00:00:00.000Z" as Timestamp
      const existing = {
        users: [{ user, deleted_at: null }],
        partners: [partner, payee].map((partner) => ({ partner, deleted_at: null }))
      }
      assert.deepStrictEqual(keptAccounts(existing, cpf), [
        { reason: "USER_EXISTS", id: user.user_id, until: null },
        { reason: "PARTNER_EXISTS", id: partner.partner_id, until: null },
        { reason: "PIX_KEY_IN_USE", id: payee.partner_id, until: null }
      ])
      assert.deepStrictEqual(
        keptAccounts({ users: [{ user, deleted_at }], partners: [{ partner, deleted_at }] }, cpf),
        []
      )
    }))

  it.effect("PRIV-16 commissions are income of the person whose CPF is the partner's document number", () =>
    Effect.gen(function*() {
      const cpf = completeCpf("529982247")
      const partner = { ...yield* aPartner(), document_number: cpf as string as DocumentNumber }
      const payee = { ...yield* aPartner(), pix_key: cpf as string as PixKey }
      const held = [partner, payee].map((partner) => ({ partner, deleted_at: null }))
      assert.deepStrictEqual(earningPartners(held, cpf), [partner.partner_id])
    }))
})

describe("the seller of a contract", () => {
  it.effect("PRIV-08 PRIV-11 is exported and erased with audit entries, and kept and listed while its account exists", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, aAdmin } = yield* storeTwoTrees
      const open = yield* storeContractedApplication(aa)
      const ended = yield* saveApplication(open, recordContractStatus(open, "CANCELLED"))
      if (ended.proposal === null) return assert.fail("no proposal")
      const sellTo = (cpf: Cpf) => {
        const agent = { id: "agent", name: "Bia", cpf }
        const partner = { partner_id: aa.partner_id, document_number: aa.document_number as DocumentNumber }
        return PersonalDataStore.use(({ saveApplication }) =>
          saveApplication({ ...ended, proposal: { ...ended.proposal, origin: { partner, agent } } } as Application)
        )
      }
      const actions = Effect.map(
        auditEntriesOf(ended.application_id),
        (all) => all.map(({ action }) => action).filter((action) => action.startsWith("privacy."))
      )
      yield* sellTo(aAdmin.cpf as Cpf)
      assert.deepStrictEqual((yield* erasePerson(aAdmin.cpf as Cpf)).kept, [
        { reason: "USER_EXISTS", id: aAdmin.user_id, until: null },
        { reason: "SOLD_CONTRACT", id: ended.application_id, until: null }
      ])
      const cpf = completeCpf("529982247")
      yield* sellTo(cpf)
      yield* storeChildPartner(aa, { pix: { type: "CPF", key: cpf as string as PixKey } })
      assert.lengthOf((yield* exportPerson(cpf)).sales, 1)
      assert.deepStrictEqual((yield* erasePerson(cpf)).sales, [ended.application_id])
      assert.deepStrictEqual(yield* actions, ["privacy.export", "privacy.erase"])
    })))
})

describe("erasure", () => {
  it.effect("PRIV-03 PRIV-04 an erased application has no value of the customer, and keeps ids, amounts, times and statuses", () =>
    Effect.gen(function*() {
      for (const built of [anApplication().quoted().withKyc(), anApplication().contracted().moved("PAID")]) {
        const before = { ...yield* built, metadata: { note: "of the consumer" } }
        const at = later(before)
        const after = eraseApplication(before, at, "erased-1")
        const personal = [
          ...textsIn(before.customer),
          ...textsIn({ ...before.kyc, gender: null, civil_status: null, disbursement_method: null, document: null }),
          "of the consumer",
          "192.0.2.1"
        ].filter((text) => text.length > 4)
        assert.isAbove(personal.length, 5)
        const left = textsIn(after)
        for (const text of personal) assert.notInclude(left, text)
        assert.deepStrictEqual(
          [
            after.application_id,
            after.created_at,
            after.quotes,
            after.proposal?.status,
            after.proposal?.status_history
          ],
          [
            before.application_id,
            before.created_at,
            before.quotes,
            before.proposal?.status,
            before.proposal?.status_history
          ]
        )
        assert.deepStrictEqual([after.erased_at, after.updated_at, after.version], [at, at, before.version + 1])
        const nulls = { cpf: null, birth_date: null, name: null, email: null, phone: null }
        assert.deepStrictEqual(customerView(after, "full"), nulls)
        assert.deepStrictEqual(fgtsApplication(after, at, "masked").customer, nulls)
        assert.deepStrictEqual(eraseApplication(after, at, "erased-1").customer, after.customer)
      }
    }))

  it.effect("PRIV-13 equal external ids have equal hashes, which do not contain them", () =>
    runInMemory(Effect.gen(function*() {
      const [one, again, other] = yield* Effect.all(["maria-4711", "maria-4711", "maria-4712"].map(erasedExternalId))
      assert.match(one ?? "", /^erased-/)
      assert.strictEqual(one, again)
      assert.notStrictEqual(one, other)
      assert.notInclude(one, "maria")
    })))

  it.effect("PRIV-14 an external id is left if the application is erased and the id is not a hash", () =>
    runInMemory(Effect.gen(function*() {
      const application = yield* anApplication().quoted()
      const erased = { ...application, erased_at: application.updated_at }
      assert.isFalse(hasExternalIdLeft(application))
      assert.isTrue(hasExternalIdLeft(erased))
      assert.isTrue(hasExternalIdLeft({ ...erased, external_id: "erased-maria" }))
      assert.isFalse(hasExternalIdLeft({ ...erased, external_id: yield* erasedExternalId(erased.external_id) }))
    })))

  it("PRIV-05 a text with a value of the person is erased, whatever its case, accents and punctuation", () => {
    const person = personValues(["11144477735", "Ana Beatriz Lima", "ana.lima@example.com", null, "Ana", "1234567"])
    for (
      const text of [
        "111.444.777-35",
        "loan 11144477735",
        "ANA BEATRÍZ LIMA",
        "ana-beatriz-lima",
        "to: Ana.Lima@Example.com"
      ]
    ) {
      assert.strictEqual(eraseText(text, person), "erased", text)
    }
    for (const text of ["loan-4711", "Ana", "no 1234567", "", "11144477734"]) {
      assert.strictEqual(eraseText(text, person), text)
    }
    assert.strictEqual(eraseText("anything", personValues([])), "anything")
  })

  it.effect("PRIV-05 the birth date, the spouse and the street of the customer are values of the person", () =>
    Effect.gen(function*() {
      const built = yield* anApplication().quoted().withKyc()
      if (built.kyc === null || built.kyc.address === null) return assert.fail("no KYC")
      const kyc = {
        ...built.kyc,
        spouse_name: "Bento Lima",
        address: { ...built.kyc.address, street: "Rua das Flores" }
      }
      const person = valuesOfCustomer({ ...built, kyc })
      const { birth_date } = built.customer
      const dayFirst = birth_date.split("-").toReversed().join("/")
      for (const text of ["spouse: BENTO LIMA", "Rua das Flôres, 12", `born ${birth_date}`, `nascido em ${dayFirst}`]) {
        assert.strictEqual(eraseText(text, person), "erased", text)
      }
    }))

  it.effect("PRIV-07 PRIV-09 an anonymised account keeps ids, place, status and times; a legal entity its name and CNPJ", () =>
    Effect.gen(function*() {
      const user = yield* aUser()
      const { cpf, email, metadata, name, phone, ...kept } = user
      assert.deepStrictEqual(eraseUser(user), { ...kept, cpf: "", email: "", metadata: {}, name: "", phone: "" })
      for (const person_type of ["pf", "pj"] as const) {
        const partner = { ...yield* aPartner(), person_type }
        const erased = erasePartner(partner)
        const isPerson = person_type === "pf"
        assert.deepStrictEqual(erased, {
          ...partner,
          name: isPerson ? "" : partner.name,
          document_number: isPerson ? "" : partner.document_number,
          email: "",
          phone: "",
          pix: null,
          address: null,
          bank_account: null,
          metadata: {}
        })
      }
    }))

  it.effect("PRIV-08 the seller of a contract loses name and CPF, and other sellers keep them", () =>
    Effect.gen(function*() {
      const built = yield* anApplication().contracted()
      assert.strictEqual(eraseSeller(built, completeCpf("111444777")), built)
      const cpf = completeCpf("529982247")
      if (built.proposal === null) return assert.fail("no proposal")
      const partner = { partner_id: built.partner_id, document_number: cpf as string as DocumentNumber }
      const sold = {
        ...built,
        proposal: { ...built.proposal, origin: { partner, agent: { id: "u", name: "Bia", cpf } } }
      }
      assert.deepStrictEqual(eraseSeller(sold, cpf).proposal?.origin, {
        partner: { ...partner, document_number: "" as DocumentNumber },
        agent: { id: "u", name: null, cpf: null }
      })
      assert.deepStrictEqual(eraseSeller(sold, completeCpf("111444777")), sold)
    }))

  it.effect("PRIV-10 an audit entry about an erased record keeps only ids, statuses and codes", () =>
    Effect.gen(function*() {
      const application = yield* anApplication().contracted()
      const facts = { ...auditedFacts(application), cancellation_note: "asked by Ana" }
      const entry: AuditEntry = {
        id: "1",
        at: application.updated_at,
        actor: "user",
        action: "application.accept",
        subject_id: application.application_id,
        partner_id: application.partner_id as PartnerId,
        before: null,
        after: maskPersonalData(facts),
        changed: ["customer.name", "metadata.Ana Lima", "metadata.plan"],
        request_id: "r"
      }
      const erased = eraseAuditEntry(entry)
      assert.deepStrictEqual({ ...erased, after: null }, {
        ...entry,
        after: null,
        changed: ["customer.name", "metadata"]
      })
      const { proposal, quote } = auditedFacts(application)
      assert.deepStrictEqual(erased.after, {
        external_id: null,
        metadata: null,
        customer: null,
        quote: { ...quote as Schema.JsonObject, number: null },
        kyc: null,
        proposal: {
          ...proposal as Schema.JsonObject,
          acceptance: { accepted_at: application.proposal?.acceptance.accepted_at ?? null, ip: null, user_agent: null }
        },
        cancellation_note: null
      })
      assert.deepStrictEqual(eraseAuditEntry(erased), erased)
      // An earlier version stored the note without a mask.
      assert.deepStrictEqual(eraseAuditEntry({ ...entry, after: facts }), erased)
      assert.notInclude(JSON.stringify([entry.after, auditItem({ ...entry, after: facts }).after]), "asked")
    }))

  it.effect("PRIV-12 only a KYC with a value is disclosed", () =>
    Effect.gen(function*() {
      const opened = yield* anApplication()
      assert.isFalse(disclosesKyc(fgtsKyc(opened, emptyKyc)))
      assert.isTrue(disclosesKyc(fgtsKyc(yield* anApplication().quoted().withKyc(), emptyKyc)))
      const erased = eraseApplication(
        yield* anApplication().contracted().moved("REJECTED"),
        opened.updated_at,
        "erased-1"
      )
      assert.isFalse(disclosesKyc(fgtsKyc(erased, emptyKyc)))
    }))
})

describe("filters of the audit", () => {
  it("PAGE-30 are exact, at most 200 characters long, and read a UUID in any letter case", () => {
    const parse = (text: string) => Result.map(parseExactFilter(text), Option.getOrNull)
    const id = "0197F3A2-6C2D-7E4F-9A5B-0C1D2E3F4051"
    assert.deepStrictEqual(parse(id), Result.succeed(id.toLowerCase()))
    assert.deepStrictEqual(parse("host: Zoë"), Result.succeed("host: Zoë"))
    assert.deepStrictEqual(parse(""), Result.succeed(null))
    assert.isTrue(Result.isFailure(parse("a".repeat(201))))
    assert.isTrue(Result.isFailure(parse("a\u0000")))
  })
})
