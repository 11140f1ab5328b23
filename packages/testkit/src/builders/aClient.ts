import { groupBySlug, GroupId, type GroupSlug } from "@lastro/domain/access"
import { type ApiClient } from "@lastro/domain/identity"
import { PartnerId, Timestamp } from "@lastro/domain/values"
import { Effect, Schema } from "effect"
import { groupNamed } from "../access/makeCaller.ts"
import { Builder, checkRecord, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshId, freshInstant } from "./Fresh.ts"

/** Fields of an API client that override the defaults. */
export type ClientFields = Partial<Plain<ApiClient>>

const checkClient = checkRecord(
  "aClient",
  Schema.Struct({
    client_id: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._-]{1,64}$/)),
    name: Schema.String,
    partner_id: PartnerId,
    group_id: GroupId,
    created_at: Timestamp,
    revoked_at: Schema.NullOr(Timestamp)
  })
)

/** Builds an API client ({@link aClient}). */
export class ClientBuilder extends Builder<ApiClient> {
  readonly #fields: ClientFields
  /** The secret with which the stored client authenticates. If null, no secret is valid. */
  readonly secret: string | null

  constructor(fields: ClientFields, secret: string | null = null) {
    super()
    this.#fields = fields
    this.secret = secret
  }

  asEffect(): Effect.Effect<ApiClient> {
    return Effect.gen({ self: this }, function*() {
      const client_id = this.#fields.client_id ?? `example-${yield* freshId}`
      return yield* checkClient({
        client_id,
        name: client_id,
        partner_id: this.#fields.partner_id ?? (yield* freshId),
        group_id: groupBySlug("admin").group_id,
        created_at: yield* freshInstant,
        revoked_at: null,
        ...this.#fields
      } as ApiClient)
    })
  }

  /** The partner of the client, if set. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** Overrides fields. */
  with(fields: ClientFields): ClientBuilder {
    return new ClientBuilder({ ...this.#fields, ...fields }, this.secret)
  }

  /** Sets the `client_id`. */
  called(client_id: string): ClientBuilder {
    return this.with({ client_id })
  }

  /** Sets the partner. */
  of(partner: Owner): ClientBuilder {
    return this.with({ partner_id: partnerIdOf(partner) })
  }

  /** Sets the group. Default: `admin`. */
  inGroup(slug: GroupSlug): ClientBuilder {
    return this.with({ group_id: groupNamed(slug).group_id })
  }

  /** Sets the secret with which the stored client authenticates. */
  withSecret(secret: string): ClientBuilder {
    return new ClientBuilder(this.#fields, secret)
  }
}

/** Builds an API client. Default: not revoked, in group `admin`, with a new `client_id`. */
export const aClient = (fields: ClientFields = {}): ClientBuilder => new ClientBuilder(fields)
