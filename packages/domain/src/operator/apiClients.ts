import { Data, Effect, Option, Redacted, Result } from "effect"
import { audited } from "../audit/audited.ts"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { asOperator, judge, NotFound } from "../hierarchy/Scope.ts"
import { IdGenerator } from "../id/IdGenerator.ts"
import { type PartnerId } from "../id/PartnerId.ts"
import { SecretGenerator } from "../id/SecretGenerator.ts"
import { type ApiClient, ApiClientRepository } from "../identity/ApiClient.ts"
import { groupBySlug, type GroupSlug } from "../identity/Group.ts"
import { judgeClientId } from "../identity/judgeClientId.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { now, type Timestamp } from "../time/Timestamp.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"

/** A chosen client secret that is not 16 to 128 visible ASCII characters. */
export class ClientSecretMalformed extends Data.TaggedError("ClientSecretMalformed") {}

/**
 * A chosen client secret has 16 to 128 visible ASCII characters, `!` to `~`, which every client library encodes alike.
 * @rule CLIENT-02
 */
export const judgeClientSecret = (
  secret: Redacted.Redacted
): Result.Result<Redacted.Redacted, ClientSecretMalformed> =>
  /^[!-~]{16,128}$/.test(Redacted.value(secret)) ? Result.succeed(secret) : Result.fail(new ClientSecretMalformed())

/** What a new API client may be given instead of a generated id and secret. */
export interface ChosenCredentials {
  readonly client_id?: string | undefined
  readonly secret?: Redacted.Redacted | undefined
}

/** An API client with its secret, which is shown once and stored nowhere. */
export interface ClientWithSecret {
  readonly client: ApiClient
  readonly secret: Redacted.Redacted
}

/** Makes an API client of a partner. */
export const createApiClient = Effect.fn("createApiClient")(function*(
  partner: PartnerId,
  group: GroupSlug,
  chosen: ChosenCredentials = {}
) {
  const client_id = yield* Effect.fromResult(judgeClientId(chosen.client_id ?? (yield* (yield* IdGenerator).next)))
  const secret = chosen.secret === undefined
    ? yield* (yield* SecretGenerator).next
    : yield* Effect.fromResult(judgeClientSecret(chosen.secret))
  const hash = yield* (yield* PasswordHasher).hash(secret)
  const create = Effect.gen(function*() {
    const found = yield* (yield* PartnerTree).find(asOperator.scope(partner), partner)
    const partner_id = (yield* Effect.fromResult(judge(found))).record
    const at = yield* now
    const client: ApiClient = {
      client_id,
      partner_id,
      group_id: groupBySlug(group).group_id,
      created_at: at,
      revoked_at: null
    }
    yield* (yield* ApiClientRepository).insert(client, hash)
    yield* auditClient("client.create", { at, after: client })
    return { client, secret } satisfies ClientWithSecret
  })
  return yield* (yield* UnitOfWork).atomically(create)
})

/** Gives an API client a new secret; the old one, and every token issued for it, stops working at once. */
export const rotateApiClient = Effect.fn("rotateApiClient")(function*(client_id: string) {
  const secret = yield* (yield* SecretGenerator).next
  const hash = yield* (yield* PasswordHasher).hash(secret)
  return yield* changeClient(client_id, (client) =>
    Effect.gen(function*() {
      yield* (yield* ApiClientRepository).setSecret(client_id, hash)
      yield* auditClient("client.rotate", { at: yield* now, after: client })
      return { client, secret } satisfies ClientWithSecret
    }))
})

/** Ends an API client: its tokens are worth nothing from the next request on. */
export const revokeApiClient = Effect.fn("revokeApiClient")(function*(client_id: string) {
  return yield* changeClient(client_id, (client) =>
    Effect.gen(function*() {
      const at = yield* now
      yield* (yield* ApiClientRepository).revoke(client_id, at)
      yield* auditClient("client.revoke", { at, before: client, after: { ...client, revoked_at: at } })
    }))
})

const changeClient = Effect.fnUntraced(function*<A, E, R>(
  client_id: string,
  change: (client: ApiClient) => Effect.Effect<A, E, R>
) {
  const clients = yield* ApiClientRepository
  const run = Effect.gen(function*() {
    const client = yield* clients.find(client_id)
    if (Option.isNone(client) || client.value.revoked_at !== null) return yield* new NotFound()
    return yield* change(client.value)
  })
  return yield* (yield* UnitOfWork).atomically(run)
})

const auditClient = Effect.fnUntraced(function*(
  action: string,
  { after, at, before }: { readonly at: Timestamp; readonly before?: ApiClient; readonly after: ApiClient }
) {
  yield* audited({
    at,
    caller: null,
    action,
    subject_id: after.client_id,
    partner_id: after.partner_id,
    before: before === undefined ? null : shown(before),
    after: shown(after)
  })
})

/** What the audit tells of a client. */
const shown = ({ client_id, group_id, partner_id, revoked_at }: ApiClient) => ({
  client_id,
  partner_id,
  group_id,
  revoked_at
})
