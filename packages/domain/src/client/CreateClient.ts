import { Effect, Redacted } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Once, runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { type ApiClient, ApiClientRepository } from "../identity/ApiClient.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { IdGenerator } from "../ports/generators.ts"
import { findOwner, type FoundOwner } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { judgeNamedGrant, parseGroup } from "../user/judgeGroup.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { findClient, generateSecret, placeOfClient, recordClient } from "./clientChange.ts"
import { type ClientDetail, clientDetail, type ClientWithSecret, CreateClientRequest } from "./ClientDetail.ts"

const decodeRequest = decodeBody(CreateClientRequest)

/**
 * Adds the secret to the first answer only. The stored answer has no secret, so a replay returns none. A caller that
 * lost the first response must rotate the secret.
 */
export const withClientSecret = (
  once: Once<ClientDetail>,
  secret: Redacted.Redacted
): Once<ClientWithSecret> =>
  once.replayed ? once : { ...once, answer: { ...once.answer, client_secret: Redacted.value(secret) } }

/**
 * Creates an API client. Its partner must be in the caller's subtree. Default partner: the caller's own. Returns the
 * secret once. The body is untrusted.
 */
export const createClient = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  yield* Effect.fromResult(judgeNamedGrant(allowed, body))
  const { hash, secret } = yield* generateSecret
  const clients = yield* ApiClientRepository
  const create = Effect.fnUntraced(function*(found: FoundOwner) {
    const { owner, request: { group_id, name } } = yield* Effect.fromResult(combineChecks({
      request: decodeRequest(body),
      group: parseGroup(body),
      owner: found
    }))
    const at = yield* currentTimestamp
    const client: ApiClient = {
      client_id: yield* (yield* IdGenerator).next,
      name,
      partner_id: owner.record,
      group_id,
      created_at: at,
      revoked_at: null
    }
    // The id is new, so it is never taken.
    yield* Effect.orDie(clients.insert(client, hash))
    yield* recordClient("create", { at, caller, after: client })
    return clientDetail(client)
  })
  const once = runOnce(allowed, key, {
    present: ({ client_id }: Partial<ClientDetail>) =>
      client_id === undefined
        ? Effect.succeedNone
        : Effect.flatMap(clients.find(client_id), (client) => placeOfClient(allowed, client)),
    owner: ({ partner_id }: ClientDetail) => partner_id,
    record: ({ client_id }) => client_id
  }, findOwner(allowed, body))
  return withClientSecret(yield* (yield* UnitOfWork).atomically(once(create)), secret)
})

/** Returns an API client in the caller's subtree. */
export const getClient = Effect.fnUntraced(function*(allowed: Allowed<"clients:write">, client_id: string) {
  return clientDetail(yield* findClient(allowed, client_id))
})
