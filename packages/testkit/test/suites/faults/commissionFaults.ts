import {
  CommissionLedger,
  CommissionPlans,
  CommissionSettlement,
  CommissionStatements,
  HostContracts,
  type StoredEntry
} from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { calendarDate, centavos, type PartnerId } from "@lastro/domain/values"
import {
  commissionLedgerSuite,
  commissionPlansSuite,
  commissionSettlementSuite,
  commissionStatementsSuite,
  hostContractsSuite
} from "@lastro/testkit/suites"
import { Effect, Option, Stream } from "effect"
import { type Database, type Fault, faultOf, faultOfLayer, noUnits } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

const plans = faultOf("CommissionPlans", CommissionPlans, commissionPlansSuite)
const ledger = faultOf("CommissionLedger", CommissionLedger, commissionLedgerSuite)
const settlement = faultOf("CommissionSettlement", CommissionSettlement, commissionSettlementSuite)
const statements = faultOf("CommissionStatements", CommissionStatements, commissionStatementsSuite)
const contracts = faultOf("HostContracts", HostContracts, hostContractsSuite)

/** Writes that do not join the surrounding transaction. */
const rollbackFaults = [
  faultOfLayer("CommissionPlans: writes survive a rollback", /roll back/, commissionPlansSuite, noUnits),
  faultOfLayer("CommissionLedger: writes survive a rollback", /roll back/, commissionLedgerSuite, noUnits),
  faultOfLayer("CommissionSettlement: writes survive a rollback", /roll back/, commissionSettlementSuite, noUnits),
  faultOfLayer("CommissionStatements: writes survive a rollback", /roll back/, commissionStatementsSuite, noUnits),
  faultOfLayer("HostContracts: writes survive a rollback", /roll back/, hostContractsSuite, noUnits)
]

const withEntries = (
  { update }: Database,
  change: (entry: StoredEntry) => StoredEntry
): Effect.Effect<void> => update((now) => ({ ...now, entries: now.entries.map(change) }))

const planFaults: ReadonlyArray<Fault> = [
  plans("insert forgets the present place", /`insert` stores a plan|after a move/, ({ insert }, { update }) => ({
    insert: (partner, plan) =>
      Effect.andThen(
        insert(partner, plan),
        update((now) => ({ ...now, plans: now.plans.map((one) => ({ ...one, moves: 0, above: [] })) }))
      )
  })),
  plans("insert replaces a plan with the same first day", /`list` returns the plans|stores a plan/, (
    { insert },
    { update }
  ) => ({
    insert: (partner, plan) =>
      Effect.andThen(
        update((now) => ({
          ...now,
          plans: now.plans.filter(({ partner_id, valid_from }) =>
            partner_id !== partner.record || valid_from !== plan.valid_from
          )
        })),
        insert(partner, plan)
      )
  })),
  plans("list counts one too many", /`list` returns the plans/, ({ list }) => ({
    list: (partner, query, budget) =>
      Effect.map(list(partner, query, budget), (slice) => ({ ...slice, total: slice.total + 1 }))
  })),
  plans("list ignores its budget", /`list` returns the plans/, ({ list }) => ({
    list: (partner, query) => list(partner, query)
  })),
  plans("list ignores the cursor", /a walk/, ({ list }) => ({
    list: (partner, { after, ...query }, budget) =>
      list(partner, after === undefined ? query : { ...query, after: null }, budget)
  })),
  plans("chain starts with the seller", /`chain` returns the partners/, ({ chain }) => ({
    chain: (partner, on) => Effect.map(chain(partner, on), (links) => links.toReversed())
  })),
  plans("chain returns the partner itself if it is unknown", /none for an unknown/, ({ chain }) => ({
    chain: (partner, on) =>
      Effect.map(
        chain(partner, on),
        (links) => links.length > 0 ? links : [{ partner_id: partner, moves: 0, plan: null }]
      )
  })),
  plans("chain leaves out deleted partners", /keeps deleted partners/, ({ chain }, { state }) => ({
    chain: (partner, on) =>
      Effect.flatMap(
        chain(partner, on),
        (links) =>
          Effect.map(
            state,
            (now) => links.filter(({ partner_id }) => now.partners.get(partner_id)?.deleted_at === null)
          )
      )
  })),
  plans("chain ignores the day", /COMM-08 a plan counts until/, ({ chain }) => ({
    chain: (partner) => chain(partner, calendarDate("2199-12-31"))
  }))
]

const ledgerFaults: ReadonlyArray<Fault> = [
  ledger("append forgets the reference", /`append` stores every field/, ({ append }) => ({
    append: (entries) => append(entries.map((entry) => ({ ...entry, reference: null })))
  })),
  ledger("append stores a second CLAWBACK", /leaves out a second/, (_, { update }) => ({
    append: (entries) => update((now) => ({ ...now, entries: [...now.entries, ...entries] }))
  })),
  ledger("append leaves out a second ADJUSTMENT", /no ADJUSTMENT/, ({ append }, { state }) => ({
    append: (entries) =>
      Effect.flatMap(state, (now) =>
        append(entries.filter((one) =>
          one.kind !== "ADJUSTMENT" ||
          !now.entries.some(({ kind, proposal_id }) => kind === one.kind && proposal_id === one.proposal_id)
        )))
  })),
  ledger("accruals returns CLAWBACKs, too", /`accruals` returns/, (_, { state }) => ({
    accruals: (id) => Effect.map(state, ({ entries }) => entries.filter(({ proposal_id }) => proposal_id === id))
  })),
  ledger("findContract finds nothing", /`findContract` returns/, () => ({ findContract: () => Effect.succeedNone })),
  ledger("findContract treats every partner as in scope", /`findContract` returns/, ({ findContract }, { state }) => ({
    findContract: (scope, id) =>
      Effect.flatMap(state, ({ applications }) => {
        const found = Array.from(applications.values()).find(({ application }) =>
          application.proposal?.proposal_id === id
        )
        return findContract(found === undefined ? scope : asOperator.scope(found.application.partner_id), id)
      })
  })),
  ledger("closedPeriods ignores the first month", /`closedPeriods` returns/, ({ closedPeriods }) => ({
    closedPeriods: (partners) => closedPeriods(partners, "1900-01" as Parameters<typeof closedPeriods>[1])
  })),
  ledger("list returns entries of the parent", /as a viewer/, ({ list }, database) => ({
    list: (scope, query, budget) =>
      Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query, budget))
  })),
  ledger("list ignores the filter by status", /match all filters/, ({ list }) => ({
    list: (scope, { filters: { status: _, ...filters }, ...query }, budget) =>
      list(scope, { ...query, filters }, budget)
  })),
  ledger("list reads a subtree as the partner itself", /match all filters/, ({ list }) => ({
    list: (scope, { filters: { partner, ...filters }, ...query }, budget) =>
      list(scope, {
        ...query,
        filters: partner === undefined ? filters : { ...filters, partner: { ...partner, partner_scope: "self" } }
      }, budget)
  })),
  ledger("list ignores its budget", /above its budget/, ({ list }) => ({ list: (scope, query) => list(scope, query) })),
  ledger("exportAll drops the last entry", /`exportAll` return every entry/, ({ exportAll }) => ({
    exportAll: (scope, query) =>
      Stream.unwrap(Effect.map(Stream.runCollect(exportAll(scope, query)), (all) => Stream.fromIterable(all.slice(1))))
  })),
  ledger("moves change who sees an entry", /whatever the tree is now/, ({ append }, { state }) => ({
    append: (entries) =>
      Effect.flatMap(state, ({ partners }) =>
        append(entries.map((entry) => {
          const path: Array<PartnerId> = []
          for (let id: PartnerId | null = entry.partner_id; id !== null;) {
            path.push(id)
            id = partners.get(id)?.partner.parent_id ?? null
          }
          return { ...entry, viewers: path }
        })))
  }))
]

const settlementFaults: ReadonlyArray<Fault> = [
  settlement("summarize counts entries of the parent", /`summarize` returns/, ({ summarize }, database) => ({
    summarize: (scope, query, budget) =>
      Effect.flatMap(parentOf(database, scope.partner_id), (top) => summarize(asOperator.scope(top), query, budget))
  })),
  settlement("summarize sums up the page only", /`summarize` returns/, ({ summarize }) => ({
    summarize: (scope, query, budget) =>
      Effect.map(
        summarize(scope, query, budget),
        (slice) =>
          slice.items.length === slice.total ? slice : { ...slice, sums: { ...slice.sums, accrued: centavos(0) } }
      )
  })),
  settlement("summarize ignores its budget", /`summarize` returns/, ({ summarize }) => ({
    summarize: (scope, query) => summarize(scope, query)
  })),
  settlement("close closes held entries", /`close` closes/, ({ close }) => ({
    close: (scope, partner, closing) => close(scope, partner, { ...closing, today: calendarDate("2199-12-31") })
  })),
  settlement("close closes what the caller does not see", /`close` closes/, ({ close }, { state }) => ({
    close: (scope, partner, closing) =>
      Effect.flatMap(state, ({ entries }) => {
        const root = entries.find(({ partner_id }) => partner_id === partner.record)?.viewers.at(-1)
        return close(root === undefined ? scope : asOperator.scope(root), partner, closing)
      })
  })),
  settlement("close ignores its limit", /at most `limit` entries/, ({ close }) => ({
    close: (scope, partner, closing) => close(scope, partner, { ...closing, limit: 1_000 })
  })),
  settlement("every closing has an id of its own", /the first closing stays/, ({ close }) => ({
    close: (scope, partner, closing) =>
      Effect.map(close(scope, partner, closing), (closed) => ({ ...closed, closing_id: closing.closing_id }))
  })),
  settlement("closedSum counts OPEN entries", /`closedSum` and `pay`/, (_, { state }) => ({
    closedSum: ({ partner_id }, { record }, period) =>
      Effect.map(state, ({ entries }) => {
        const found = entries.filter((one) =>
          one.partner_id === record && one.status !== "PAID" && one.period <= period &&
          one.viewers.includes(partner_id)
        )
        return { amount: centavos(found.reduce((sum, { amount }) => sum + amount, 0)), entries: found.length }
      })
  })),
  settlement("closedSum counts the entries of all partners", /`closedSum` and `pay`/, ({ closedSum }, { state }) => ({
    closedSum: (scope, partner, period) =>
      Effect.zipWith(closedSum(scope, partner, period), state, (closed, { entries }) => ({
        ...closed,
        entries: entries.filter(({ status }) => status === "CLOSED").length
      }))
  })),
  settlement("pay leaves the entries CLOSED", /`closedSum` and `pay`/, (_, { update }) => ({
    pay: (_scope, _partner, payout) => update((now) => ({ ...now, payouts: [...now.payouts, payout] }))
  })),
  settlement("pay pays later periods, too", /`closedSum` and `pay`/, ({ pay }, database) => ({
    pay: (scope, partner, payout) =>
      Effect.andThen(
        pay(scope, partner, payout),
        withEntries(database, (entry) =>
          entry.status === "CLOSED" && entry.partner_id === partner.record
            ? { ...entry, status: "PAID", payout_id: payout.payout_id }
            : entry)
      )
  })),
  settlement("listPayouts returns payouts of the parent", /`listPayouts` returns/, ({ listPayouts }, database) => ({
    listPayouts: (scope, query, budget) =>
      Effect.flatMap(parentOf(database, scope.partner_id), (top) => listPayouts(asOperator.scope(top), query, budget))
  })),
  settlement("listPayouts ignores its budget", /`listPayouts` returns/, ({ listPayouts }) => ({
    listPayouts: (scope, query) => listPayouts(scope, query)
  })),
  settlement("listPayouts ignores its filter", /`listPayouts` returns/, ({ listPayouts }) => ({
    listPayouts: (scope, query, budget) => listPayouts(scope, { ...query, filters: {} }, budget)
  }))
]

const statementFaults: ReadonlyArray<Fault> = [
  statements("contracts counts adjustments", /`contracts` adds up/, ({ contracts: sound }, database) => ({
    contracts: (query, limit) =>
      Effect.gen(function*() {
        const before = yield* database.state
        yield* withEntries(database, (one) => one.kind === "ADJUSTMENT" ? { ...one, kind: "ACCRUAL" } : one)
        const found = yield* sound(query, limit)
        yield* database.update(() => before)
        return found
      })
  })),
  statements("contracts forgets the references", /`contracts` returns those/, ({ contracts: sound }) => ({
    contracts: (query, limit) => sound({ ...query, references: [] }, limit)
  })),
  statements("contracts leaves out the last day", /`contracts` returns those/, ({ contracts: sound }) => ({
    contracts: (query, limit) => sound({ ...query, last: calendarDate("2026-01-30") }, limit)
  })),
  statements("contracts ignores its limit", /`contracts` returns those/, ({ contracts: sound }) => ({
    contracts: (query) => sound(query, Number.POSITIVE_INFINITY)
  })),
  statements("find ignores the period", /`find` returns/, ({ find, store }) => {
    const period = "2026-01" as Parameters<typeof find>[0]["period"]
    return { find: (key) => find({ ...key, period }), store: (key, result) => store({ ...key, period }, result) }
  }),
  statements(
    "find finds nothing",
    /`find` returns|keeps the first/,
    () => ({ find: () => Effect.succeed(Option.none()) })
  ),
  statements("store replaces the first result", /keeps the first/, (_, { update }) => ({
    store: ({ digest, lender, period, root_id }, result) =>
      Effect.as(
        update((now) => ({
          ...now,
          statements: new Map(now.statements).set(JSON.stringify([root_id, lender, period, digest]), result)
        })),
        result
      )
  })),
  statements("store returns what it was given", /keeps the first/, ({ store }) => ({
    store: (key, result) => Effect.as(store(key, result), result)
  }))
]

const contractFaults: ReadonlyArray<Fault> = [
  contracts("insert replaces a contract", /`insert` stores every field/, (_, { update }) => ({
    insert: (_partner, contract) =>
      Effect.as(
        update((now) => ({
          ...now,
          hostContracts: new Map(now.hostContracts).set(contract.contract_id, contract)
        })),
        true
      )
  })),
  contracts("insert returns true for a contract that exists", /`insert` stores every field/, ({ insert }) => ({
    insert: (partner, contract) => Effect.as(insert(partner, contract), true)
  })),
  contracts("insert forgets the frozen commission", /`insert` stores every field/, ({ insert }) => ({
    insert: (partner, contract) => insert(partner, { ...contract, frozen: null })
  })),
  contracts("findForUpdate returns the first contract of all", /`insert` stores every field/, (_, { state }) => ({
    findForUpdate: () =>
      Effect.map(state, ({ hostContracts }) => Option.fromUndefinedOr(hostContracts.values().next().value))
  })),
  contracts("setStatus does nothing", /`setStatus` replaces/, () => ({ setStatus: () => Effect.void }))
]

/** Broken adapters of the ports of commissions. */
export const commissionFaults: ReadonlyArray<Fault> = [
  ...planFaults,
  ...ledgerFaults,
  ...settlementFaults,
  ...statementFaults,
  ...contractFaults,
  ...rollbackFaults
]
