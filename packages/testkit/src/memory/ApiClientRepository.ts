import { ApiClientRepository, ClientIdTaken, passwordClientId } from "@lastro/domain/identity"
import { Effect, Layer, Option, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type StoredClient, withEntry } from "./MemoryState.ts"

/** In-memory `ApiClientRepository`. */
export const layer = Layer.effect(
  ApiClientRepository,
  Effect.map(MemoryDatabase, ({ change, state }) => {
    const replace = (client_id: string, f: (stored: StoredClient) => StoredClient) =>
      change((now) => {
        const stored = now.clients.get(client_id)
        return Result.succeed(
          stored === undefined ? now : { ...now, clients: withEntry(now.clients, client_id, f(stored)) }
        )
      })
    const find = (client_id: string) =>
      Effect.map(state, ({ clients }) => Option.fromUndefinedOr(clients.get(client_id)?.client))
    return ApiClientRepository.of({
      list: Effect.map(state, ({ clients }) => Array.from(clients.values(), ({ client }) => client)),
      find,
      // Units of work run one at a time, so none can change the client meanwhile.
      findForUpdate: find,
      insert: (client, secret) =>
        change((now) =>
          client.client_id === passwordClientId || now.clients.has(client.client_id)
            ? Result.fail(new ClientIdTaken())
            : Result.succeed({
              ...now,
              clients: withEntry(now.clients, client.client_id, {
                client,
                secret,
                credentials_version: 1,
                previous: null
              })
            })
        ),
      setSecret: (client_id, secret, previous_valid_until = null) =>
        replace(client_id, (stored) => ({
          ...stored,
          secret,
          credentials_version: stored.credentials_version + 1,
          previous: previous_valid_until === null
            ? null
            : { secret: stored.secret, valid_until: previous_valid_until }
        })),
      replaceHash: (client_id, verified, hash) =>
        replace(client_id, (stored) => stored.secret === verified ? { ...stored, secret: hash } : stored),
      revoke: (client_id, at) =>
        replace(client_id, (stored) => ({ ...stored, client: { ...stored.client, revoked_at: at } }))
    })
  })
)
