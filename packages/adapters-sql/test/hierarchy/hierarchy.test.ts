import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type ApplicationRepository, ProposalRepository } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { type Timestamp } from "@lastro/domain/values"
import { storeChildPartner, storeContractedApplication, storeForest, storeUser } from "@lastro/testkit"
import { forestShape } from "@lastro/testkit/arbitraries"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { RegionSize } from "../../src/hierarchy/cutRegions.ts"
import { checkHierarchy, foldCounts } from "../../src/index.ts"
import { postgresWithoutFolder } from "../databases.ts"
import { movePartner } from "./movePartner.ts"

const later = "2026-02-01T00:00:00.000Z" as Timestamp

type Change =
  | { readonly _tag: "Add" | "AddUser" | "AddProposal" | "Remove" | "RemoveUser"; readonly at: number }
  | { readonly _tag: "Move" | "MoveUser"; readonly at: number; readonly to: number }
  | { readonly _tag: "Fold" }

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _tag: fc.constantFrom("Move", "MoveUser"), at: fc.nat(), to: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constantFrom("Add", "AddUser", "AddUser", "AddProposal", "Remove", "RemoveUser"),
      at: fc.nat()
    })
  },
  { weight: 2, arbitrary: fc.constant({ _tag: "Fold" }) }
)

const history = fc.record({
  shape: forestShape(8),
  changes: fc.array(anyChange, { maxLength: 20 }),
  regionSize: fc.constantFrom(1, 2, 3, 64)
})

/** Applies the changes of a history. Skips a change that the current state does not allow. */
const applyHistory = Effect.fnUntraced(
  function*({ changes, shape }: { shape: readonly [null, ...Array<number | null>]; changes: ReadonlyArray<Change> }) {
    const repository = yield* PartnerRepository
    const userRepository = yield* UserRepository
    const partners: Array<PartnerDetail> = [...yield* storeForest<ReadonlyArray<number | null>>(shape)]
    const users = [yield* storeUser(partners[0] as PartnerDetail)]
    const scope = asOperator.scope
    const partnerAt = (at: number) => partners[at % partners.length] as PartnerDetail
    for (const change of changes) {
      if (change._tag === "Fold") yield* foldCounts
      else if (change._tag === "Add") partners.push(yield* storeChildPartner(partnerAt(change.at)))
      else if (change._tag === "AddUser") users.push(yield* storeUser(partnerAt(change.at)))
      else if (change._tag === "AddProposal") yield* storeContractedApplication(partnerAt(change.at))
      else if (change._tag === "Move") yield* movePartner(partnerAt(change.at), partnerAt(change.to))
      else if (change._tag === "Remove" && partners.length > 1) {
        const partner = asOperator.inScope(partnerAt(change.at))
        const { children, users } = yield* repository.dependents(partner)
        if (children + users > 0) continue
        yield* repository.remove(partner, later)
        partners.splice(partners.indexOf(partner.record), 1)
      } else {
        const user = users[change.at % users.length]
        if (user === undefined) continue
        const found = asOperator.inScope({ ...user, partners: [] })
        if (change._tag === "MoveUser") {
          const owner = partnerAt(change.to).partner_id
          const after = { ...user, partner_id: owner }
          yield* Effect.orDie(userRepository.update(found, after, asOperator.inScope(owner)))
          users.splice(users.indexOf(user), 1, after)
        } else if (change._tag === "RemoveUser") {
          yield* userRepository.remove(found, later)
          users.splice(users.indexOf(user), 1)
        }
      }
    }
    return scope
  }
)

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "the hierarchy in PostgreSQL",
  (it) => {
    it.effect("T10 after any history the index equals a recursive walk and the counts are exact, with or without pending changes", () =>
      Effect.flatMap(
        Effect.context<
          | ApplicationRepository
          | PartnerRepository
          | PartnerTree
          | UserRepository
          | UnitOfWork
          | SqlClient.SqlClient
        >(),
        (context) =>
          Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(history, (example) =>
                Effect.runPromiseWith(context)(Effect.gen(function*() {
                  yield* Effect.provideService(applyHistory(example), RegionSize, example.regionSize)
                  assert.deepStrictEqual(yield* checkHierarchy, [])
                }))),
              { numRuns: examples(100) }
            )
          )
      ))

    it.effect("foldCounts applies every pending change and changes no total", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [root, child] = yield* storeForest([null, 0])
        yield* storeUser(child)
        yield* Effect.replicateEffect(storeContractedApplication(child), 3)
        const scope = asOperator.scope(root.partner_id)
        const firstPage = {
          filters: {},
          page: { number: 0, size: 1 },
          sort: [{ property: "created_at", direction: "desc" }]
        } as const
        const totals = Effect.map(
          Effect.all([
            (yield* PartnerRepository).list(scope, firstPage),
            (yield* UserRepository).list(scope, firstPage),
            (yield* ProposalRepository).list(scope, firstPage)
          ]),
          (lists) => lists.map(({ total }) => total)
        )
        assert.deepStrictEqual(yield* totals, [2, 1, 3])
        assert.isAbove(yield* foldCounts, 0)
        assert.deepStrictEqual(yield* totals, [2, 1, 3])
        assert.deepStrictEqual(yield* sql`select id from subtree_count_delta`, [])
      }))

    it.effect("foldCounts returns 0 after a lock timeout and applies the changes in the next call", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* storeForest([null])
        const [held, released] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
        const holding = sql.withTransaction(Effect.gen(function*() {
          yield* sql`lock table subtree_count_delta in access exclusive mode`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(released)
        }))
        const folding = Effect.gen(function*() {
          yield* Deferred.await(held)
          assert.strictEqual(yield* foldCounts, 0)
          yield* Deferred.succeed(released, undefined)
        })
        yield* Effect.all([holding, folding], { concurrency: 2, discard: true })
        assert.isAbove(yield* foldCounts, 0)
      }))

    it.effect.each<readonly [invariant: string, damage: string]>([
      ["No partner is its own ancestor", "update partner set parent_id = $leaf where id = $middle"],
      ["The hierarchy index has every ancestor", "delete from subtree_partner where top_id = $middle"],
      ["The hierarchy index has every ancestor", "delete from subtree_region where top_id = $root"],
      ["The hierarchy index has only", "insert into subtree_partner values ($leaf, $middle)"],
      ["The hierarchy index has only", "insert into subtree_partner values ($root, $leaf)"],
      ["The root_id of every partner", "update partner set root_id = $middle where id = $leaf"],
      ["Every user has the root_id", "update app_user set root_id = $middle where partner_id = $leaf"],
      [
        "Every user has the root_id and, unless deleted, the region_id",
        "update app_user set region_id = $middle where partner_id = $leaf"
      ],
      ["Every proposal has the region_id", "update proposal set region_id = $middle where partner_id = $leaf"],
      [
        "Maintained counts equal the actual counts",
        "update subtree_count set users = users + 1 where partner_id = $middle"
      ],
      ["Maintained counts equal the actual counts", "update subtree_count set proposals = 1 where partner_id = $root"],
      ["A deleted partner has no children", "update partner set deleted_at = now() where id = $middle"]
    ])("checkHierarchy finds the broken invariant: %s", ([invariant, damage]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [root, middle, leaf] = yield* storeForest([null, 0, 1])
        yield* storeUser(leaf)
        yield* storeContractedApplication(leaf)
        const ids = { $root: root.partner_id, $middle: middle.partner_id, $leaf: leaf.partner_id }
        const statement = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, `'${id}'`), damage)
        yield* Effect.exit(sql.withTransaction(Effect.gen(function*() {
          yield* sql.unsafe(statement)
          const findings = yield* checkHierarchy
          assert.isTrue(findings.some((finding) => finding.invariant.startsWith(invariant) && finding.count > 0))
          assert.isTrue(findings.every(({ examples }) => examples.length > 0))
          return yield* Effect.die("rolled back")
        }))).pipe(Effect.tap((exit) => Effect.sync(() => assert.include(String(exit), "rolled back"))))
        assert.deepStrictEqual(yield* checkHierarchy, [])
      }))
  }
)
