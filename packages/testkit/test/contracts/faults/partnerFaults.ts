import { asOperator, type Found, type PartnerDetail, PartnerRepository, type Scope } from "@lastro/domain"
import { MemoryDatabase } from "@lastro/testkit"
import { partnerRepositorySuite } from "@lastro/testkit/contracts"
import { type Context, Effect, type Option, Result } from "effect"
import { type Fault, options, spoilt } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Database = Context.Service.Shape<typeof MemoryDatabase>
type Partners = Context.Service.Shape<typeof PartnerRepository>

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

/** A group of fields of which none becomes null unless all do. */
const keptWithin = <A extends object>(before: A | null, after: A | null): A | null =>
  before === null || after === null
    ? after
    : Object.assign({}, before, Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)))

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
  repository("find reaches one up, from the fourth level on", /find .* outside/, ({ find }, database) => ({
    find: (scope, id) =>
      Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
  })),
  repository("an update keeps what became null within a group", /update saves every field/, ({ update }) => ({
    update: (before, after) =>
      update(before, {
        ...after,
        address: keptWithin(before.record.address, after.address),
        bank_account: keptWithin(before.record.bank_account, after.bank_account)
      })
  })),
  repository("a filter by status is ignored beside one by name", /filters together/, ({ list }) => ({
    list: (scope, query) => {
      const { status: _, ...filters } = query.filters
      return list(scope, filters.name === undefined ? query : { ...query, filters })
    }
  })),
  repository("a filter by e-mail heeds accents", /text filter .* accents/, ({ list }) => ({
    list: (scope, query) =>
      Effect.map(list(scope, query), ({ items, total }) => {
        const { email } = query.filters
        const heeding = items.filter((item) => email === undefined || item.email.toLowerCase().includes(email))
        return { items: heeding, total: total - items.length + heeding.length }
      })
  })),
  repository("the document of an inactive partner is free", /insert fails .* document is taken/, ({ insert }, all) => ({
    insert: (parent, partner) =>
      Effect.catchTag(insert(parent, partner), "DocumentTaken", (taken) =>
        all.change((now) => {
          const { document_number } = partner
          const holders = Array.from(now.partners.values()).filter((one) =>
            one.partner.document_number === document_number && one.partner.status === "active"
          )
          if (holders.length > 0) return Result.fail(taken)
          const stored = { partner: { ...partner, parent_id: parent.record }, deleted_at: null }
          return Result.succeed({ ...now, partners: new Map(now.partners).set(partner.partner_id, stored) })
        }))
  })),
  repository("inactive users are no dependents", /dependents counts/, ({ dependents }, { state }) => ({
    dependents: (partner) =>
      Effect.zipWith(dependents(partner), state, (counts, { users }) => ({
        ...counts,
        users: Array.from(users.values()).filter(({ deleted_at, user }) =>
          deleted_at === null && user.partner_id === partner.record.partner_id && user.status === "ACTIVE"
        ).length
      }))
  })),
  repository("a partner takes its users along when it is removed", /remove takes nothing else out/, (sound, all) => ({
    remove: (partner, at) =>
      Effect.andThen(
        sound.remove(partner, at),
        all.change((now) =>
          Result.succeed({
            ...now,
            users: new Map(Array.from(now.users, ([id, stored]) => [
              id,
              stored.user.partner_id === partner.record.partner_id ? { ...stored, deleted_at: at } : stored
            ]))
          })
        )
      )
  }))
]
