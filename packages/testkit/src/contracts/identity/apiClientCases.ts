import {
  type ApiClient,
  ApiClientRepository,
  type PartnerRepository,
  passwordClientId,
  type PasswordHash,
  PrincipalRepository,
  UnitOfWork
} from "@lastro/domain"
import { assert } from "chai"
import { Effect, Option, Result } from "effect"
import { aClient } from "../../given/aClient.ts"
import { exampleHash } from "../../given/aUser.ts"
import { givenRoot } from "../../given/storedRecords.ts"
import { later } from "../partner/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Adds a live API client to a partner of its own. */
const givenClient = Effect.gen(function*() {
  const client = yield* aClient().of(yield* givenRoot())
  yield* (yield* ApiClientRepository).insert(client, exampleHash)
  return client
})

/** What the list shows of the client. */
const listed = ({ client_id }: ApiClient) =>
  Effect.gen(function*() {
    const clients = yield* (yield* ApiClientRepository).list
    return clients.filter((one) => one.client_id === client_id)
  })

const reread = ({ client_id }: ApiClient) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* ApiClientRepository).find(client_id))
  })

const credentialsOf = ({ client_id }: ApiClient) =>
  Effect.gen(function*() {
    return Option.getOrThrow(yield* (yield* PrincipalRepository).findByClientId(client_id))
  })

/** The contract of ApiClientRepository. */
export const apiClientCases: ContractCases<
  ApiClientRepository | PartnerRepository | PrincipalRepository | UnitOfWork
> = (it) => {
  it("insert adds a client that find and list give back", () =>
    Effect.gen(function*() {
      const client = yield* givenClient
      assert.deepStrictEqual(yield* reread(client), client)
      assert.deepStrictEqual(yield* listed(client), [client])
    }))

  it("find finds nothing under a client_id that was never inserted, nor in another letter case", () =>
    Effect.gen(function*() {
      const repository = yield* ApiClientRepository
      const { client_id } = yield* givenClient
      assert.isTrue(Option.isNone(yield* repository.find(`${client_id}x`)))
      assert.isTrue(Option.isNone(yield* repository.find(client_id.toUpperCase())))
    }))

  it("insert fails when another client has this client_id, revoked or not, or when it is reserved", () =>
    Effect.gen(function*() {
      const repository = yield* ApiClientRepository
      const [live, revoked] = [yield* givenClient, yield* givenClient]
      yield* repository.revoke(revoked.client_id, later)
      for (const client_id of [live.client_id, revoked.client_id, passwordClientId]) {
        const result = yield* Effect.result(
          repository.insert(yield* aClient({ client_id }).of(live), exampleHash)
        )
        assert.strictEqual(Result.isFailure(result) && result.failure._tag, "ClientIdTaken", client_id)
      }
      assert.deepStrictEqual(yield* reread(live), live)
    }))

  it("setSecret replaces the secret, and every token issued before stops working", () =>
    Effect.gen(function*() {
      const client = yield* givenClient
      const beside = yield* givenClient
      const before = yield* credentialsOf(client)
      const secret = "$argon2id$next" as PasswordHash
      yield* (yield* ApiClientRepository).setSecret(client.client_id, secret)
      const after = yield* credentialsOf(client)
      assert.strictEqual(before.hash, exampleHash)
      assert.strictEqual(after.hash, secret)
      assert.strictEqual(after.principal.credentials_version, before.principal.credentials_version + 1)
      assert.strictEqual((yield* credentialsOf(beside)).hash, exampleHash)
      assert.deepStrictEqual(yield* reread(client), client)
    }))

  it("T08 from revoke on the client's tokens are worth nothing, and it stays on the list as revoked", () =>
    Effect.gen(function*() {
      const client = yield* givenClient
      const principals = yield* PrincipalRepository
      yield* (yield* ApiClientRepository).revoke(client.client_id, later)
      assert.isTrue(Option.isNone(yield* principals.find("client", client.client_id)))
      assert.isTrue(Option.isNone(yield* principals.findByClientId(client.client_id)))
      const revoked = { ...client, revoked_at: later }
      assert.deepStrictEqual(yield* reread(client), revoked)
      assert.deepStrictEqual(yield* listed(client), [revoked])
    }))

  it("writes take part in the transaction around them", () =>
    Effect.gen(function*() {
      const repository = yield* ApiClientRepository
      const existing = yield* givenClient
      const added = yield* aClient().of(existing)
      yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* repository.insert(added, exampleHash)
        yield* repository.setSecret(existing.client_id, "$argon2id$next" as PasswordHash)
        yield* repository.revoke(existing.client_id, later)
        return yield* Effect.die("undone")
      })))
      assert.isNull(yield* reread(added))
      assert.deepStrictEqual(yield* reread(existing), existing)
      assert.strictEqual((yield* credentialsOf(existing)).hash, exampleHash)
    }))
}
