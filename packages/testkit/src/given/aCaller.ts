import { type Caller, groupBySlug, type GroupSlug, type PartnerId, type Permission } from "@lastro/domain"
import { Effect } from "effect"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshId } from "./Fresh.ts"

/** What a caller can be given. */
export type CallerFields = Partial<Plain<Omit<Caller, "permissions">> & Pick<Caller, "permissions">>

/** Describes a caller: see {@link aCaller}. */
export class CallerBuilder extends Builder<Caller> {
  readonly #fields: CallerFields

  constructor(fields: CallerFields) {
    super()
    this.#fields = fields
  }

  asEffect(): Effect.Effect<Caller> {
    return Effect.gen({ self: this }, function*() {
      const partner_id = (this.#fields.partner_id ?? (yield* freshId)) as PartnerId
      return {
        subject: yield* freshId,
        kind: "user",
        partner_id,
        root_id: partner_id,
        group: "admin",
        permissions: new Set(groupBySlug(this.#fields.group ?? "admin").permissions),
        must_change_password: false,
        ...this.#fields
      } as Caller
    })
  }

  /** The partner that it was told to belong to, if any. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** Whose everything lies in the subtree of this partner; `root` is the root of its tree, the partner itself unless given. */
  at(partner: Owner, root: Owner = partner): CallerBuilder {
    return this.#but({ partner_id: partnerIdOf(partner), root_id: partnerIdOf(root) })
  }

  /** Known by this id: a user's, or a client's `client_id`. */
  called(subject: string): CallerBuilder {
    return this.#but({ subject })
  }

  /** In this group, with all that the group allows; an administrator otherwise. */
  inGroup(group: GroupSlug): CallerBuilder {
    const { permissions: _, ...fields } = this.#fields
    return new CallerBuilder({ ...fields, group })
  }

  /** A program; a person otherwise. */
  asClient(): CallerBuilder {
    return this.#but({ kind: "client" })
  }

  /** Allowed this and nothing else of what its group allows, as by the scope of a token. */
  allowedOnly(...permissions: ReadonlyArray<Permission>): CallerBuilder {
    return this.#but({ permissions: new Set(permissions) })
  }

  /** Has to choose a password of its own before it may do anything else. */
  mustChangePassword(): CallerBuilder {
    return this.#but({ must_change_password: true })
  }

  #but(fields: CallerFields): CallerBuilder {
    return new CallerBuilder({ ...this.#fields, ...fields })
  }
}

/** A user of a root partner who may do everything; the fields given replace the example's. */
export const aCaller = (fields: CallerFields = {}): CallerBuilder => new CallerBuilder(fields)
