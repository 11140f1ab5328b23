import { Effect, Option, type Redacted } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type NewEvent } from "../event/DomainEvent.ts"
import { type Actor, recordChange } from "../event/recordChange.ts"
import { type FoundRecord, judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { type ApiClient, ApiClientRepository } from "../identity/ApiClient.ts"
import { storeClientSecret } from "../identity/ClientSecret.ts"
import { type PasswordHash, PasswordHasher } from "../identity/PasswordHasher.ts"
import { SecretGenerator } from "../ports/generators.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** A secret of an API client, and its stored form. */
export interface NewSecret {
  readonly secret: Redacted.Redacted
  readonly hash: PasswordHash
}

/** Generates a secret. Its hash is fast, because nobody can guess a generated secret. */
export const generateSecret = Effect.gen(function*() {
  const secret = yield* (yield* SecretGenerator).next
  const hash = yield* (yield* PasswordHasher).hashGenerated(secret)
  return { secret, hash: storeClientSecret({ origin: "generated", hash }) } satisfies NewSecret
})

type ChangeKind = "create" | "rotate" | "revoke"

const auditedFields = ({ client_id, group_id, name, partner_id, revoked_at }: ApiClient) => ({
  client_id,
  name,
  partner_id,
  group_id,
  revoked_at
})

const eventOfClient = (change: ChangeKind, { client_id, group_id, partner_id }: ApiClient): NewEvent => ({
  type: `client.${change}d`,
  subject: { kind: "client", id: client_id, version: null },
  data: { client_id, partner_id, group_id }
})

/** Records a change of an API client. `caller` is null for the operator. Call it in the transaction of the change. */
export const recordClient = Effect.fnUntraced(function*(
  change: ChangeKind,
  { after, at, before, caller }: {
    readonly at: Timestamp
    readonly caller: Actor | null
    readonly before?: ApiClient
    readonly after: ApiClient
  }
) {
  yield* recordChange({
    events: [eventOfClient(change, after)],
    at,
    caller,
    action: `client.${change}`,
    subject_id: after.client_id,
    partner_id: after.partner_id,
    before: before === undefined ? null : auditedFields(before),
    after: auditedFields(after)
  })
})

/** Finds the partner of an API client. None if the client does not exist or its partner was deleted. */
export const placeOfClient = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  client: Option.Option<ApiClient>
) {
  if (Option.isNone(client)) return Option.none<FoundRecord<PartnerId>>()
  return yield* (yield* PartnerTree).find(scopeOf(allowed), client.value.partner_id)
})

/** Finds an API client in the caller's subtree. Locks it if the transaction will change it. */
export const findClient = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  client_id: string,
  isForUpdate = false
) {
  const clients = yield* ApiClientRepository
  const client = yield* isForUpdate ? clients.findForUpdate(client_id) : clients.find(client_id)
  yield* Effect.fromResult(judgeFound(yield* placeOfClient(allowed, client)))
  return yield* Effect.fromOption(client).pipe(Effect.mapError(() => new NotFound()))
})
