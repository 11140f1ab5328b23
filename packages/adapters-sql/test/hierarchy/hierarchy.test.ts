import { assert, it } from "@effect/vitest"
import {
  type ApplicationRepository,
  asOperator,
  type PartnerDetail,
  PartnerRepository,
  type PartnerTree,
  ProposalRepository,
  type Timestamp,
  type UnitOfWork,
  UserRepository
} from "@lastro/domain"
import { givenChild, givenContract, givenForest, givenUser } from "@lastro/testkit"
import { forestShape } from "@lastro/testkit/arbitraries"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { RegionSize } from "../../src/hierarchy/RegionSize.ts"
import { checkHierarchy, foldCounts } from "../../src/index.ts"
import { postgres } from "../databases.ts"
import { move } from "./movePartner.ts"

const later = "2026-02-01T00:00:00.000Z" as Timestamp

type Change =
  | { readonly _tag: "Add" | "AddUser" | "AddProposal" | "Remove" | "RemoveUser"; readonly at: number }
  | { readonly _tag: "Move" | "MoveUser"; readonly at: number; readonly to: number }
  | { readonly _tag: "Fold" }

const change: fc.Arbitrary<Change> = fc.oneof(
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
  changes: fc.array(change, { maxLength: 20 }),
  regionSize: fc.constantFrom(1, 2, 3, 64)
})

/** Makes a history happen; where a step makes no sense for what is there, nothing happens. */
const happen = Effect.fnUntraced(
  function*({ changes, shape }: { shape: readonly [null, ...Array<number | null>]; changes: ReadonlyArray<Change> }) {
    const repository = yield* PartnerRepository
    const userRepository = yield* UserRepository
    const partners: Array<PartnerDetail> = [...yield* givenForest<ReadonlyArray<number | null>>(shape)]
    const users = [yield* givenUser(partners[0] as PartnerDetail)]
    const scope = asOperator.scope
    const partnerAt = (at: number) => partners[at % partners.length] as PartnerDetail
    for (const one of changes) {
      if (one._tag === "Fold") yield* foldCounts
      else if (one._tag === "Add") partners.push(yield* givenChild(partnerAt(one.at)))
      else if (one._tag === "AddUser") users.push(yield* givenUser(partnerAt(one.at)))
      else if (one._tag === "AddProposal") yield* givenContract(partnerAt(one.at))
      else if (one._tag === "Move") yield* move(partnerAt(one.at), partnerAt(one.to))
      else if (one._tag === "Remove" && partners.length > 1) {
        const partner = asOperator.inScope(partnerAt(one.at))
        const { children, users } = yield* repository.dependents(partner)
        if (children + users > 0) continue
        yield* repository.remove(partner, later)
        partners.splice(partners.indexOf(partner.record), 1)
      } else {
        const user = users[one.at % users.length]
        if (user === undefined) continue
        const found = asOperator.inScope({ ...user, partners: [] })
        if (one._tag === "MoveUser") {
          const owner = partnerAt(one.to).partner_id
          const after = { ...user, partner_id: owner }
          yield* Effect.orDie(userRepository.update(found, after, asOperator.inScope(owner)))
          users.splice(users.indexOf(user), 1, after)
        } else if (one._tag === "RemoveUser") {
          yield* userRepository.remove(found, later)
          users.splice(users.indexOf(user), 1)
        }
      }
    }
    return scope
  }
)

it.layer(postgres({ interval: "1 hour" }), { excludeTestServices: true, timeout: "1 minute" })(
  "the hierarchy in PostgreSQL",
  (it) => {
    it.effect("T10 after any history the index equals a recursive walk and the counts are exact, folded or not", () =>
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
                  yield* Effect.provideService(happen(example), RegionSize, example.regionSize)
                  assert.deepStrictEqual(yield* checkHierarchy, [])
                }))),
              { numRuns: 100 }
            )
          )
      ))

    it.effect("foldCounts leaves nothing pending and changes no total", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [root, child] = yield* givenForest([null, 0])
        yield* givenUser(child)
        yield* Effect.replicateEffect(givenContract(child), 3)
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

    it.effect("foldCounts leaves for a later round what somebody holds", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* givenForest([null])
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
      ["The hierarchy index has nothing but", "insert into subtree_partner values ($leaf, $middle)"],
      ["The hierarchy index has nothing but", "insert into subtree_partner values ($root, $leaf)"],
      ["Every partner names the root", "update partner set root_id = $middle where id = $leaf"],
      ["Every user names the root", "update app_user set root_id = $middle where partner_id = $leaf"],
      [
        "Every user names the root and, until deleted, the region",
        "update app_user set region_id = $middle where partner_id = $leaf"
      ],
      ["Every proposal names the region", "update proposal set region_id = $middle where partner_id = $leaf"],
      ["Maintained counts equal real ones", "update subtree_count set users = users + 1 where partner_id = $middle"],
      ["Maintained counts equal real ones", "update subtree_count set proposals = 1 where partner_id = $root"],
      ["Nothing hangs on a deleted partner", "update partner set deleted_at = now() where id = $middle"]
    ])("checkHierarchy finds what breaks an invariant: %s", ([invariant, damage]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [root, middle, leaf] = yield* givenForest([null, 0, 1])
        yield* givenUser(leaf)
        yield* givenContract(leaf)
        const ids = { $root: root.partner_id, $middle: middle.partner_id, $leaf: leaf.partner_id }
        const statement = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, `'${id}'`), damage)
        yield* Effect.exit(sql.withTransaction(Effect.gen(function*() {
          yield* sql.unsafe(statement)
          const findings = yield* checkHierarchy
          assert.isTrue(findings.some((finding) => finding.invariant.startsWith(invariant) && finding.count > 0))
          assert.isTrue(findings.every(({ examples }) => examples.length > 0))
          return yield* Effect.die("undone")
        }))).pipe(Effect.tap((exit) => Effect.sync(() => assert.include(String(exit), "undone"))))
        assert.deepStrictEqual(yield* checkHierarchy, [])
      }))
  }
)
