import { asOperator } from "@lastro/domain/hierarchy"
import { Installation } from "@lastro/domain/operator"
import { PartnerTree } from "@lastro/domain/ports"
import { installationSuite, partnerTreeSuite } from "@lastro/testkit/suites"
import { Effect, Option, Result } from "effect"
import { type Fault, faultOf } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

const tree = faultOf("PartnerTree", PartnerTree, partnerTreeSuite)
const installation = faultOf("Installation", Installation, installationSuite)

/** Broken adapters of PartnerTree and Installation. */
export const hierarchyFaults: ReadonlyArray<Fault> = [
  installation("isEmpty is true after every partner was removed", /every partner was removed/, (_sound, { state }) => ({
    isEmpty: Effect.map(
      state,
      ({ partners }) => Array.from(partners.values()).every(({ deleted_at }) => deleted_at !== null)
    )
  })),
  tree(
    "find includes the parent from the fourth level on",
    /`find` .* descendants/,
    ({ find }, database) => ({
      find: (scope, id) =>
        Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
    })
  ),
  tree("findPlace ignores the ancestors", /`findPlace`: `partners_active`/, ({ findPlace }, { state }) => ({
    findPlace: (id) =>
      Effect.zipWith(findPlace(id), state, (place, { partners }) =>
        Option.map(place, (one) => ({
          ...one,
          partners_active: partners.get(id)?.partner.status === "active"
        })))
  })),
  tree("findPlace returns the parent as the root", /`findPlace` returns the root/, ({ findPlace }, database) => ({
    findPlace: (id) =>
      Effect.zipWith(
        findPlace(id),
        parentOf(database, id),
        (place, root_id) => Option.map(place, (one) => ({ ...one, root_id }))
      )
  })),
  tree("findPlace finds removed partners", /`findPlace` returns nothing/, (_, { state }) => ({
    findPlace: (id) =>
      Effect.map(
        state,
        ({ partners }) =>
          partners.has(id) ? Option.some({ partner_id: id, root_id: id, partners_active: true }) : Option.none()
      )
  })),
  tree("move writes the name", /no field except parent_id/, ({ move }, database) => ({
    move: (partner, parent) =>
      Effect.andThen(
        move(partner, parent),
        database.change((now) => {
          const { partner_id } = partner.record
          const stored = now.partners.get(partner_id)
          if (stored === undefined) return Result.succeed(now)
          const named = {
            ...stored,
            partner: { ...stored.partner, name: stored.partner.name.trimEnd().normalize("NFD") }
          }
          return Result.succeed({ ...now, partners: new Map(now.partners).set(partner_id, named) })
        })
      )
  })),
  tree("isWithin is false for the partner itself", /`isWithin` .* itself/, ({ isWithin }) => ({
    isWithin: (top, id) => top.record.partner_id === id.record ? Effect.succeed(false) : isWithin(top, id)
  })),
  tree("contains includes the parent", /`contains` and `list` return exactly/, ({ contains }, database) => ({
    contains: (scope, id) =>
      Effect.flatMap(parentOf(database, scope.partner_id, 1), (top) => contains(asOperator.scope(top), id))
  })),
  tree("list omits removed partners", /include a removed partner/, ({ list }, { state }) => ({
    list: (scope, limit) =>
      Effect.zipWith(
        list(scope, limit),
        state,
        (ids, { partners }) => ids.filter((id) => partners.get(id)?.deleted_at === null)
      )
  })),
  tree("list ignores the limit", /at most `limit`/, ({ list }) => ({ list: (scope) => list(scope, 1000) })),
  tree("move leaves the children behind", /subtree/, ({ move }, database) => ({
    move: (partner, parent) =>
      Effect.andThen(
        move(partner, parent),
        database.change((now) =>
          Result.succeed({
            ...now,
            partners: new Map(Array.from(now.partners, ([id, stored]) =>
              stored.partner.parent_id === partner.record.partner_id
                ? [id, { ...stored, partner: { ...stored.partner, parent_id: partner.record.parent_id } }]
                : [id, stored]))
          })
        )
      )
  })),
  tree(
    "a removed partner hides its children",
    /stays in the tree/,
    ({ find, isWithin }, database) => ({
      find: (scope, id) =>
        Effect.flatMap(database.state, ({ partners }) => {
          const above = partners.get(id)?.partner.parent_id
          const lost = above !== null && above !== undefined && partners.get(above)?.deleted_at !== null
          return lost ? Effect.succeed(Option.none()) : find(scope, id)
        }),
      isWithin
    })
  )
]
