import { type Caller, type CallerFields as Fields, type GroupSlug, type Permission } from "@lastro/domain/access"
import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { groupNamed, hostPrefix, makeCaller } from "../access/makeCaller.ts"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshId } from "./Fresh.ts"

/** Fields of a caller that override the defaults. */
export type CallerFields = Partial<Plain<Omit<Fields, "permissions">> & Pick<Fields, "permissions">>

/** Builds a caller ({@link aCaller}). */
export class CallerBuilder extends Builder<Caller> {
  readonly #fields: CallerFields

  constructor(fields: CallerFields) {
    super()
    this.#fields = fields
  }

  asEffect(): Effect.Effect<Caller> {
    return Effect.gen({ self: this }, function*() {
      const partner_id = (this.#fields.partner_id ?? (yield* freshId)) as PartnerId
      const { group = "admin", kind = "user" } = this.#fields
      const id = yield* freshId
      return makeCaller(
        {
          subject: kind === "host" ? `${hostPrefix}${id}` : id,
          kind,
          partner_id,
          root_id: partner_id,
          group,
          permissions: new Set(groupNamed(group).permissions),
          must_change_password: false,
          ...this.#fields
        } as Fields
      )
    })
  }

  /** The partner of the caller, if set. */
  get owner(): Owner | undefined {
    return this.#fields.partner_id
  }

  /** Sets the partner of the caller and the root of that partner's tree. Default root: the partner itself. */
  at(partner: Owner, root: Owner = partner): CallerBuilder {
    return this.#with({ partner_id: partnerIdOf(partner), root_id: partnerIdOf(root) })
  }

  /** Sets the subject: the id of a user, or the `client_id` of an API client. */
  called(subject: string): CallerBuilder {
    return this.#with({ subject })
  }

  /** Makes the caller a user of the host application, as `callerAt` does. This user is not stored. */
  fromHost(subject: string): CallerBuilder {
    return this.#with({ kind: "host", subject: `${hostPrefix}${subject}` })
  }

  /** Sets the group and grants all permissions of that group. Default: `admin`. */
  inGroup(group: GroupSlug): CallerBuilder {
    const { permissions: _, ...fields } = this.#fields
    return new CallerBuilder({ ...fields, group })
  }

  /** Makes the caller an API client. Default: a user. */
  asClient(): CallerBuilder {
    return this.#with({ kind: "client" })
  }

  /** Limits the caller to these permissions, as the scope of an access token does. */
  allowedOnly(...permissions: ReadonlyArray<Permission>): CallerBuilder {
    return this.#with({ permissions: new Set(permissions) })
  }

  /** Marks the password as temporary: the user must change it before any other request. */
  mustChangePassword(): CallerBuilder {
    return this.#with({ must_change_password: true })
  }

  #with(fields: CallerFields): CallerBuilder {
    return new CallerBuilder({ ...this.#fields, ...fields })
  }
}

/** Builds a caller. Default: an administrator of a root partner. */
export const aCaller = (fields: CallerFields = {}): CallerBuilder => new CallerBuilder(fields)
