import { type PartnerId, type UserId } from "../values/ids.ts"
import { type GroupSlug } from "./Group.ts"
import { type Permission } from "./Permission.ts"

/** The kinds of callers: users and API clients of Lastro, and users of the host application (`callerAt`). */
export type CallerKind = "user" | "client" | "host"

/** The fields of a caller. Use cases accept only a {@link Caller}, not any object with these fields. */
export interface CallerFields {
  /**
   * The id of the user, the `client_id` of the API client, or `host:` and the subject that the host application passed.
   */
  readonly subject: string
  readonly kind: CallerKind
  /** The caller's partner. The caller can read and change only records in the subtree of this partner. */
  readonly partner_id: PartnerId
  /** The root of the tree that contains the partner `partner_id`. */
  readonly root_id: PartnerId
  readonly group: GroupSlug
  /** The permissions of the group, narrowed by the scope of the token or by the host application. */
  readonly permissions: ReadonlySet<Permission>
  /** True for a user with a temporary password, until the user sets a new password. */
  readonly must_change_password: boolean
}

const refuseChange = (): never => {
  throw new TypeError("The permissions of a caller cannot be changed. Create a caller with fewer permissions instead.")
}

/** Returns a set whose methods `add`, `clear` and `delete` throw a TypeError. */
const sealSet = <A>(values: Iterable<A>): ReadonlySet<A> => {
  const set = new Set(values)
  for (const name of ["add", "clear", "delete"]) Object.defineProperty(set, name, { value: refuseChange })
  return set
}

/**
 * The key that the constructor of Caller requires. It is not exported, so `caller.constructor` creates no other
 * caller.
 */
const creation = Symbol("@lastro/domain/access/Caller/creation")

/**
 * The authenticated principal of a request. A caller is a snapshot: its principal and partner were checked when it was
 * created, and are not checked at each use. So create a caller for each request, with `callerOfToken`, `callerOfUser`,
 * `callerOfClient` or `callerAt`. A caller cannot be changed. A copy or a hand-made object is not a caller.
 *
 * For adapters and tests only: `judgeClaims` and `judgeHostPrincipal` of `@lastro/domain/token` create a caller from a
 * record that they are given, without reading the stored one.
 */
export class Caller implements CallerFields {
  /**
   * The permissions that the checks read. They are private, so nothing outside can change them, and a copy lacks them.
   * No check reads the public set `permissions`, because `Set.prototype.add.call` can change it.
   */
  readonly #permissions: ReadonlySet<Permission>
  readonly subject: string
  readonly kind: CallerKind
  readonly partner_id: PartnerId
  readonly root_id: PartnerId
  readonly group: GroupSlug
  readonly permissions: ReadonlySet<Permission>
  readonly must_change_password: boolean

  constructor(key: typeof creation, fields: CallerFields) {
    if (key !== creation) {
      throw new TypeError("Only Lastro creates callers. Use callerOfUser, callerOfClient or callerAt.")
    }
    this.subject = fields.subject
    this.kind = fields.kind
    this.partner_id = fields.partner_id
    this.root_id = fields.root_id
    this.group = fields.group
    this.#permissions = new Set(fields.permissions)
    this.permissions = sealSet(this.#permissions)
    this.must_change_password = fields.must_change_password
    Object.freeze(this)
  }

  /** Returns whether a value is a caller that Lastro created. */
  static is(value: unknown): value is Caller {
    return typeof value === "object" && value !== null && #permissions in value
  }

  /** Returns whether a caller has a permission. Throws a TypeError if the value is not a caller. */
  static has(caller: Caller, permission: Permission): boolean {
    return checkCaller(caller).#permissions.has(permission)
  }
}

/** Creates a caller. Call it only after the principal was checked. */
export const createCaller = (fields: CallerFields): Caller => new Caller(creation, fields)

/**
 * Only a caller that was created by a check of its principal has permissions. Any other value is refused with a
 * TypeError, such as a copy of a caller, or a Result that contains one. Every check of a permission calls this
 * function.
 * @rule AUTH-23
 */
export const checkCaller = (caller: Caller): Caller => {
  if (Caller.is(caller)) return caller
  throw new TypeError(
    "The first argument is not a Caller: it is hand-made, a copy, a Result, or from another copy of @lastro/domain. " +
      "Pass the unchanged `success` value of callerOfToken, callerOfUser, callerOfClient or callerAt."
  )
}

/** Returns a text that is equal for all requests of one caller, and differs between callers. */
export const callerKey = ({ kind, subject }: Pick<Caller, "kind" | "subject">): string => `${kind}:${subject}`

/** Returns whether the caller is this user. */
export const isSelf = (caller: Caller, user: UserId): boolean => caller.kind === "user" && caller.subject === user
