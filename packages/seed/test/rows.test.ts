import { assert, describe, it } from "@effect/vitest"
import { sandboxDigits, sandboxScenario } from "@lastro/domain/adapters"
import { accrualsOf, clawbacksOf, defaultCommissionSettings, type StoredEntry } from "@lastro/domain/commission"
import { type PasswordHash } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { Customer, emptyKyc, isComplete, KycValues } from "@lastro/domain/kyc"
import { type Application, type FrozenCommission, isPaidOrFinal } from "@lastro/domain/loan"
import { type Quote } from "@lastro/domain/offer"
import { readProposal, type StoredProposal } from "@lastro/domain/origination"
import { PartnerDetail } from "@lastro/domain/partner"
import {
  centavos,
  Cpf,
  Email,
  Name,
  parseCnpj,
  parsePixKey,
  type ProposalId,
  type Timestamp,
  timestampOf,
  Uuid
} from "@lastro/domain/values"
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { postgres } from "../../adapters-sql/test/databases.ts"
import { seed, type SeedOptions } from "../src/index.ts"

const options: SeedOptions = {
  partners: 2_000,
  users: 3_000,
  applications: 2_000,
  seed: 7,
  now: Date.UTC(2026, 10, 28, 15),
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

    it.effect("are in the past, and the last ones were opened on the day before", () =>
      Effect.gen(function*() {
        const ends = [
          "partner.created_at",
          "app_user.created_at",
          "application.updated_at",
          "commission_entry.occurred_at"
        ]
        for (const end of ends) {
          const [table, column] = end.split(".")
          const rows = yield* rowsOf<object>(`select 1 from ${table} where ${column} > now()`)
          assert.deepStrictEqual(rows, [], end)
        }
        // Offers of the last applications can be accepted on the last day. The first application is two years older.
        const [opened] = yield* rowsOf<{ readonly first: string; readonly last: string; readonly live: boolean }>(`
          select min(created_at)::date::text as first, max(created_at)::date::text as last,
            bool_or(live_until >= '2026-11-28T17:00:00Z') as live
          from application`)
        assert.deepStrictEqual(opened, { first: "2024-10-16", last: "2026-11-27", live: true })
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

    it.effect("come to every end, and stay in every status", () =>
      Effect.gen(function*() {
        const all = yield* proposals
        const kycs = (yield* applications).flatMap(({ kyc }) => kyc ?? [])
        assert.isAbove(all.filter(isPaidOrFinal).length, 0.7 * all.length)
        assert.sameMembers([...new Set(all.map(({ status }) => status))], [
          "AWAITING_SIGNATURE",
          "CORRECTION_NEEDED",
          "DISBURSEMENT_FAILED",
          "REFUND_PENDING",
          "PAID",
          "CANCELLED",
          "REJECTED",
          "REFUNDED",
          "SETTLED"
        ])
        assert.isTrue(all.some(({ disbursement_attempt }) => disbursement_attempt > 1))
        assert.isTrue(all.length > 0.3 * options.applications && all.length < 0.7 * options.applications)
        const outcomes = (yield* quotes).map(({ outcome }) => outcome)
        assert.sameMembers([...new Set(outcomes)], ["PENDING", "COMPLETED", "REJECTED", "FAILED"])
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
        for (const { customer: { cpf }, status } of (yield* proposals).filter(isPaidOrFinal)) {
          const last = sandboxScenario(sandboxDigits(cpf)).contract.at(-1)
          assert.strictEqual(status, last === "DISBURSEMENT_FAILED" ? "PAID" : last)
        }
      }))

    it.effect("are refused for a missing authorization more often than for any other reason", () =>
      Effect.gen(function*() {
        const rows = yield* rowsOf<{ readonly code: string; readonly count: bigint }>(`
          select rejection_code as code, count(*) from application where rejection_code is not null
          group by 1 order by 2 desc limit 2`)
        assert.strictEqual(rows[0]?.code, "NO_AUTHORIZATION")
        assert.isAbove(Number(rows[0]?.count), 2 * Number(rows[1]?.count))
      }))

    it.effect("have at most three instalments of 100 to 500 reais since November 2026", () =>
      Effect.gen(function*() {
        const recent = (yield* quotes).filter(({ created_at }) => created_at > "2026-11-02").flatMap(({ offers }) =>
          offers
        )
        assert.isAbove(recent.length, 50)
        for (const { terms: { installments } } of recent) {
          assert.isAtMost(installments.length, 3)
          for (const { amount } of installments) assert.isTrue(amount >= 100_00 && amount <= 500_00)
        }
      }))

    it.effect("COMM-12 COMM-13 have the entries that the domain computes from the frozen commissions", () =>
      Effect.gen(function*() {
        const sold = yield* rowsOf<{
          readonly id: ProposalId
          readonly commission: FrozenCommission
          readonly net_amount: string
          readonly paid_at: Date | null
          readonly reference: string | null
          readonly refunded_at: string | null
        }>(`
          select id, commission, net_amount::text, paid_at, facts ->> 'reference' as reference, (
            select step ->> 'at' from json_array_elements(facts -> 'status_history') step
            where step ->> 'status' = 'REFUNDED'
          ) as refunded_at
          from proposal`)
        const fields = [
          "partner_id",
          "viewers",
          "kind",
          "amount",
          "payable_on",
          "seller_partner_id",
          "happened_on"
        ] as const
        const lineOf = (entry: Pick<StoredEntry, typeof fields[number] | "proposal_id">) =>
          JSON.stringify([entry.proposal_id, ...fields.map((field) => entry[field])])
        const expected = sold.flatMap(({ commission: frozen, id, net_amount, paid_at, reference, refunded_at }) => {
          if (paid_at === null) return []
          const at = timestampOf(paid_at.getTime())
          const contract = {
            proposal_id: id,
            frozen,
            basis_amount: centavos(Number(net_amount)),
            reference,
            paid_amount: null
          }
          const accruals = accrualsOf({ ...contract, paid_at: at, at }, defaultCommissionSettings.hold_ms)
          return [...accruals, ...(refunded_at === null ? [] : clawbacksOf(accruals, refunded_at as Timestamp))]
        })
        const stored = yield* rowsOf<StoredEntry>("select *, amount::int as amount from commission_entry")
        assert.sameMembers(stored.map(lineOf), expected.map(lineOf))
        assert.isAbove(stored.filter(({ kind }) => kind === "CLAWBACK").length, 0)
        assert.isTrue(sold.every(({ commission: { chain } }) => chain.every(({ share }) => share > 0)))
      }))

    it.effect("are closed and paid except those of the last month, and debts are carried over", () =>
      Effect.gen(function*() {
        const open = yield* rowsOf<{ readonly period: string }>(
          "select distinct period from commission_entry where status = 'OPEN'"
        )
        assert.deepStrictEqual(open, [{ period: "2026-11" }])
        const root = "(select id from partner where parent_id is null)"
        const unpaid = yield* rowsOf(`
          select partner_id from commission_entry where status = 'CLOSED' and partner_id <> ${root}
          group by partner_id having sum(amount) > 0`)
        assert.deepStrictEqual(unpaid, [])
        const [paid] = yield* rowsOf<{ readonly payouts: number; readonly wrong: number }>(`
          select count(*)::int as payouts, count(*) filter (
            where amount <= 0 or partner_id = ${root} or viewers[1] <> partner_id or net_amount > amount
          )::int as wrong from commission_payout`)
        assert.isAbove(paid?.payouts ?? 0, 100)
        assert.strictEqual(paid?.wrong, 0)
        const plans = yield* rowsOf("select from commission_plan where parent_id is not null and above[1] = parent_id")
        assert.strictEqual(plans.length, options.partners - 1)
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
