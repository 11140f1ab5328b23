import { asOperator, type Found, type PartnerDetail, PartnerRepository, PartnerTree, type Scope } from "@lastro/domain"
import { MemoryDatabase } from "@lastro/testkit"
import { partnerRepositorySuite, partnerTreeSuite } from "@lastro/testkit/contracts"
import { type Context, Effect, Option, Result } from "effect"
import { type Fault, options, spoilt } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Database = Context.Service.Shape<typeof MemoryDatabase>
type Partners = Context.Service.Shape<typeof PartnerRepository>
type Tree = Context.Service.Shape<typeof PartnerTree>

const repository = (
  fault: string,
  named: RegExp,
  spoil: (sound: Partners, database: Database) => Partial<Partners>
) => ({
  fault: `PartnerRepository: ${fault}`,
  named,
  suite: (runner) =>
    partnerRepositorySuite(
      "spoilt",
      spoilt(PartnerRepository, (sound) => Effect.map(MemoryDatabase, (all) => ({ ...sound, ...spoil(sound, all) }))),
      runner,
      options
    )
} satisfies Fault)

const tree = (fault: string, named: RegExp, spoil: (sound: Tree, database: Database) => Partial<Tree>) => ({
  fault: `PartnerTree: ${fault}`,
  named,
  suite: (runner) =>
    partnerTreeSuite(
      "spoilt",
      spoilt(PartnerTree, (sound) => Effect.map(MemoryDatabase, (all) => ({ ...sound, ...spoil(sound, all) }))),
      runner,
      options
    )
} satisfies Fault)

/** What a cache remembers of each partner: as it was when it was first found. */
const remembering = ({ findForUpdate }: Partners): Partners["findForUpdate"] => {
  const cache = new Map<string, Option.Option<Found<PartnerDetail>>>()
  return (scope: Scope, id) =>
    Effect.suspend(() => {
      const known = cache.get(id)
      return known === undefined
        ? Effect.tap(findForUpdate(scope, id), (one) => Effect.sync(() => cache.set(id, one)))
        : Effect.succeed(known)
    })
}

/** Mistakes of adapters that keep partners. */
export const partnerFaults: ReadonlyArray<Fault> = [
  repository("list reaches up to the parent of the caller's partner", /list .* outside/, ({ list }, database) => ({
    list: (scope, query) =>
      Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query))
  })),
  repository("find says inside of what lies outside", /find .* outside/, ({ find }) => ({
    find: (_scope, id) => find(asOperator.scope(id), id)
  })),
  repository("an update is computed from what a cache remembers", /no update is lost/, (sound) => ({
    findForUpdate: remembering(sound)
  })),
  repository("every other page breaks ties the other way round", /pages .* ties/, ({ list }) => ({
    list: (scope, query) => {
      const direction = query.sort.at(-1)?.direction === "asc" ? "desc" : "asc"
      const { page, sort } = query
      return list(
        scope,
        page.number % 2 === 0 ? query : { ...query, sort: [...sort, { property: "created_at", direction }] }
      )
    }
  })),
  repository("list counts one too many", /count|total/, ({ list }) => ({
    list: (scope, query) => Effect.map(list(scope, query), ({ items, total }) => ({ items, total: total + 1 }))
  })),
  repository("removed partners are still listed", /remove/, () => ({ remove: () => Effect.void })),
  repository("a text filter takes % as a wildcard", /%/, ({ list }) => ({
    list: (scope, query) => {
      const { name, ...filters } = query.filters
      return list(scope, name === "%" ? { ...query, filters } : query)
    }
  })),
  repository("update changes the document, too", /update saves .* never change/, (_, { change }) => ({
    update: ({ record: { partner_id } }, after) =>
      change((now) =>
        Result.succeed({
          ...now,
          partners: new Map(now.partners).set(partner_id, { partner: after, deleted_at: null })
        })
      )
  })),
  tree("isWithin does not hold for the partner itself", /itself/, ({ isWithin }) => ({
    isWithin: (top, id) => top.record.partner_id === id.record ? Effect.succeed(false) : isWithin(top, id)
  })),
  tree("a move leaves what lies below behind", /subtree/, ({ move }, database) => ({
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
    "a partner that is deleted takes what lay below it along",
    /keep their place/,
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
