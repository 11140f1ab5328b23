import { sealFound } from "@lastro/domain/hierarchy"
import { PartnerTree } from "@lastro/domain/ports"
import { Effect, Layer, Option, Result } from "effect"
import { isWithin, move, pathToRoot, rootOf } from "../hierarchy/naiveForest.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { parentsOf, withEntry } from "./MemoryState.ts"

/**
 * In-memory `PartnerTree`. Units of work run one at a time, so locks never wait. Locks are still recorded: a move dies
 * without an exclusive lock, or if it would make a cycle.
 */
export const layer = Layer.effect(
  PartnerTree,
  Effect.map(MemoryDatabase, ({ change, state }) =>
    PartnerTree.of({
      lock: (root, mode) =>
        change((now) =>
          Result.succeed(
            now.holds.get(root) === "exclusive" ? now : { ...now, holds: withEntry(now.holds, root, mode) }
          )
        ),
      find: (scope, id) =>
        Effect.map(state, (now) => {
          const stored = now.partners.get(id)
          return stored === undefined || stored.deleted_at !== null
            ? Option.none()
            : Option.some(sealFound(id, isWithin(parentsOf(now), scope.partner_id, id)))
        }),
      findPlace: (id) =>
        Effect.map(state, (now) => {
          const path = pathToRoot(parentsOf(now), id)
          const root_id = path.at(-1)
          return root_id === undefined || now.partners.get(id)?.deleted_at !== null
            ? Option.none()
            : Option.some({
              partner_id: id,
              root_id,
              partners_active: path.every((one) => now.partners.get(one)?.partner.status === "active")
            })
        }),
      isWithin: (top, id) => Effect.map(state, (now) => isWithin(parentsOf(now), top.record.partner_id, id.record)),
      move: ({ record: { partner_id } }, { record: parent_id }) =>
        Effect.orDie(change((now) => {
          const parents = parentsOf(now)
          const root = rootOf(parents, partner_id)
          if (root === undefined || now.holds.get(root) !== "exclusive") {
            return Result.fail(new Error("PartnerTree.move: the tree must be locked exclusively"))
          }
          const stored = now.partners.get(partner_id)
          return stored === undefined
            ? Result.fail(new Error("PartnerTree.move: no such partner"))
            : Result.mapBoth(move(parents, partner_id, parent_id), {
              onFailure: (refusal) => new Error(`PartnerTree.move: ${refusal}`),
              onSuccess: () => ({
                ...now,
                partners: withEntry(now.partners, partner_id, { ...stored, partner: { ...stored.partner, parent_id } })
              })
            })
        }))
    }))
)
