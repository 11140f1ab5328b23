import { type PartnerId } from "@lastro/domain/id"
import { type Brand, Effect, Effectable } from "effect"

/**
 * Builds a record. Fields that are not set have defaults. A builder is immutable: each method returns another builder.
 * It is an Effect of its record too: `yield*` builds one.
 */
export abstract class Builder<A> extends Effectable.Class<A> {
  /** Builds the record. Ids are random unless set, so that two calls build two records. */
  build(): A {
    return Effect.runSync(this)
  }
}

type PlainText<T extends string> = T extends Brand.Brand<infer _> ? string : T

/** The same value without brands: ids and dates are strings, amounts are numbers. */
export type Plain<T> = T extends string ? PlainText<T>
  : T extends number ? number
  : T extends ReadonlyArray<infer A> ? ReadonlyArray<Plain<A>>
  : T extends object ? { readonly [K in keyof T]: Plain<T[K]> }
  : T

/** A partner, by its record or its id. */
export type Owner = string | { readonly partner_id: string }

/** Returns the id of a partner. */
export const partnerIdOf = (owner: Owner): PartnerId =>
  (typeof owner === "string" ? owner : owner.partner_id) as PartnerId
