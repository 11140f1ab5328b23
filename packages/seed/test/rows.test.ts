import { assert, describe, it } from "@effect/vitest"
import { sandboxDigits, sandboxScenario } from "@lastro/domain/adapters"
import { type PasswordHash } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { Customer, emptyKyc, isComplete, KycValues } from "@lastro/domain/kyc"
import { type Application, isPaidOrFinal } from "@lastro/domain/loan"
import { readProposal, type StoredProposal } from "@lastro/domain/origination"
import { type Quote } from "@lastro/domain/offer"
import { PartnerDetail } from "@lastro/domain/partner"
import { Cpf, Email, Name, parseCnpj, parsePixKey, timestampOf, Uuid } from "@lastro/domain/values"
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { postgres } from "../../adapters-sql/test/databases.ts"
import { seed, type SeedOptions } from "../src/index.ts"

const options: SeedOptions = {
  partners: 2_000,
  users: 3_000,
  applications: 2_000,
  seed: 7,
  passwordHash: "hash" as PasswordHash
}

interface Person {
  readonly id: string
  readonly name: string
  readonly name_folded: string
  readonly email: string
  readonly phone: string
}

type User = Person & Readonly<Record<"cpf" | "email_key" | "status", string>> & {
  readonly must_change_password: boolean
  readonly partner_id: string
}

type Partner = Person & Readonly<Record<"document_number" | "person_type" | "status", string>> & {
  readonly parent_id: string | null
  readonly created_at: Date
}

const distinct = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === values.length

describe("seeded rows", () => {
  it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })((it) => {
    const rowsOf = Effect.fnUntraced(function*<Row extends object>(query: string) {
      const sql = yield* SqlClient.SqlClient
      return yield* sql.unsafe<Row>(query)
    })
    const users = rowsOf<User>("select * from app_user order by created_at, email")
    const partners = rowsOf<Partner>("select * from partner order by created_at")
    const proposals = Effect.map(
      rowsOf<{ readonly facts: StoredProposal }>("select facts from proposal"),
      (rows) => rows.map(({ facts }) => readProposal(facts))
    )
    const quotes = Effect.map(
      rowsOf<{ readonly facts: Quote }>("select facts from quote"),
      (rows) => rows.map(({ facts }) => facts)
    )
    const applications = rowsOf<Pick<Application, "customer" | "kyc" | "partner_id"> & { readonly id: string }>(
      "select id, customer, kyc, partner_id from application"
    )

    it.effect("are inserted", () => Effect.asVoid(seed(options)))

    it.effect("form one tree whose leaves lie on levels 3 to 12", () =>
      Effect.gen(function*() {
        const levels = new Map<string | null, number>([[null, 0]])
        const rows = yield* partners
        for (const { id, parent_id } of rows) levels.set(id, (levels.get(parent_id) ?? Number.NaN) + 1)
        const parents = new Set(rows.map(({ parent_id }) => parent_id))
        const leaves = rows.flatMap(({ id }) => parents.has(id) ? [] : [levels.get(id) ?? 0])
        assert.strictEqual(rows.filter(({ parent_id }) => parent_id === null).length, 1)
        assert.isAtMost(Math.max(...leaves), 12)
        assert.isAtLeast(Math.min(...leaves), 3)
      }))

    it.effect("are in the past, their offers included", () =>
      Effect.gen(function*() {
        const ends = ["partner.created_at", "app_user.created_at", "application.updated_at", "application.live_until"]
        for (const end of ends) {
          const [table, column] = end.split(".")
          const rows = yield* rowsOf<object>(`select 1 from ${table} where ${column} > now()`)
          assert.deepStrictEqual(rows, [], end)
        }
      }))

    it.effect("have a few large branches and many small ones", () =>
      Effect.gen(function*() {
        const rows = yield* rowsOf<{ readonly partners: number }>(`
          select partners from subtree_count join partner on id = partner_id
          where parent_id = (select id from partner where parent_id is null) order by partners desc`)
        assert.isAbove(rows[0]?.partners ?? 0, 2.5 * (rows[Math.floor(rows.length / 2)]?.partners ?? 0))
      }))

    it.effect("have unique ids, addresses, documents and numbers", () =>
      Effect.gen(function*() {
        const kinds = [
          (yield* partners).map(({ id }) => id),
          (yield* users).map(({ id }) => id),
          (yield* applications).map(({ id }) => id),
          (yield* quotes).map(({ quote_id }) => quote_id),
          (yield* quotes).flatMap(({ offers }) => offers.map(({ offer_id }) => offer_id)),
          (yield* proposals).map(({ proposal_id }) => proposal_id)
        ]
        for (const ids of kinds) {
          assert.isTrue(distinct(ids))
          ids.forEach((id) => assert.isTrue(Schema.is(Uuid)(id)))
        }
        assert.isTrue(distinct((yield* users).map(({ email_key }) => email_key)))
        assert.isTrue(distinct((yield* proposals).map(({ number }) => number)))
        assert.isTrue(distinct([
          ...(yield* users).map(({ cpf }) => cpf),
          ...(yield* partners).map(({ document_number }) => document_number)
        ]))
      }))

    it.effect("are valid by the schemas of the domain", () =>
      Effect.gen(function*() {
        for (const { cpf, email, name } of yield* users) {
          assert.isTrue(Schema.is(Cpf)(cpf) && Schema.is(Email)(email) && Schema.is(Name)(name))
        }
        for (const row of yield* partners) {
          assert.strictEqual(Result.isSuccess(parseCnpj(row.document_number)), row.person_type === "pj")
          const detail = { ...row, partner_id: row.id, created_at: timestampOf(row.created_at.getTime()) }
          assert.isTrue(Schema.is(PartnerDetail)(detail))
        }
        for (const { customer, kyc } of yield* applications) {
          assert.isTrue(Schema.is(Customer)(customer))
          assert.isTrue(kyc === null || Schema.is(KycValues)(kyc))
          const { key, type } = kyc?.pix ?? { key: null, type: null }
          if (key !== null && type !== null) assert.strictEqual(Result.getOrThrow(parsePixKey(type, key)), key)
        }
      }))

    it.effect("keep accents, and are folded as the domain folds", () =>
      Effect.gen(function*() {
        const rows = yield* users
        assert.isAbove(rows.filter(({ name }) => /[^\x20-\x7e]/.test(name)).length, rows.length / 5)
        for (const { email, name, name_folded } of [...rows, ...yield* partners]) {
          assert.strictEqual(name, name.normalize("NFC"))
          assert.strictEqual(name_folded, foldText(name))
          assert.match(email, /^[\x20-\x7e]+$/)
        }
      }))

    it.effect("give the root an administrator who can sign in", () =>
      Effect.gen(function*() {
        const [root] = yield* partners
        const [first] = yield* users
        assert.deepStrictEqual([root?.parent_id, root?.status], [null, "active"])
        assert.deepStrictEqual(
          [first?.partner_id, first?.status, first?.must_change_password],
          [root?.id, "ACTIVE", false]
        )
      }))

    it.effect("leave only callers something to do, and come to every end", () =>
      Effect.gen(function*() {
        const all = yield* proposals
        const kycs = (yield* applications).flatMap(({ kyc }) => kyc ?? [])
        assert.isTrue(all.every(isPaidOrFinal))
        assert.sameMembers([...new Set(all.map(({ status }) => status))], [
          "PAID",
          "CANCELLED",
          "REJECTED",
          "REFUNDED",
          "SETTLED"
        ])
        assert.isTrue(all.some(({ disbursement_attempt }) => disbursement_attempt > 1))
        assert.isTrue(all.length > 0.3 * options.applications && all.length < 0.7 * options.applications)
        const outcomes = (yield* quotes).map(({ outcome }) => outcome)
        assert.sameMembers([...new Set(outcomes)], ["COMPLETED", "REJECTED", "FAILED"])
        assert.isAbove((yield* quotes).filter(({ number }) => number > 1).length, options.applications / 20)
        assert.isTrue(kycs.some((kyc) => !isComplete({ ...emptyKyc, ...kyc }, undefined)))
      }))

    it.effect("FGTS-47 pledge each annual withdrawal of a customer at most once", () =>
      Effect.gen(function*() {
        const pledged = yield* rowsOf(`
          select proposal.cpf, left(item ->> 'due_date', 4) as year
          from proposal join quote using (application_id)
          cross join json_array_elements(quote.facts -> 'offers') offer
          cross join json_array_elements(offer -> 'terms' -> 'installments') item
          where offer ->> 'offer_id' = proposal.offer_id::text and status not in ('CANCELLED', 'REJECTED')`)
        const withdrawals = pledged.map((row) => JSON.stringify(row))
        assert.isAbove(withdrawals.length, options.applications / 5)
        assert.strictEqual(new Set(withdrawals).size, withdrawals.length)
        const returning = yield* rowsOf("select cpf from application group by cpf having count(*) > 1")
        assert.isAbove(returning.length, options.applications / 50)
      }))

    it.effect("follow the sandbox scenario of the customer's CPF", () =>
      Effect.gen(function*() {
        for (const { customer: { cpf }, status } of yield* proposals) {
          const last = sandboxScenario(sandboxDigits(cpf)).contract.at(-1)
          assert.strictEqual(status, last === "DISBURSEMENT_FAILED" ? "PAID" : last)
        }
      }))

    it.effect("open each application after its opener was created, at its partner", () =>
      Effect.gen(function*() {
        const rows = yield* rowsOf(`
          select from application join app_user on app_user.id::text = created_by
          where application.created_at >= app_user.created_at and application.partner_id = app_user.partner_id`)
        assert.strictEqual(rows.length, options.applications)
      }))
  })
})
