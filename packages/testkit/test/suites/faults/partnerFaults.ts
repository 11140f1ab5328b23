import { asOperator, type FoundRecord, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type Metadata } from "@lastro/domain/values"
import { partnerRepositorySuite } from "@lastro/testkit/suites"
import { type Context, Effect, type Option, Result } from "effect"
import { type Fault, faultOf } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Partners = Context.Service.Shape<typeof PartnerRepository>

/** Metadata with its texts in Unicode form NFC. */
const normalized = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, value.normalize("NFC")]))

const repository = faultOf("PartnerRepository", PartnerRepository, partnerRepositorySuite)

/** Caches the first result of `findForUpdate` per partner. */
const cacheFirstFind = ({ findForUpdate }: Partners): Partners["findForUpdate"] => {
  const cache = new Map<string, Option.Option<FoundRecord<PartnerDetail>>>()
  return (scope: SubtreeScope, id) =>
    Effect.suspend(() => {
      const cached = cache.get(id)
      return cached === undefined
        ? Effect.tap(findForUpdate(scope, id), (one) => Effect.sync(() => cache.set(id, one)))
        : Effect.succeed(cached)
    })
}

/** Returns `after`, but with the old values of fields that became null, unless the whole group became null. */
const keepNulledFields = <A extends object>(before: A | null, after: A | null): A | null =>
  before === null || after === null
    ? after
    : Object.assign({}, before, Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)))

/** Broken adapters of PartnerRepository. */
export const partnerFaults: ReadonlyArray<Fault> = [
  repository("list includes the parent's subtree", /`list` returns .* outside/, ({ list }, database) => ({
    list: (scope, query) =>
      Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query))
  })),
  repository("find treats every partner as in scope", /`find` .* descendants/, ({ find }) => ({
    find: (_scope, id) => find(asOperator.scope(id), id)
  })),
  repository("findForUpdate is cached", /no update is lost/, (sound) => ({
    findForUpdate: cacheFirstFind(sound)
  })),
  repository("every second page reverses the order of ties", /pages contain each record/, ({ list }) => ({
    list: (scope, query) => {
      const direction = query.sort.at(-1)?.direction === "asc" ? "desc" : "asc"
      const { page, sort } = query
      return list(
        scope,
        page.number % 2 === 0 ? query : { ...query, sort: [...sort, { property: "created_at", direction }] }
      )
    }
  })),
  repository("list counts one too many", /`list` returns and counts|total/, ({ list }) => ({
    list: (scope, query) => Effect.map(list(scope, query), ({ items, total }) => ({ items, total: total + 1 }))
  })),
  repository("list counts at most 100", /counts every record/, ({ list }) => ({
    list: (scope, query) =>
      Effect.map(list(scope, query), ({ items, total }) => ({ items, total: Math.min(total, 100) }))
  })),
  repository("insertRoot normalizes texts", /character for character/, ({ insertRoot }) => ({
    insertRoot: ({ record }) => insertRoot(asOperator.inScope({ ...record, metadata: normalized(record.metadata) }))
  })),
  repository("update normalizes texts", /character for character/, ({ update }) => ({
    update: (before, after) => update(before, { ...after, metadata: normalized(after.metadata) })
  })),
  repository("remove does nothing", /`remove` hides/, () => ({ remove: () => Effect.void })),
  repository("a text filter treats % as a wildcard", /%/, ({ list }) => ({
    list: (scope, query) => {
      const { name, ...filters } = query.filters
      return list(scope, name === "%" ? { ...query, filters } : query)
    }
  })),
  repository("update writes the document", /`update` saves .* immutable/, (_, { change }) => ({
    update: ({ record: { partner_id } }, after) =>
      change((now) =>
        Result.succeed({
          ...now,
          partners: new Map(now.partners).set(partner_id, { partner: after, deleted_at: null })
        })
      )
  })),
  repository(
    "find includes the parent from the fourth level on",
    /`find` .* descendants/,
    ({ find }, database) => ({
      find: (scope, id) =>
        Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
    })
  ),
  repository("update keeps fields of a group that became null", /`update` saves every field/, ({ update }) => ({
    update: (before, after) =>
      update(before, {
        ...after,
        address: keepNulledFields(before.record.address, after.address),
        bank_account: keepNulledFields(before.record.bank_account, after.bank_account)
      })
  })),
  repository("list ignores the status filter beside a name filter", /combined with AND/, ({ list }) => ({
    list: (scope, query) => {
      const { status: _, ...filters } = query.filters
      return list(scope, filters.name === undefined ? query : { ...query, filters })
    }
  })),
  repository("the e-mail filter is accent-sensitive", /text filter .* accents/, ({ list }) => ({
    list: (scope, query) =>
      Effect.map(list(scope, query), ({ items, total }) => {
        const { email } = query.filters
        const heeding = items.filter((item) => email === undefined || item.email.toLowerCase().includes(email))
        return { items: heeding, total: total - items.length + heeding.length }
      })
  })),
  repository(
    "insert ignores the documents of inactive partners",
    /`insert` fails with DocumentTaken/,
    ({ insert }, all) => ({
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
    })
  ),
  repository("dependents excludes inactive users", /`dependents` counts/, ({ dependents }, { state }) => ({
    dependents: (partner) =>
      Effect.zipWith(dependents(partner), state, (counts, { users }) => ({
        ...counts,
        users: Array.from(users.values()).filter(({ deleted_at, user }) =>
          deleted_at === null && user.partner_id === partner.record.partner_id && user.status === "ACTIVE"
        ).length
      }))
  })),
  repository("remove also removes the users", /`remove` leaves .* unchanged/, (sound, all) => ({
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
