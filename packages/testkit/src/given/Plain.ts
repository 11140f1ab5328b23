import { type Brand } from "effect"

type PlainText<T extends string> = T extends Brand.Brand<infer _> ? string : T

/** The same value without its brands, as somebody writes it down: ids, dates and amounts as texts and numbers. */
export type Plain<T> = T extends string ? PlainText<T>
  : T extends number ? number
  : T extends ReadonlyArray<infer A> ? ReadonlyArray<Plain<A>>
  : T extends object ? { readonly [K in keyof T]: Plain<T[K]> }
  : T
