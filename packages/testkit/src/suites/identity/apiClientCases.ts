import { type GroupSlug } from "@lastro/domain/access"
import {
  type ApiClient,
  ApiClientRepository,
  type ClientQuery,
  passwordClientId,
  type PasswordHash,
  PrincipalRepository
} from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option, Result, Stream } from "effect"
import { aClient } from "../../builders/aClient.ts"
import { exampleHash } from "../../builders/aUser.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { requireInScope, scopeOfPartner } from "../suite/queries.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

/** Stores a live API client of a new partner. */
const storeClient = Effect.gen(function*() {
  const client = yield* aClient().of(yield* storeRootPartner())
  yield* (yield* ApiClientRepository).insert(client, exampleHash)
  return client
})

/** Returns the list entries of one client. */
const listEntriesOf = ({ client_id }: ApiClient) =>
  Effect.gen(function*() {
    const clients = yield* (yield* ApiClientRepository).listAll
    return clients.filter((one) => one.client_id === client_id)
  })

const readClient = ({ client_id }: ApiClient) =>
  Effect.map(ApiClientRepository.use((clients) => clients.find(client_id)), Option.getOrNull)

const readCredentials = ({ client_id }: ApiClient) =>
  Effect.map(PrincipalRepository.use((principals) => principals.findByClientId(client_id)), Option.getOrThrow)

const oldestFirst: ClientQuery = {
  filters: {},
  page: { number: 0, size: 100 },
  sort: [{ property: "created_at", direction: "asc" }]
}

const hashOf = (client_id: string) => `$argon2id$${client_id}` as PasswordHash

/** Contract cases for ApiClientRepository. */
export const apiClientCases: ContractCases<
  ApiClientRepository | PartnerRepository | PrincipalRepository | UnitOfWork
> = (it) => {
  it("`insert` stores a client that `find` and `listAll` return", function*() {
    const client = yield* storeClient
    assert.deepStrictEqual(yield* readClient(client), client)
    assert.deepStrictEqual(yield* listEntriesOf(client), [client])
  })

  it("`endSession` ends this session of a client, and no other; repeated, it changes nothing", function*() {
    const clients = yield* ApiClientRepository
    const { client_id } = yield* storeClient
    const [session, beside] = [yield* freshId, yield* freshId]
    const ended = (one?: string) =>
      Effect.map(
        PrincipalRepository.use((principals) => principals.find("client", client_id, one)),
        (found) => Option.getOrThrow(found).session_ended
      )
    assert.isUndefined(yield* ended(session), "an unknown session of a client is live")
    yield* rollBack(clients.endSession(session, later, later))
    assert.isUndefined(yield* ended(session))
    yield* clients.endSession(session, later, later)
    yield* clients.endSession(session, later, later)
    assert.deepStrictEqual([yield* ended(session), yield* ended(beside), yield* ended()], [true, undefined, undefined])
  })

  it("`find` and `findForUpdate` return nothing for an unknown client_id, and are case-sensitive", function*() {
    const { find, findForUpdate } = yield* ApiClientRepository
    const { client_id } = yield* storeClient
    for (const one of [find, findForUpdate]) {
      assert.isTrue(Option.isNone(yield* one(`${client_id}x`)))
      assert.isTrue(Option.isNone(yield* one(client_id.toUpperCase())))
    }
  })

  it("CLIENT-07 `findForUpdate` locks the client until the transaction ends: only one concurrent rotation finds no earlier secret", function*() {
    const { findForUpdate, setSecret } = yield* ApiClientRepository
    const client = yield* storeClient
    const rotate = atomically(Effect.gen(function*() {
      assert.deepStrictEqual(Option.getOrNull(yield* findForUpdate(client.client_id)), client)
      const { principal } = yield* readCredentials(client)
      yield* Effect.yieldNow
      if (principal.previous_valid_until !== undefined) return false
      yield* setSecret(client.client_id, hashOf("next"), later)
      return true
    }))
    const rotations = yield* repeatInParallel(6, rotate)
    assert.strictEqual(rotations.filter((rotated) => rotated).length, 1)
  })

  it("T23 clients whose client_ids differ only in letter case are different clients", function*() {
    const repository = yield* ApiClientRepository
    const principals = yield* PrincipalRepository
    const partner = yield* storeRootPartner()
    const client_id = `Example.${yield* freshId}`
    const names = [client_id, client_id.toLowerCase(), client_id.toUpperCase()]
    for (const name of names) yield* repository.insert(yield* aClient({ client_id: name }).of(partner), hashOf(name))
    yield* repository.setSecret(client_id, "$argon2id$next" as PasswordHash)
    yield* repository.revoke(client_id.toUpperCase(), later)
    for (
      const [name, hash] of [[client_id, "$argon2id$next"], [
        client_id.toLowerCase(),
        hashOf(client_id.toLowerCase())
      ]]
    ) {
      const found = Option.getOrThrow(yield* principals.findByClientId(name ?? ""))
      assert.deepStrictEqual([found.principal.subject, found.hash as string], [name, hash])
      assert.strictEqual(Option.getOrThrow(yield* principals.find("client", name ?? "")).subject, name)
      assert.strictEqual(Option.getOrThrow(yield* repository.find(name ?? "")).client_id, name)
    }
    assert.isTrue(Option.isNone(yield* principals.find("client", client_id.toUpperCase())))
  })

  it("`insert` fails with ClientIdTaken when a live or revoked client has the client_id, or when it is reserved", function*() {
    const repository = yield* ApiClientRepository
    const [live, revoked] = [yield* storeClient, yield* storeClient]
    yield* repository.revoke(revoked.client_id, later)
    for (const client_id of [live.client_id, revoked.client_id, passwordClientId]) {
      const result = yield* Effect.result(
        repository.insert(yield* aClient({ client_id }).of(live), exampleHash)
      )
      assert.strictEqual(Result.isFailure(result) && result.failure._tag, "ClientIdTaken", client_id)
    }
    assert.deepStrictEqual(yield* readClient(live), live)
  })

  it("`setSecret` replaces the secret hash and increments credentials_version, which revokes all tokens", function*() {
    const client = yield* storeClient
    const beside = yield* storeClient
    const before = yield* readCredentials(client)
    const secret = "$argon2id$next" as PasswordHash
    yield* (yield* ApiClientRepository).setSecret(client.client_id, secret)
    const after = yield* readCredentials(client)
    assert.strictEqual(before.hash, exampleHash)
    assert.strictEqual(after.hash, secret)
    assert.strictEqual(after.principal.credentials_version, before.principal.credentials_version + 1)
    assert.strictEqual((yield* readCredentials(beside)).hash, exampleHash)
    assert.deepStrictEqual(yield* readClient(client), client)
  })

  it("CLIENT-05 `setSecret` with a time keeps the replaced secret as the previous one until then, and only that one", function*() {
    const repository = yield* ApiClientRepository
    const client = yield* storeClient
    const before = yield* readCredentials(client)
    const [second, third] = ["$argon2id$second" as PasswordHash, "$argon2id$third" as PasswordHash]
    yield* repository.setSecret(client.client_id, second, later)
    const { credentials_version } = before.principal
    const overlapping = {
      ...before.principal,
      credentials_version: credentials_version + 1,
      previous_valid_until: later
    }
    assert.deepStrictEqual(yield* readCredentials(client), {
      principal: overlapping,
      hash: second,
      previous_hash: exampleHash
    })
    const { find, findWhile } = yield* PrincipalRepository
    assert.deepStrictEqual(Option.getOrNull(yield* find("client", client.client_id)), overlapping)
    const [found] = yield* findWhile("client", client.client_id, Effect.void)
    assert.deepStrictEqual(Option.getOrNull(found), overlapping)
    yield* repository.replaceHash(client.client_id, exampleHash, third)
    assert.strictEqual((yield* readCredentials(client)).hash, second)
    yield* repository.setSecret(client.client_id, third, later)
    assert.strictEqual((yield* readCredentials(client)).previous_hash, second)
    yield* repository.setSecret(client.client_id, exampleHash)
    assert.deepStrictEqual(yield* readCredentials(client), {
      principal: { ...before.principal, credentials_version: credentials_version + 3 },
      hash: exampleHash
    })
  })

  it("`replaceHash` replaces the hash of an unchanged secret and keeps credentials_version, so that tokens stay valid", function*() {
    const client = yield* storeClient
    const beside = yield* storeClient
    const before = yield* readCredentials(client)
    const hash = "generated:$sha256$next" as PasswordHash
    yield* (yield* ApiClientRepository).replaceHash(client.client_id, exampleHash, hash)
    assert.deepStrictEqual(yield* readCredentials(client), { ...before, hash })
    assert.strictEqual((yield* readCredentials(beside)).hash, exampleHash)
  })

  it("`replaceHash` changes nothing if the stored hash is not the verified one", function*() {
    const repository = yield* ApiClientRepository
    const client = yield* storeClient
    const rotated = "$argon2id$rotated" as PasswordHash
    yield* repository.setSecret(client.client_id, rotated)
    yield* repository.replaceHash(client.client_id, exampleHash, "generated:$sha256$next" as PasswordHash)
    assert.strictEqual((yield* readCredentials(client)).hash, rotated)
  })

  it("T08 after `revoke`, the principal is not found, and `listAll` still returns the client as revoked", function*() {
    const client = yield* storeClient
    const principals = yield* PrincipalRepository
    yield* (yield* ApiClientRepository).revoke(client.client_id, later)
    assert.isTrue(Option.isNone(yield* principals.find("client", client.client_id)))
    assert.isTrue(Option.isNone(yield* principals.findByClientId(client.client_id)))
    const revoked = { ...client, revoked_at: later }
    assert.deepStrictEqual(yield* readClient(client), revoked)
    assert.deepStrictEqual(yield* listEntriesOf(client), [revoked])
  })

  it("T02 `list` and `exportAll` return the clients in scope that match all filters, in order, and their number", function*() {
    const { insert, list, revoke } = yield* ApiClientRepository
    const [root, child, grandchild, sibling] = yield* storeForest([null, 0, 1, 0])
    const store = Effect.fnUntraced(function*(partner: PartnerDetail, name: string, day: number, group: GroupSlug) {
      const created_at = `2026-01-0${day}T00:00:00.000Z` as Timestamp
      const client = yield* aClient({ name, created_at }).of(partner).inGroup(group)
      yield* insert(client, exampleHash)
      return client
    })
    const newest = yield* store(child, "Straße", 3, "admin")
    const oldest = yield* store(grandchild, "ábaco 50%", 1, "viewer")
    const middle = yield* store(child, "strassf", 2, "viewer")
    yield* store(sibling, "ABC", 4, "admin")
    yield* revoke(middle.client_id, later)
    const namesOf = (fields: Partial<ClientQuery> = {}, scope = child) =>
      Effect.map(
        list(scopeOfPartner(scope), { ...oldestFirst, ...fields }),
        ({ items, total }) => [items.map(({ name }) => name), total]
      )
    assert.deepStrictEqual(yield* namesOf(), [["ábaco 50%", "strassf", "Straße"], 3])
    assert.deepStrictEqual(yield* namesOf({}, sibling), [["ABC"], 1])
    assert.deepStrictEqual(yield* namesOf({ sort: [{ property: "name", direction: "desc" }] }), [
      ["strassf", "Straße", "ábaco 50%"],
      3
    ])
    assert.deepStrictEqual(
      yield* namesOf({ sort: [{ property: "created_at", direction: "desc" }], page: { number: 1, size: 2 } }),
      [["ábaco 50%"], 3]
    )
    assert.deepStrictEqual(yield* namesOf({ filters: { status: "REVOKED" } }), [["strassf"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { status: "ACTIVE", group: "viewer" } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { partner_id: root.partner_id } }), [[], 0])
    assert.deepStrictEqual(yield* namesOf({ filters: { partner_id: grandchild.partner_id } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { name: foldText("ABACO") } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { name: foldText("%") } }), [["ábaco 50%"], 1])
    const { exportAll } = yield* ApiClientRepository
    for (const filters of [{}, { name: foldText("stras") }, { status: "ACTIVE" }] as const) {
      for (const sort of [oldestFirst.sort, [{ property: "name", direction: "desc" }]] as const) {
        const { items } = yield* list(scopeOfPartner(child), { ...oldestFirst, filters, sort })
        assert.deepStrictEqual(yield* Stream.runCollect(exportAll(scopeOfPartner(child), { filters, sort })), [
          ...items
        ])
      }
    }
    const { items } = yield* list(scopeOfPartner(child), oldestFirst)
    assert.deepStrictEqual(items, [oldest, { ...middle, revoked_at: later }, newest])
  })

  it("`list` fails with ReadBudgetExceeded if more clients match than the budget", function*() {
    const { insert, list } = yield* ApiClientRepository
    const root = yield* storeRootPartner()
    for (const _ of [1, 2]) yield* insert(yield* aClient().of(root), exampleHash)
    const within = (budget: number) =>
      Effect.result(list(scopeOfPartner(root), { ...oldestFirst, filters: { status: "ACTIVE" } }, budget))
    const refused = yield* within(1)
    assert.strictEqual(Result.isFailure(refused) && refused.failure._tag, "ReadBudgetExceeded")
    assert.isTrue(Result.isSuccess(yield* within(2)))
  })

  it("`list` never returns the clients of a deleted partner", function*() {
    const { find, remove } = yield* PartnerRepository
    const [root, child] = yield* storeForest([null, 0])
    yield* (yield* ApiClientRepository).insert(yield* aClient().of(child), exampleHash)
    yield* atomically(Effect.gen(function*() {
      yield* remove(yield* Effect.orDie(requireInScope(find(scopeOfPartner(root), child.partner_id))), later)
    }))
    const { items, total } = yield* (yield* ApiClientRepository).list(scopeOfPartner(root), oldestFirst)
    assert.deepStrictEqual([items, total], [[], 0])
  })

  it("`insert`, `setSecret` and `revoke` roll back with the surrounding transaction", function*() {
    const repository = yield* ApiClientRepository
    const existing = yield* storeClient
    const added = yield* aClient().of(existing)
    yield* rollBack(Effect.gen(function*() {
      yield* repository.insert(added, exampleHash)
      yield* repository.setSecret(existing.client_id, "$argon2id$next" as PasswordHash)
      yield* repository.revoke(existing.client_id, later)
    }))
    assert.isNull(yield* readClient(added))
    assert.deepStrictEqual(yield* readClient(existing), existing)
    assert.strictEqual((yield* readCredentials(existing)).hash, exampleHash)
  })
}
