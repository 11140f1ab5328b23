import { Context, Effect, Option, type Schema } from "effect"
import { isDocumentNumber } from "../values/DocumentNumber.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { PersonalDataHasher } from "./PersonalDataHasher.ts"

const safeId = /^[A-Za-z0-9._-]{1,128}$/

/**
 * A request id from the caller is echoed only if it has 1 to 128 characters of `[A-Za-z0-9._-]` and is not a valid CPF
 * or CNPJ. Any other id is ignored.
 * @rule AUDIT-03
 */
export const parseRequestId = (text: unknown): string | undefined =>
  typeof text === "string" && safeId.test(text) && !isDocumentNumber(text) ? text : undefined

const technicalIds = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  // ULID
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
  // Trace id (W3C Trace Context §3.2.2.3)
  /^[0-9a-f]{32}$/i
]

/**
 * Logs and the audit keep a request id from outside only if it is a UUID, a ULID or a trace id of 32 hexadecimal
 * digits. Any other id can contain personal data, so only a keyed hash of it is kept. An id of digits only is hashed,
 * too, because it could be a padded document number.
 * @rule AUDIT-04
 */
export const isTechnicalId = (id: string): boolean =>
  /[a-z]/i.test(id) && technicalIds.some((format) => format.test(id))

/** Returns the form of a request id that logs and the audit keep (AUDIT-04). `hash` computes a keyed hash. */
export const keptRequestId = (id: string, hash: (text: string) => string): string =>
  isTechnicalId(id) ? id : `hash-${hash(id).slice(0, 22)}`

/**
 * Returns the form of a request id that logs and the audit keep (AUDIT-04), hashed with the key of the installation.
 * Null if `text` is no valid request id, or if this process has no PersonalDataHasher.
 */
export const keepRequestId = (text: unknown): Effect.Effect<string | null> => {
  const id = parseRequestId(text)
  if (id === undefined) return Effect.succeed(null)
  if (isTechnicalId(id)) return Effect.succeed(id)
  return Effect.flatMap(
    Effect.serviceOption(PersonalDataHasher),
    Option.match({
      // A process without this port stores no audit entries.
      onNone: () => Effect.succeed(null),
      onSome: ({ hash }) => Effect.map(hash(id), (hashed) => keptRequestId(id, () => hashed))
    })
  )
}

/** An audit entry for a mutation. Personal data in it is masked. */
export interface AuditEntry {
  readonly id: string
  readonly at: Timestamp
  /**
   * The subject of the caller, or `operator` for the command line. For a user of the host application: `host:` and the
   * user's id.
   */
  readonly actor: string
  /** `partner.create`, `user.update`, `session.start`, … */
  readonly action: string
  readonly subject_id: string
  /** The partner that the record belongs to. */
  readonly partner_id: PartnerId
  /** The record before the change, masked. Null if the record is new or the action has no record. */
  readonly before: Schema.Json
  /** The record after the change, masked. Null if the record was deleted or the action has no record. */
  readonly after: Schema.Json
  /**
   * The paths of the changed fields: `name`, `pix.key`. They are computed before masking, because two different values
   * can have the same mask. Empty if `before` or `after` is null.
   */
  readonly changed: ReadonlyArray<string>
  /** The id of the request that caused the mutation, in its kept form (AUDIT-04). Null outside a request. */
  readonly request_id: string | null
}

/** The id of the current request, for the audit and the logs. Null outside a request. */
export const RequestId = Context.Reference<string | null>("@lastro/domain/audit/AuditLog/RequestId", {
  defaultValue: () => null
})

/** Stores audit entries. An entry is written in the same transaction as its mutation. */
export class AuditLog extends Context.Service<AuditLog, {
  readonly record: (entry: AuditEntry) => Effect.Effect<void>
}>()("@lastro/domain/audit/AuditLog") {}
