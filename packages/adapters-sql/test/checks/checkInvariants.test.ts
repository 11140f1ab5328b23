import { assert, it } from "@effect/vitest"
import { addMillis } from "@lastro/domain/values"
import {
  aCustomer,
  answerWithOffers,
  recordContractStatus,
  requestAnotherQuote,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest
} from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants, checkLawfulness } from "../../src/index.ts"
import { postgres } from "../databases.ts"

/** The assignment that replaces a member of a JSON column. */
const replaceMember = (column: string, path: string, value: string) =>
  `${column} = jsonb_set(${column}::jsonb, '${path}', '${value}')::json`

it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })("checkInvariants in PostgreSQL", (it) => {
  it.effect("`checkLawfulness` lists contracts that broke a rule of their day, and changes none", () =>
    Effect.gen(function*() {
      const [root] = yield* storeForest([null])
      const customer = yield* aCustomer()
      const first = yield* storeContractedApplication(root, { customer })
      yield* saveApplication(first, recordContractStatus(first, "PAID"))
      assert.deepStrictEqual(yield* checkLawfulness, [])
      const second = yield* storeContractedApplication(root, {
        customer,
        at: addMillis(first.updated_at, 3_600_000)
      })
      const found = yield* checkLawfulness
      assert.deepStrictEqual(found.map(({ examples, invariant }) => [/FGTS-\d+/.exec(invariant)?.[0], ...examples]), [
        ["FGTS-47", second.application_id],
        ["FGTS-61", second.application_id]
      ])
      assert.deepStrictEqual(yield* checkInvariants, [])
    }))

  it.effect.each<readonly [invariant: string, damage: string]>([
    [
      "At most one offer of an application is accepted",
      `alter table proposal drop constraint proposal_application_id_key;
       insert into proposal
       select gen_random_uuid(), application_id, offer_id, 'ABCDEFGHJK', partner_id, root_id, status, cpf,
         customer_folded, external_id, net_amount, created_at, updated_at, list_item, facts, region_id, true
       from proposal where application_id = $application`
    ],
    [
      "Every application and proposal has the root_id",
      "update application set root_id = $child where id = $application"
    ],
    ["Every application and proposal has the root_id", "update proposal set root_id = $child where id = $proposal"],
    ["An application's columns match", "update application set unfinished = false where id = $application"],
    ["An application's columns match", "update application set cpf = '12345678909' where id = $application"],
    ["A quote's columns match", "update quote set outcome = 'FAILED' where application_id = $application"],
    [
      "Quotes are numbered without gaps",
      `update quote set number = 7, ${replaceMember("facts", "{number}", "7")} where application_id = $application`
    ],
    [
      "Quotes are numbered without gaps, and only the latest is pending",
      `update quote set outcome = 'PENDING', ${replaceMember("facts", "{outcome}", "\"PENDING\"")}
       where application_id = $requoted and number = 1`
    ],
    [
      "An accepted offer belongs to the application's latest quote",
      `update quote set ${replaceMember("facts", "{offers}", "[]")} where application_id = $application`
    ],
    [
      "No offer is accepted without a complete KYC",
      `update application set ${replaceMember("kyc", "{address,uf}", "null")} where id = $application`
    ],
    [
      "No offer is accepted without a complete KYC",
      "update application set kyc = null, kyc_at = null where id = $application"
    ],
    [
      "No offer is accepted without a complete KYC",
      `update application set requirements = '{"kyc_fields":["profession"],"disbursement_methods":["PIX"]}' where id = $application`
    ],
    ["A proposal's columns match", "update proposal set status = 'PAID' where id = $proposal"],
    ["A proposal's columns match", "update proposal set net_amount = net_amount + 1 where id = $proposal"],
    [
      "A proposal's columns match",
      "update proposal set updated_at = updated_at + interval '1 ms' where id = $proposal"
    ],
    ["A proposal's columns match", "update proposal set partner_id = $root where id = $proposal"],
    [
      "A proposal's columns match",
      `update proposal set ${replaceMember("list_item", "{loan,net_amount}", "1")} where id = $proposal`
    ]
  ])("finds the broken invariant: %s", ([invariant, damage]) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [root, child] = yield* storeForest([null, 0])
      const accepted = yield* storeContractedApplication(child)
      const contract = yield* saveApplication(accepted, recordContractStatus(accepted, "AWAITING_SIGNATURE"))
      const opened = yield* storeApplication(child)
      const offered = yield* saveApplication(opened, yield* answerWithOffers(opened))
      yield* saveApplication(offered, yield* requestAnotherQuote(offered))
      const ids = {
        $application: contract.application_id,
        $proposal: contract.proposal?.proposal_id ?? "",
        $requoted: opened.application_id,
        $child: child.partner_id,
        $root: root.partner_id
      }
      const statements = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, `'${id}'`), damage)
      yield* Effect.exit(sql.withTransaction(Effect.gen(function*() {
        for (const statement of statements.split(";")) yield* sql.unsafe(statement)
        const findings = yield* checkInvariants
        assert.deepStrictEqual(
          findings.filter((one) => one.invariant.startsWith(invariant)).map(({ count }) => count),
          [1]
        )
        return yield* Effect.die("rolled back")
      }))).pipe(Effect.tap((exit) => Effect.sync(() => assert.include(String(exit), "rolled back"))))
      assert.deepStrictEqual(yield* checkInvariants, [])
    }))

  it.effect("ignores the columns that a newer version has added", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [, child] = yield* storeForest([null, 0])
      yield* storeContractedApplication(child)
      const tables = yield* sql<{ readonly name: string }>`
        select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
      for (const { name } of tables) yield* sql`alter table ${sql(name)} add column of_the_future integer default 1`
      assert.deepStrictEqual(yield* checkInvariants, [])
    }))
})
