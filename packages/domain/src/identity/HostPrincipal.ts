import { Effect, Option, Result, Schema } from "effect"
import { type Caller, createCaller } from "../access/Caller.ts"
import { groupBySlug, GroupSlug } from "../access/Group.ts"
import { Permission } from "../access/Permission.ts"
import { decode } from "../input/decode.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type PartnerPlace, PartnerTree } from "../ports/PartnerTree.ts"
import { isDocumentNumber } from "../values/DocumentNumber.ts"
import { type PartnerId } from "../values/ids.ts"
import { parseId } from "../values/Uuid.ts"
import { Unauthenticated } from "./AccessClaims.ts"

/** A user of the host application, as passed to `callerAt`. */
export interface HostPrincipal {
  /**
   * The id of the user in the host application, unique there: 1 to 128 characters of `A-Z a-z 0-9 . _ ~ : | / + = -`.
   * The audit and records contain it, so it must not be a CPF, CNPJ or e-mail address.
   */
  readonly subject: string
  /** The group whose permissions the caller has. */
  readonly group: GroupSlug
  /** The permissions of the caller, if fewer than those of the group. Default: all permissions of the group. */
  readonly permissions?: ReadonlyArray<Permission> | undefined
}

const shape = /^[A-Za-z0-9._~:|/+=-]+$/
const maxLength = 128

/**
 * The subject of a host application's user has 1 to 128 characters of `A-Z a-z 0-9 . _ ~ : | / + = -`. A valid CPF or
 * CNPJ is refused. An e-mail address is impossible, because `@` is not allowed.
 * @rule AUTH-25
 */
export const parseHostSubject: TextParser<string> = (text) => {
  if (text === "") return Result.fail(problem("TOO_SHORT", { min: 1 }))
  if (text.length > maxLength) return Result.fail(problem("TOO_LONG", { max: maxLength }))
  return shape.test(text) && !isDocumentNumber(text)
    ? Result.succeed(text)
    : Result.fail(invalidFormat("visible ASCII characters, no CPF"))
}

const decodePrincipal = decode(Schema.Struct({
  subject: schemaOfParser(parseHostSubject, { description: "The id of the user in the host application" }),
  group: GroupSlug,
  permissions: Schema.optional(Schema.Array(Permission))
}))

/** Checks that the group of a host application's user has each of the user's permissions. */
const judgePermissions = ({ group, permissions = [] }: HostPrincipal): Result.Result<void, ValidationFailed> => {
  const held = groupBySlug(group).permissions
  const problems = permissions.flatMap((permission, index) =>
    held.includes(permission)
      ? []
      : [fieldProblem(`permissions[${index}]`, problem("UNKNOWN_VALUE", { allowed: held.join(", ") }))]
  )
  return problems.length === 0 ? Result.void : Result.fail(new ValidationFailed({ problems }))
}

/**
 * A host application can only narrow the permissions of the group. Default: all permissions of the group. An unknown
 * permission, a permission that the group lacks, an unknown group and an unknown field are refused with
 * ValidationFailed.
 * @rule AUTH-26
 */
export const parseHostPrincipal = (input: unknown): Result.Result<HostPrincipal, ValidationFailed> =>
  Result.flatMap(decodePrincipal(input), (host) => Result.map(judgePermissions(host), () => host))

/**
 * A host application can name the partner, the group and the subject of a user that it has authenticated itself. The
 * partner must exist, and the partner and all its ancestors must be active, as for a token. The subject of the caller
 * begins with `host:`. Ids of Lastro's own users and API clients contain no colon. So a host's user never shares audit
 * entries, records, idempotency keys or limits with one of them.
 * @rule AUTH-24
 */
export const judgeHostPrincipal = (
  { group, permissions, subject }: HostPrincipal,
  place: Option.Option<PartnerPlace>
): Result.Result<Caller, Unauthenticated> => {
  if (Option.isNone(place)) return Result.fail(new Unauthenticated({ reason: "unknown" }))
  const { partner_id, partners_active, root_id } = place.value
  if (!partners_active) return Result.fail(new Unauthenticated({ reason: "inactive" }))
  const held = groupBySlug(group).permissions
  return Result.succeed(createCaller({
    subject: `host:${subject}`,
    kind: "host",
    partner_id,
    root_id,
    group,
    permissions: new Set(held.filter((permission) => permissions === undefined || permissions.includes(permission))),
    must_change_password: false
  }))
}

/**
 * Returns the caller for a user whom the host application has authenticated. The user needs no record in Lastro. Fails
 * with ValidationFailed for an invalid subject, group or permission. Fails with Unauthenticated if the partner is
 * unknown, deleted or inactive, or has an inactive ancestor.
 */
export const callerAt = Effect.fnUntraced(function*(partner_id: string, host: HostPrincipal) {
  const principal = yield* Effect.fromResult(parseHostPrincipal(host))
  const id = parseId<PartnerId>(String(partner_id))
  const place = Option.isNone(id) ? Option.none() : yield* (yield* PartnerTree).findPlace(id.value)
  return yield* Effect.fromResult(judgeHostPrincipal(principal, place))
})
