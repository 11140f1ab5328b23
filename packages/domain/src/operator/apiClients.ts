import { Duration, Effect, Option, Redacted, Result } from "effect"
import { groupBySlug, type GroupSlug } from "../access/Group.ts"
import { replaceSecret } from "../client/ChangeClient.ts"
import { generateSecret, recordClient } from "../client/clientChange.ts"
import { asOperator, judgeFound, NotFound } from "../hierarchy/Scope.ts"
import { type ApiClient, ApiClientRepository, judgeClientId } from "../identity/ApiClient.ts"
import { storeClientSecret } from "../identity/ClientSecret.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { defaultOverlap, judgeOverlap } from "../identity/secretOverlap.ts"
import { Refusal } from "../input/Refusal.ts"
import { IdGenerator } from "../ports/generators.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"

/** The client secret does not have 16 to 128 visible ASCII characters. */
export class ClientSecretMalformed extends Refusal(
  "ClientSecretMalformed",
  "A client secret has 16 to 128 visible ASCII characters. Choose another one."
) {}

/**
 * A client secret chosen by the operator has 16 to 128 visible ASCII characters, `!` to `~`. Every client library
 * encodes these characters in the same way.
 * @rule CLIENT-02
 */
export const judgeClientSecret = (
  secret: Redacted.Redacted
): Result.Result<Redacted.Redacted, ClientSecretMalformed> =>
  /^[!-~]{16,128}$/.test(Redacted.value(secret)) ? Result.succeed(secret) : Result.fail(new ClientSecretMalformed())

/** The chosen id and secret of a new API client. A missing value is generated. */
export interface ChosenCredentials {
  readonly client_id?: string | undefined
  /** The name for people. Default: the `client_id`. */
  readonly name?: string | undefined
  readonly secret?: Redacted.Redacted | undefined
}

/** An API client with its secret. The secret is shown once and never stored in plain text. */
export interface ClientWithSecret {
  readonly client: ApiClient
  readonly secret: Redacted.Redacted
}

const hashChosen = Effect.fnUntraced(function*(chosen: Redacted.Redacted) {
  const secret = yield* Effect.fromResult(judgeClientSecret(chosen))
  const hash = yield* (yield* PasswordHasher).hash(secret)
  return { secret, hash: storeClientSecret({ origin: "chosen", hash }) }
})

/** Creates an API client of a partner. */
export const createApiClient = Effect.fn("createApiClient")(function*(
  partner: PartnerId,
  group: GroupSlug,
  chosen: ChosenCredentials = {}
) {
  const client_id = yield* Effect.fromResult(judgeClientId(chosen.client_id ?? (yield* (yield* IdGenerator).next)))
  const { hash, secret } = chosen.secret === undefined ? yield* generateSecret : yield* hashChosen(chosen.secret)
  const create = Effect.gen(function*() {
    const found = yield* (yield* PartnerTree).find(asOperator.scope(partner), partner)
    const partner_id = (yield* Effect.fromResult(judgeFound(found))).record
    const at = yield* currentTimestamp
    const client: ApiClient = {
      client_id,
      name: chosen.name ?? client_id,
      partner_id,
      group_id: groupBySlug(group).group_id,
      created_at: at,
      revoked_at: null
    }
    yield* (yield* ApiClientRepository).insert(client, hash)
    yield* recordClient("create", { at, caller: null, after: client })
    return { client, secret } satisfies ClientWithSecret
  })
  return yield* (yield* UnitOfWork).atomically(create)
})

/** Options of {@link rotateApiClient}. */
export interface RotationOptions {
  /** The time for which the old secret and its tokens stay valid, from 0 to 30 days. Default: 24 hours. */
  readonly overlap?: Duration.Input | undefined
  /** True: ends the secret before the current one, if it is still valid. False (default): the rotation is refused. */
  readonly ends_earlier?: boolean | undefined
}

/** An API client with its new secret. */
export interface RotatedClient extends ClientWithSecret {
  /** True if the rotation ended an earlier secret before its overlap had passed. */
  readonly ended_earlier: boolean
}

/**
 * Replaces the secret of an API client. The current secret and its tokens stay valid until the end of the overlap. With
 * an overlap of 0, they become invalid at once. Fails with EarlierSecretValid if the secret before the current one is
 * still valid and must not be ended (CLIENT-07).
 */
export const rotateApiClient = Effect.fn("rotateApiClient")(function*(
  client_id: string,
  { ends_earlier = false, overlap = defaultOverlap }: RotationOptions = {}
) {
  const overlap_ms = Duration.toMillis(yield* Effect.fromResult(judgeOverlap(overlap)))
  const generated = yield* generateSecret
  return yield* changeClient(
    client_id,
    (client) =>
      Effect.map(replaceSecret(null, client, generated, { overlap_ms, ends_earlier }), (ended_earlier) => ({
        client,
        secret: generated.secret,
        ended_earlier
      } satisfies RotatedClient))
  )
})

/** Revokes an API client. Its tokens are refused from the next request on. */
export const revokeApiClient = Effect.fn("revokeApiClient")(function*(client_id: string) {
  return yield* changeClient(client_id, (client) =>
    Effect.gen(function*() {
      const at = yield* currentTimestamp
      yield* (yield* ApiClientRepository).revoke(client_id, at)
      yield* recordClient("revoke", { at, caller: null, before: client, after: { ...client, revoked_at: at } })
    }))
})

const changeClient = Effect.fnUntraced(function*<A, E, R>(
  client_id: string,
  change: (client: ApiClient) => Effect.Effect<A, E, R>
) {
  const clients = yield* ApiClientRepository
  const run = Effect.gen(function*() {
    const client = yield* clients.findForUpdate(client_id)
    if (Option.isNone(client) || client.value.revoked_at !== null) return yield* new NotFound()
    return yield* change(client.value)
  })
  return yield* (yield* UnitOfWork).atomically(run)
})
