import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { naiveForest } from "@lastro/testkit/scenarios"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { listPartners } from "../../src/partner/ListPartners.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { completeCpf } from "../../src/values/Cpf.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { createPartner } from "../commands.ts"
import { callerOf, outcomeOf, permit, runInMemory, storeTwoTrees } from "../fixtures.ts"

type Command =
  | { readonly does: "create"; readonly caller: number; readonly parent: number }
  | { readonly does: "move"; readonly caller: number; readonly node: number; readonly parent: number }
  | { readonly does: "delete"; readonly caller: number; readonly node: number }

const index = fc.nat({ max: 11 })
const caller = fc.constantFrom(0, 0, 0, 1, 1, 2)
const commands: fc.Arbitrary<ReadonlyArray<Command>> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant("create" as const), caller, parent: index }) },
    { weight: 6, arbitrary: fc.record({ does: fc.constant("move" as const), caller, node: index, parent: index }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("delete" as const), caller, node: index }) }
  ),
  { maxLength: 25 }
)

/** Reaches every outcome. The partners are 0 root, 1 a, 2 aa, 3 b, 4 stranger. Caller 0 is root's administrator. */
const everyOutcome: ReadonlyArray<readonly [Command, string]> = [
  [{ does: "create", caller: 0, parent: 3 }, "done"],
  [{ does: "create", caller: 0, parent: 4 }, "partner.parent_uuid OUTSIDE_HIERARCHY"],
  [{ does: "move", caller: 0, node: 1, parent: 1 }, "partner.parent_uuid CYCLE"],
  [{ does: "move", caller: 0, node: 1, parent: 2 }, "partner.parent_uuid CYCLE"],
  [{ does: "move", caller: 0, node: 0, parent: 1 }, "PermissionDenied"],
  [{ does: "move", caller: 0, node: 3, parent: 4 }, "partner.parent_uuid OUTSIDE_HIERARCHY"],
  [{ does: "move", caller: 0, node: 4, parent: 0 }, "OutsideHierarchy"],
  [{ does: "move", caller: 0, node: 1, parent: 3 }, "done"],
  [{ does: "delete", caller: 0, node: 3 }, "PartnerHasDependents"],
  [{ does: "delete", caller: 0, node: 0 }, "SelfDelete"],
  [{ does: "delete", caller: 0, node: 4 }, "OutsideHierarchy"],
  [{ does: "delete", caller: 0, node: 2 }, "done"],
  [{ does: "delete", caller: 0, node: 2 }, "NotFound"],
  [{ does: "move", caller: 0, node: 2, parent: 3 }, "NotFound"],
  [{ does: "move", caller: 0, node: 3, parent: 2 }, "partner.parent_uuid NOT_FOUND"],
  [{ does: "create", caller: 0, parent: 2 }, "partner.parent_uuid NOT_FOUND"]
]

/** The expected outcomes, computed by the naive forest. Deleted partners keep their place and cannot be found. */
class Model {
  forest: naiveForest.NaiveForest<PartnerId>
  readonly ids: Array<PartnerId>
  readonly deleted = new Set<PartnerId>()
  readonly staffed: ReadonlySet<PartnerId>

  constructor(forest: ReadonlyArray<readonly [PartnerId, PartnerId | null]>, staffed: ReadonlySet<PartnerId>) {
    this.forest = new Map(forest)
    this.ids = forest.map(([id]) => id)
    this.staffed = staffed
  }

  private reference(own: PartnerId, parent: PartnerId): string | undefined {
    if (this.deleted.has(parent)) return "partner.parent_uuid NOT_FOUND"
    return naiveForest.isWithin(this.forest, own, parent) ? undefined : "partner.parent_uuid OUTSIDE_HIERARCHY"
  }

  private target(own: PartnerId, node: PartnerId): string | undefined {
    if (this.deleted.has(node)) return "NotFound"
    return naiveForest.isWithin(this.forest, own, node) ? undefined : "OutsideHierarchy"
  }

  create(own: PartnerId, parent: PartnerId): string {
    return this.reference(own, parent) ?? "done"
  }

  created(id: PartnerId, parent: PartnerId): void {
    this.forest = new Map(this.forest).set(id, parent)
    this.ids.push(id)
  }

  move(own: PartnerId, node: PartnerId, parent: PartnerId): string {
    const refusal = this.target(own, node)
    if (refusal !== undefined) return refusal
    if (this.forest.get(node) === parent) return "done"
    if (node === own) return "PermissionDenied"
    const wrong = this.reference(own, parent)
    if (wrong !== undefined) return wrong
    if (naiveForest.isWithin(this.forest, node, parent)) return "partner.parent_uuid CYCLE"
    this.forest = new Map(this.forest).set(node, parent)
    return "done"
  }

  delete(own: PartnerId, node: PartnerId): string {
    const refusal = this.target(own, node)
    if (refusal !== undefined) return refusal
    if (node === own) return "SelfDelete"
    const children = naiveForest.childrenOf(this.forest, node).filter((child) => !this.deleted.has(child))
    if (children.length > 0 || this.staffed.has(node)) return "PartnerHasDependents"
    this.deleted.add(node)
    return "done"
  }

  visible(own: PartnerId): ReadonlyArray<PartnerId> {
    return naiveForest.subtree(this.forest, own).filter((id) => !this.deleted.has(id)).toSorted()
  }
}

const runScript = Effect.fnUntraced(function*(script: ReadonlyArray<Command>) {
  const { a, aAdmin, aa, b, root, rootAdmin, stranger, strangerAdmin } = yield* storeTwoTrees
  const users = [rootAdmin, aAdmin, strangerAdmin]
  const model = new Model(
    [root, a, aa, b, stranger].map(({ parent_id, partner_id }) => [partner_id, parent_id]),
    new Set(users.map(({ partner_id }) => partner_id))
  )
  const database = yield* MemoryDatabase
  const pick = (at: number): PartnerId => model.ids[at % model.ids.length] ?? root.partner_id
  const outcomes: Array<string> = []
  for (const [step, command] of script.entries()) {
    const user = users[command.caller] ?? rootAdmin
    const own = user.partner_id
    const allowed = yield* permit(yield* callerOf(user), "partners:write")
    const expectAndDo = Effect.gen(function*() {
      switch (command.does) {
        case "create": {
          const parent = pick(command.parent)
          const document_number = completeCpf(String(900_000_000 + step))
          const partner = { type: "pf", name: "Nova", email: "n@e.fr", phone: "1133334444", document_number }
          const create = createPartner(allowed, { partner: { ...partner, parent_uuid: parent } })
          const done = Effect.tap(create, ({ partner_id }) => Effect.sync(() => model.created(partner_id, parent)))
          return [model.create(own, parent), yield* outcomeOf(done)]
        }
        case "move": {
          const [node, parent] = [pick(command.node), pick(command.parent)]
          const expected = model.move(own, node, parent)
          return [expected, yield* outcomeOf(updatePartner(allowed, node, { partner: { parent_uuid: parent } }))]
        }
        case "delete": {
          const node = pick(command.node)
          return [model.delete(own, node), yield* outcomeOf(deletePartner(allowed, node))]
        }
      }
    })
    const [expected = "", actual] = yield* expectAndDo
    assert.strictEqual(actual, expected, `step ${step}: ${JSON.stringify(command)}`)
    outcomes.push(expected)
    const stored = Array.from((yield* database.state).partners, ([id, { partner }]) => [id, partner.parent_id] as const)
    assert.deepStrictEqual(new Map(stored), new Map(model.forest))
    for (const [id] of stored) assert.isNotEmpty(naiveForest.pathToRoot(new Map(stored), id))
  }
  for (const user of users) {
    const read = yield* permit(yield* callerOf(user), "partners:read")
    const { content, page } = yield* listPartners(read, { size: "100" })
    assert.deepStrictEqual(content.map(({ partner_id }) => partner_id).toSorted(), [...model.visible(user.partner_id)])
    assert.strictEqual(page.total_elements, content.length)
  }
  return outcomes
})

const run = (script: ReadonlyArray<Command>): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(Effect.provide(runInMemory(runScript(script)), TestClock.layer()))

describe("creating, moving and deleting partners", () => {
  it("T10 T12 HIER-01 HIER-04 random sequences equal the naive forest and never make a cycle", () =>
    fc.assert(fc.asyncProperty(commands, async (script) => void await run(script)), { numRuns: examples(150) }))

  it("T12 HIER-04 the use cases produce every outcome of the model", async () => {
    const outcomes = await run(everyOutcome.map(([command]) => command))
    assert.deepStrictEqual(outcomes, everyOutcome.map(([, expected]) => expected))
  })
})
