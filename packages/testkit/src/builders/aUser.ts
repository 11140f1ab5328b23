import { groupBySlug, groupRecord, type GroupSlug } from "@lastro/domain/access"
import { type PasswordHash } from "@lastro/domain/identity"
import { UserListItem } from "@lastro/domain/user"
import { Cpf, Email, type Metadata, Name, Phone, type UserId } from "@lastro/domain/values"
import { Effect, Schema } from "effect"
import { groupNamed } from "../access/makeCaller.ts"
import { Builder, checkRecord, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshCpf, freshId, freshInstant } from "./Fresh.ts"

/** A password hash that matches no password. */
export const exampleHash = "$example$" as PasswordHash

/** Fields of a user that override the defaults. */
export type UserFields = Partial<Plain<UserListItem>>

const checkUser = checkRecord(
  "aUser",
  Schema.Struct({ ...UserListItem.fields, name: Name, email: Email, phone: Phone, cpf: Cpf })
)

/** Builds a user ({@link aUser}). */
export class UserBuilder extends Builder<UserListItem> {
  readonly #fields: UserFields
  /** The password with which the stored user signs in. If null, no password is valid. */
  readonly password: string | null

  constructor(fields: UserFields, password: string | null = null) {
    super()
    this.#fields = fields
    this.password = password
  }

  asEffect(): Effect.Effect<UserListItem> {
    return Effect.gen({ self: this }, function*() {
      const user_id = (yield* freshId) as UserId
      return yield* checkUser({
        user_id,
        name: "Maria Exemplo",
        email: `maria.${this.#fields.user_id ?? user_id}@example.com`,
        phone: "11912345678",
        cpf: yield* freshCpf,
        status: "ACTIVE",
        group: groupRecord(groupBySlug("admin")),
        must_change_password: false,
        created_at: yield* freshInstant,
        metadata: {},
        partner_id: this.#fields.partner_id ?? (yield* freshId),
        ...this.#fields
      } as UserListItem)
    })
  }

  /** The partner of the user, if set. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** Overrides fields. */
  with(fields: UserFields): UserBuilder {
    return new UserBuilder({ ...this.#fields, ...fields }, this.password)
  }

  /** Sets the name. */
  named(name: string): UserBuilder {
    return this.with({ name })
  }

  /** Sets the partner. */
  of(partner: Owner): UserBuilder {
    return this.with({ partner_id: partnerIdOf(partner) })
  }

  /** Sets the group. Default: `admin`. */
  inGroup(slug: GroupSlug): UserBuilder {
    return this.with({ group: groupRecord(groupNamed(slug)) })
  }

  /** Deactivates the user. The user cannot sign in, and their access tokens stop working. */
  inactive(): UserBuilder {
    return this.with({ status: "INACTIVE" })
  }

  /** Marks the password as temporary: the user must change it before any other request. */
  mustChangePassword(): UserBuilder {
    return this.with({ must_change_password: true })
  }

  /** Sets the metadata. Default: none. */
  withMetadata(metadata: Metadata): UserBuilder {
    return this.with({ metadata })
  }

  /** Sets the password with which the stored user signs in. */
  withPassword(password: string): UserBuilder {
    return new UserBuilder(this.#fields, password)
  }
}

/** Builds a user. Default: an active administrator with a new id, e-mail address and CPF. */
export const aUser = (fields: UserFields = {}): UserBuilder => new UserBuilder(fields)
