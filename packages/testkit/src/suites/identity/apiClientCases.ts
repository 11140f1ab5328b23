import {
  type ApiClient,
  ApiClientRepository,
  passwordClientId,
  type PasswordHash,
  PrincipalRepository
} from "@lastro/domain/identity"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { aClient } from "../../builders/aClient.ts"
import { exampleHash } from "../../builders/aUser.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

/** Stores a live API client of a new partner. */
const storeClient = Effect.gen(function*() {
  const client = yield* aClient().of(yield* storeRootPartner())
  yield* (yield* ApiClientRepository).insert(client, exampleHash)
  return client
})

const listEntriesOf = ({ client_id }: ApiClient) =>
  Effect.gen(function*() {
    const clients = yield* (yield* ApiClientRepository).listAll
    return clients.filter((client) => client.client_id === client_id)
  })

const readClient = ({ client_id }: ApiClient) =>
  Effect.map(ApiClientRepository.use((clients) => clients.find(client_id)), Option.getOrNull)

const readCredentials = ({ client_id }: ApiClient) =>
  Effect.map(PrincipalRepository.use((principals) => principals.findByClientId(client_id)), Option.getOrThrow)

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
    const [session, other] = [yield* freshId, yield* freshId]
    const isEnded = (session?: string) =>
      Effect.map(
        PrincipalRepository.use((principals) => principals.find("client", client_id, session)),
        (found) => Option.getOrThrow(found).session_ended
      )
    assert.isUndefined(yield* isEnded(session), "an unknown session of a client is live")
    yield* rollBack(clients.endSession(session, later, later))
    assert.isUndefined(yield* isEnded(session))
    yield* clients.endSession(session, later, later)
    yield* clients.endSession(session, later, later)
    assert.isTrue(yield* isEnded(session))
    for (const live of [other, undefined]) assert.isUndefined(yield* isEnded(live))
  })

  it("`find` and `findForUpdate` return nothing for an unknown client_id, and are case-sensitive", function*() {
    const { find, findForUpdate } = yield* ApiClientRepository
    const { client_id } = yield* storeClient
    for (const unknown of [`${client_id}x`, client_id.toUpperCase()]) {
      assert.isTrue(Option.isNone(yield* find(unknown)))
      assert.isTrue(Option.isNone(yield* findForUpdate(unknown)))
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
    const mixed = `Example.${yield* freshId}`
    const [lower, upper] = [mixed.toLowerCase(), mixed.toUpperCase()]
    for (const client_id of [mixed, lower, upper]) {
      yield* repository.insert(yield* aClient({ client_id }).of(partner), hashOf(client_id))
    }
    yield* repository.setSecret(mixed, hashOf("next"))
    yield* repository.revoke(upper, later)
    for (const [client_id, hash] of [[mixed, hashOf("next")], [lower, hashOf(lower)]] as const) {
      const found = Option.getOrThrow(yield* principals.findByClientId(client_id))
      assert.deepStrictEqual([found.principal.subject, found.hash], [client_id, hash])
      assert.strictEqual(Option.getOrThrow(yield* principals.find("client", client_id)).subject, client_id)
      assert.strictEqual(Option.getOrThrow(yield* repository.find(client_id)).client_id, client_id)
    }
    assert.isTrue(Option.isNone(yield* principals.find("client", upper)))
  })

  it("`insert` fails with ClientIdTaken when a live or revoked client has the client_id, or when it is reserved", function*() {
    const repository = yield* ApiClientRepository
    const [live, revoked] = [yield* storeClient, yield* storeClient]
    yield* repository.revoke(revoked.client_id, later)
    for (const client_id of [live.client_id, revoked.client_id, passwordClientId]) {
      const refused = yield* Effect.flip(repository.insert(yield* aClient({ client_id }).of(live), exampleHash))
      assert.strictEqual(refused._tag, "ClientIdTaken", client_id)
    }
    assert.deepStrictEqual(yield* readClient(live), live)
  })

  it("`setSecret` replaces the secret hash and increments credentials_version, which revokes all tokens", function*() {
    const client = yield* storeClient
    const other = yield* storeClient
    const before = yield* readCredentials(client)
    const secret = "$argon2id$next" as PasswordHash
    yield* (yield* ApiClientRepository).setSecret(client.client_id, secret)
    const after = yield* readCredentials(client)
    assert.strictEqual(before.hash, exampleHash)
    assert.strictEqual(after.hash, secret)
    assert.strictEqual(after.principal.credentials_version, before.principal.credentials_version + 1)
    assert.strictEqual((yield* readCredentials(other)).hash, exampleHash)
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
    const other = yield* storeClient
    const before = yield* readCredentials(client)
    const hash = "generated:$sha256$next" as PasswordHash
    yield* (yield* ApiClientRepository).replaceHash(client.client_id, exampleHash, hash)
    assert.deepStrictEqual(yield* readCredentials(client), { ...before, hash })
    assert.strictEqual((yield* readCredentials(other)).hash, exampleHash)
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
