import { layerSandboxLender } from "@lastro/domain/adapters"
import { CommonPasswords, PasswordHasher, TokenSigner } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { type Lastro, openLastro } from "@lastro/domain/promises"
import { type Cpf } from "@lastro/domain/values"
import { aCompleteKyc, aCustomer, layerMemory, type SandboxOutcome } from "@lastro/testkit"
import { kycBody } from "@lastro/testkit/arbitraries"
import { Context, Effect, Layer, Logger, Redacted, References, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkInvariants, layerPgliteNode } from "../../src/index.ts"
import { readAllRows } from "../database/readAllRows.ts"
import { migratedCache } from "../migratedCache.ts"

const logs: Array<string> = []

const below = Layer.effectContext(
  Effect.map(
    Layer.build(layerMemory),
    Context.pick(CommonPasswords, IdGenerator, PasswordHasher, TokenSigner)
  )
).pipe(
  Layer.merge(layerSandboxLender({ stepMs: 0 })),
  Layer.merge(
    Layer.succeed(SecretGenerator, {
      next: Effect.sync(() => Redacted.make(randomBytes(32).toString("base64url")))
    })
  ),
  Layer.merge(Layer.succeed(References.MinimumLogLevel, "All")),
  Layer.merge(Logger.layer([Logger.map(Logger.formatJson, (line) => {
    logs.push(line)
  })]))
)

type Opened = Lastro<SqlClient.SqlClient>
type Caller = Parameters<Lastro["getApplication"]>[0]

const success = async <A>(answer: Promise<Result.Result<A, unknown>>): Promise<A> => Result.getOrThrow(await answer)

const person = {
  name: "Zenóbia Quaresma Vilhena",
  email: "zenobia.quaresma@example.com",
  phone: "11976543210",
  mother_name: "Hermengarda Quaresma",
  pix: "zenobia.pix@example.com",
  street: "Travessa das Jabuticabeiras"
}

/** Every form in which a value of the person could be stored. */
const needlesOf = (cpf: string): ReadonlyArray<string> => [
  cpf,
  `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`,
  `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`,
  ...Object.values(person),
  "zenobia",
  "quaresma",
  "jabuticabeiras"
]

/** Values of the KYC that are codes, or that the sandbox uses, too. */
const codes = /^(?:[A-Z_]{2,}|\d{1,7}|true|false|[a-z]{1,4})$/

/** Returns the folded words and numbers of all texts in a value. */
const partsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    // Other records have e-mail addresses of the same domain.
    ? value.replace(/@.*/, "").split(/[\s.,;:/()-]+/).filter((part) => part.length > 4 && !codes.test(part)).map(
      foldText
    )
    : typeof value === "object" && value !== null
    ? Object.values(value).flatMap(partsOf)
    : []

/**
 * Stores the job of a quote that the lender answered with PENDING, a callback that came before that answer, and one
 * whose key is the id of the quote and that no quote has claimed. All contain the CPF.
 */
const storePending = Effect.fnUntraced(function*(quote_id: string, cpf: Cpf) {
  const sql = yield* SqlClient.SqlClient
  const callback_key = `key-${quote_id}`
  const lender_state = `state of ${cpf}`
  yield* sql`insert into job ${
    sql.insert({ kind: "quote", id: quote_id, run_at: new Date("2999-01-01"), callback_key, lender_state })
  }`
  yield* sql`insert into lender_callback ${sql.insert({ callback_key, quote_id, lender_state, called_at: new Date() })}`
  yield* sql`insert into lender_callback ${
    sql.insert({ callback_key: quote_id, quote_id: null, lender_state, called_at: new Date() })
  }`
})

/** Counts the stored answers about records, and the jobs and callbacks of a quote. */
const tracesOf = Effect.fnUntraced(function*(record_ids: ReadonlyArray<string>, quote_id: string) {
  const sql = yield* SqlClient.SqlClient
  const answers = yield* sql`select from idempotency where record_id = any(${record_ids}::text[])`
  const jobs = yield* sql`select from job where kind = 'quote' and id = ${quote_id}`
  const callbacks = yield* sql`select from lender_callback where quote_id = ${quote_id}`
  return [answers.length, jobs.length, callbacks.length]
})

describe("the erasure of a person", () => {
  let lastro: Opened
  let caller: Caller

  beforeAll(async () => {
    const cacheFolder = await Effect.runPromise(migratedCache)
    const node = layerPgliteNode({ dataDir: "memory", cacheFolder })
    lastro = await openLastro(Layer.provideMerge(node, below))
    await success(lastro.bootstrap({ client_id: "erp" }))
    caller = await success(lastro.callerOfClient("erp"))
  }, 60_000)
  afterAll(() => lastro.close())

  const cpfWith = async (outcome: SandboxOutcome): Promise<Cpf> =>
    (await success(lastro.run(aCustomer().withSandboxOutcome(outcome)))).cpf

  const customerOf = async (cpf: Cpf) => {
    const { email, name, phone } = person
    return success(lastro.run(aCustomer({ cpf, name, email, phone })))
  }

  const awaitChange = async (id: string, status: string): Promise<string> => {
    const { status: known } = await success(lastro.getApplicationStatus(caller, id))
    if (known.status !== status) return known.status
    await success(lastro.getApplicationStatus(caller, id, { wait: 10, known }))
    return awaitChange(id, status)
  }

  const quoted = async (cpf: Cpf, external_id: string) => {
    const customer = await customerOf(cpf)
    const body = { external_id, customer, metadata: { nickname: person.name } }
    const { application_id } = await success(
      lastro.createApplication(caller, body, { idempotency_key: `create-${external_id}` })
    )
    assert.strictEqual(await awaitChange(application_id, "QUOTING"), "QUOTED")
    return { application_id, customer }
  }

  const contracted = async (cpf: Cpf, external_id: string) => {
    const { application_id, customer } = await quoted(cpf, external_id)
    const { email, mother_name, phone, pix } = person
    const kyc = aCompleteKyc({
      email: email as never,
      phone: phone as never,
      mother_name: mother_name as never,
      pix: { type: "EMAIL", key: pix }
    }).for(customer).build()
    const body = kycBody({ ...kyc, address: kyc.address === null ? null : { ...kyc.address, street: person.street } })
    await success(lastro.submitKyc(caller, application_id, body, { idempotency_key: `kyc-${external_id}` }))
    await success(lastro.getKyc(caller, application_id))
    const { quote } = await success(lastro.getApplication(caller, application_id))
    const acceptance = { terms_accepted: true, ip: "203.0.113.77", user_agent: "Example/1.0" }
    await success(lastro.acceptOffer(caller, application_id, quote.offers[0]?.offer_id ?? "", acceptance))
    return application_id
  }

  const deletedUser = async (cpf: Cpf) => {
    const groups = await success(lastro.listGroups(caller))
    const { email, name, phone } = person
    const body = { name, email, phone, cpf, group_id: groups[0]?.group_id }
    const { user_id } = await success(lastro.createUser(caller, body, { idempotency_key: "user" }))
    await lastro.issueToken({ grant_type: "password", username: email, password: "not the password" })
    return user_id
  }

  const allRows = () => success(lastro.run(readAllRows))

  it("leaves no value of the person in any table, and everything else stays consistent", async () => {
    const cpf = await cpfWith("KYC_REJECTED")
    const formatted = needlesOf(cpf)[1] ?? ""
    const reference = "zenobia-quaresma-4711"
    const ended = await contracted(cpf, reference)
    assert.strictEqual(await awaitChange(ended, "CONTRACTING"), "CANCELLED")
    const open = (await quoted(cpf, `ref-${formatted}`)).application_id
    const user_id = await deletedUser(cpf)
    const { email, name, phone } = person
    const { partner_id } = await success(
      lastro.createPartner(
        caller,
        { partner: { type: "pf", name, email, phone, document_number: cpf }, pix: { type: "CPF", key: cpf } },
        { idempotency_key: "partner" }
      )
    )
    const noted = (await quoted(cpf, "noted")).application_id
    await success(
      lastro.cancelApplication(caller, noted, { reason: "CUSTOMER_REQUEST", note: `${name} called` }, {
        request_id: "Zenobia.Quaresma.1990-05-17"
      })
    )
    const kyc = await success(lastro.getKyc(caller, ended))
    const personal = new Set([...partsOf(kyc), ...partsOf(person), "zenobia.quaresma.1990"])
    const { quote: { quote_id } } = await success(lastro.getApplication(caller, open))
    await success(lastro.run(storePending(quote_id, cpf)))
    assert.deepStrictEqual(await success(lastro.run(tracesOf([ended, open], quote_id))), [3, 1, 1])
    const before = await allRows()
    for (const needle of [cpf, ...Object.values(person)]) assert.include(before, needle)

    const existing = await success(lastro.erasePerson(formatted))
    assert.deepStrictEqual(existing.kept, [
      { reason: "USER_EXISTS", id: user_id, until: null },
      { reason: "PARTNER_EXISTS", id: partner_id, until: null }
    ])
    assert.deepStrictEqual([existing.cancelled, existing.applications.length], [[open], 3])
    assert.deepStrictEqual(await success(lastro.run(tracesOf([ended, open], quote_id))), [0, 0, 0])
    await success(lastro.deleteUser(caller, user_id))
    await success(lastro.deletePartner(caller, partner_id))
    const erasure = await success(lastro.erasePerson(cpf))
    assert.deepStrictEqual(erasure, {
      cancelled: [],
      applications: [],
      users: [user_id],
      partners: [partner_id],
      sales: [],
      kept: []
    })

    const after = foldText(await allRows())
    assert.isAbove(personal.size, 12)
    for (const needle of [...needlesOf(cpf).map(foldText), ...personal, foldText(reference)]) {
      assert.notInclude(after, needle)
      assert.notInclude(foldText(logs.join("\n")), needle)
    }
    assert.notInclude(after, "203.0.113.77")
    assert.deepStrictEqual(await success(lastro.run(checkInvariants)), [])

    const nothing = { cancelled: [], applications: [], users: [], partners: [], sales: [], kept: [] }
    assert.deepStrictEqual(await success(lastro.erasePerson(cpf)), nothing)
    const held = await success(lastro.exportPerson(cpf))
    assert.deepStrictEqual([held.applications, held.users, held.partners, held.audit], [[], [], [], []])

    const read = await success(lastro.getApplication(caller, ended))
    assert.strictEqual(read.status, "CANCELLED")
    assert.deepStrictEqual(read.customer, { cpf: null, birth_date: null, name: null, email: null, phone: null })
    const proposal = await success(lastro.getProposal(caller, read.proposal_id ?? ""))
    assert.deepStrictEqual(proposal.customer, { name: null, cpf: null })
    assert.deepStrictEqual([proposal.disbursement.pix_key, proposal.acceptance.ip], [null, null])
    assert.isNull((await success(lastro.getKyc(caller, ended))).cpf)
    assert.match((await success(lastro.getApplication(caller, open))).external_id, /^erased-/)
    for (const items of [await success(lastro.listApplications(caller)), await success(lastro.listProposals(caller))]) {
      for (const { customer } of items.content) assert.deepStrictEqual(customer, { name: null, cpf: null })
    }
    const search = { external_id: reference }
    const [found] = (await success(lastro.searchApplications(caller, search))).data
    assert.strictEqual(found?.application_id, ended)
    assert.match(found?.external_id ?? "", /^erased-/)
    const listed = await success(lastro.listApplications(caller, { ...search, page: 0 }))
    assert.deepStrictEqual(listed.content.map(({ application_id }) => application_id), [ended])
    const contracts = await success(lastro.listProposals(caller, search))
    assert.deepStrictEqual(contracts.content.map(({ external_id }) => external_id), [found?.external_id])
    const audit = await success(lastro.listAudit(caller, { subject_id: ended, size: 100 }))
    assert.include(audit.content.map(({ action }) => action), "privacy.erase")
    assert.include(audit.content.map(({ action }) => action), "application.kyc_read")
    for (const { after, before } of audit.content) assert.notInclude(JSON.stringify([before, after]), "***")
    assert.notStrictEqual((await quoted(cpf, reference)).application_id, ended, "the key of an erased record is free")
  }, 60_000)

  it("PRIV-01 PRIV-02 keeps a paid contract, and refuses while a contract is in progress", async () => {
    const paid = await cpfWith("PAID")
    const kept = await contracted(paid, "loan-2")
    assert.strictEqual(await awaitChange(kept, "CONTRACTING"), "CONTRACTED")
    const erasure = await success(lastro.erasePerson(paid, { retention_years: 5 }))
    assert.deepStrictEqual([erasure.applications, erasure.kept.map(({ id, reason }) => [id, reason])], [
      [],
      [[kept, "PAID_CONTRACT"]]
    ])
    const held = await success(lastro.exportPerson(paid))
    assert.strictEqual(held.applications[0]?.kyc?.mother_name, person.mother_name)
    assert.include(JSON.stringify(held), person.pix)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(held)), held)
    const exports = await success(lastro.listAudit(caller, { action: "privacy.export" }))
    assert.deepStrictEqual(exports.content.map(({ actor, subject }) => [actor, subject]), [["operator", kept]])

    const failing = await cpfWith("DISBURSEMENT_FAILED")
    const stuck = await contracted(failing, "loan-3")
    const before = await success(lastro.getApplication(caller, stuck))
    assert.strictEqual(before.status, "CONTRACTING")
    const refused = await lastro.erasePerson(failing)
    assert.isTrue(Result.isFailure(refused))
    if (Result.isFailure(refused) && refused.failure._tag === "ErasureTooEarly") {
      assert.deepStrictEqual(refused.failure.applications, [{ application_id: stuck, status: "CONTRACTING" }])
    } else assert.fail("not refused with ErasureTooEarly")
    assert.strictEqual((await success(lastro.getApplication(caller, stuck))).customer.cpf, failing)
  }, 60_000)

  it("PRIV-06 anonymises deleted users in the background once the retention has passed", async () => {
    const { cpf } = await success(lastro.run(aCustomer()))
    const user_id = await deletedUser(cpf)
    await success(lastro.deleteUser(caller, user_id))
    assert.strictEqual(await success(lastro.anonymiseDeleted()), 0)
    assert.include(await allRows(), cpf)
    assert.strictEqual(await success(lastro.anonymiseDeleted(0)), 1)
    assert.notInclude(await allRows(), cpf)
    assert.strictEqual(await success(lastro.anonymiseDeleted(0)), 0)
    const { content } = await success(lastro.listAudit(caller, { subject_id: user_id, sort: "at,asc" }))
    assert.deepStrictEqual(content.map(({ action }) => action), ["user.create", "user.delete", "privacy.anonymise"])
  }, 60_000)
})
