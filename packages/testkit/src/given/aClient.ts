import { type ApiClient, groupBySlug, type GroupSlug } from "@lastro/domain"
import { Effect } from "effect"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshId, freshInstant } from "./Fresh.ts"

/** What an API client can be given. */
export type ClientFields = Partial<Plain<ApiClient>>

/** Describes an API client: see {@link aClient}. */
export class ClientBuilder extends Builder<ApiClient> {
  readonly #fields: ClientFields
  /** What it authenticates with, where it is stored by a test's world; null where nobody knows. */
  readonly secret: string | null

  constructor(fields: ClientFields, secret: string | null = null) {
    super()
    this.#fields = fields
    this.secret = secret
  }

  asEffect(): Effect.Effect<ApiClient> {
    return Effect.gen({ self: this }, function*() {
      return {
        client_id: `example-${yield* freshId}`,
        partner_id: this.#fields.partner_id ?? (yield* freshId),
        group_id: groupBySlug("admin").group_id,
        created_at: yield* freshInstant,
        revoked_at: null,
        ...this.#fields
      } as ApiClient
    })
  }

  /** The partner that it was told to belong to, if any. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** The same client but for these fields. */
  with(fields: ClientFields): ClientBuilder {
    return new ClientBuilder({ ...this.#fields, ...fields }, this.secret)
  }

  /** Known by this `client_id`. */
  called(client_id: string): ClientBuilder {
    return this.with({ client_id })
  }

  /** Of this partner. */
  of(partner: Owner): ClientBuilder {
    return this.with({ partner_id: partnerIdOf(partner) })
  }

  /** In this group; an administrator's otherwise. */
  inGroup(slug: GroupSlug): ClientBuilder {
    return this.with({ group_id: groupBySlug(slug).group_id })
  }

  /** Authenticates with this secret once it is stored by a test's world. */
  withSecret(secret: string): ClientBuilder {
    return new ClientBuilder(this.#fields, secret)
  }
}

/** A live API client with a fresh `client_id`, an administrator's; the fields given replace the example's. */
export const aClient = (fields: ClientFields = {}): ClientBuilder => new ClientBuilder(fields)
