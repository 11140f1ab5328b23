import {
  groupBySlug,
  groupRecord,
  type GroupSlug,
  type PasswordHash,
  type UserId,
  type UserListItem
} from "@lastro/domain"
import { Effect } from "effect"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshCpf, freshId, freshInstant } from "./Fresh.ts"

/** A hash nobody has the password of. */
export const exampleHash = "$example$" as PasswordHash

/** What a user can be given. */
export type UserFields = Partial<Plain<UserListItem>>

/** Describes a user: see {@link aUser}. */
export class UserBuilder extends Builder<UserListItem> {
  readonly #fields: UserFields
  /** What the user signs in with, where it is stored by a test's world; null where nobody knows. */
  readonly password: string | null

  constructor(fields: UserFields, password: string | null = null) {
    super()
    this.#fields = fields
    this.password = password
  }

  asEffect(): Effect.Effect<UserListItem> {
    return Effect.gen({ self: this }, function*() {
      const user_id = (yield* freshId) as UserId
      return {
        user_id,
        name: "Maria Exemplo",
        email: `maria.${this.#fields.user_id ?? user_id}@example.com`,
        phone: "11912345678",
        cpf: yield* freshCpf,
        status: "ACTIVE",
        group: groupRecord(groupBySlug("admin")),
        must_change_password: false,
        created_at: yield* freshInstant,
        partner_id: this.#fields.partner_id ?? (yield* freshId),
        ...this.#fields
      } as UserListItem
    })
  }

  /** The partner that it was told to belong to, if any. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** The same user but for these fields. */
  with(fields: UserFields): UserBuilder {
    return new UserBuilder({ ...this.#fields, ...fields }, this.password)
  }

  /** Under this name. */
  named(name: string): UserBuilder {
    return this.with({ name })
  }

  /** Of this partner. */
  of(partner: Owner): UserBuilder {
    return this.with({ partner_id: partnerIdOf(partner) })
  }

  /** In this group; an administrator otherwise. */
  inGroup(slug: GroupSlug): UserBuilder {
    return this.with({ group: groupRecord(groupBySlug(slug)) })
  }

  /** Inactive: it can neither sign in nor go on using a token. */
  inactive(): UserBuilder {
    return this.with({ status: "INACTIVE" })
  }

  /** Has to choose a password of its own before it may do anything else. */
  mustChangePassword(): UserBuilder {
    return this.with({ must_change_password: true })
  }

  /** Signs in with this password once it is stored by a test's world. */
  withPassword(password: string): UserBuilder {
    return new UserBuilder(this.#fields, password)
  }
}

/** An active administrator with a fresh id, e-mail and CPF; the fields given replace the example's. */
export const aUser = (fields: UserFields = {}): UserBuilder => new UserBuilder(fields)
