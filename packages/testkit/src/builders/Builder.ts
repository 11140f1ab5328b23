import { type PartnerId } from "@lastro/domain/values"
import { type Brand, Effect, Effectable } from "effect"

/**
 * Builds a record. Fields that are not set have defaults. A builder is immutable: each method returns a new builder. A
 * builder is also an Effect, so `yield*` builds the record.
 */
export abstract class Builder<A> extends Effectable.Class<A> {
  /** Builds the record. Ids that are not set are random, so two calls build two different records. */
  build(): A {
    return Effect.runSync(this)
  }
}

type PlainText<T extends string> = T extends Brand.Brand<infer _> ? string : T

/** The unbranded form of a type: ids and dates are plain strings, amounts are plain numbers. */
export type Plain<T> = T extends string ? PlainText<T>
  : T extends number ? number
  : T extends ReadonlyArray<infer A> ? ReadonlyArray<Plain<A>>
  : T extends object ? { readonly [K in keyof T]: Plain<T[K]> }
  : T

/** A partner record or a partner id. */
export type Owner = string | { readonly partner_id: string }

/** Returns the partner id of an {@link Owner}. */
export const partnerIdOf = (owner: Owner): PartnerId =>
  (typeof owner === "string" ? owner : owner.partner_id) as PartnerId
