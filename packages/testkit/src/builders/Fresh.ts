import { sandboxDigits, sandboxScenarios } from "@lastro/domain/adapters"
import { type ProposalNumber } from "@lastro/domain/loan"
import { completeCpf, type Cpf, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { Context, Effect, Random, Redacted } from "effect"
// `import type`, because an import with an inline `type` remains at run time and would load fast-check.
import type { History } from "../arbitraries/histories.ts"

/** The default creation time of example records. */
export const exampleInstant = "2026-01-31T12:00:00.000Z" as Timestamp

/** Generates the ids, CPFs and times of example records. */
export interface Fresh {
  /** A UUID in version 7 format (RFC 9562). */
  readonly id: Effect.Effect<string>
  readonly cpf: Effect.Effect<Cpf>
  /** The creation time of a record. */
  readonly at: Effect.Effect<Timestamp>
}

const uuid = (words: ReadonlyArray<number>): string => {
  const hex = words.map((word) => word.toString(16).padStart(4, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/**
 * Generates random ids and CPFs, so that test cases can share a database. The creation time is {@link exampleInstant}.
 */
export const randomFresh: Fresh = {
  id: Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 0xffff), 8), uuid),
  // Nine equal digits begin no valid CPF.
  cpf: Effect.map(
    Random.nextIntBetween(0, 999_999_999),
    (number) => completeCpf(number % 111_111_111 === 0 ? "123456789" : String(number).padStart(9, "0"))
  ),
  at: Effect.succeed(exampleInstant)
}

/** The source of new ids, CPFs and times for builders. Default: {@link randomFresh}. */
export const CurrentFresh = Context.Reference<Fresh>("@lastro/testkit/builders/Fresh/CurrentFresh", {
  defaultValue: () => randomFresh
})

/** Generates an id with {@link CurrentFresh}. */
export const freshId: Effect.Effect<string> = Effect.flatMap(CurrentFresh, ({ id }) => id)

/**
 * Generates a CPF with {@link CurrentFresh}. It selects no special outcome of the sandbox lender, so that no test
 * depends on chance.
 */
export const freshCpf: Effect.Effect<Cpf> = Effect.flatMap(
  CurrentFresh,
  ({ cpf }) => Effect.repeat(cpf, { until: (cpf) => !sandboxScenarios.has(sandboxDigits(cpf)) })
)

/** Returns the creation time for example records, from {@link CurrentFresh}. */
export const freshInstant: Effect.Effect<Timestamp> = Effect.flatMap(CurrentFresh, ({ at }) => at)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Generates 32 random base64url characters. */
export const freshSecret: Effect.Effect<Redacted.Redacted> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, alphabet.length - 1), 32),
  (places) => Redacted.make(places.map((place) => alphabet.charAt(place)).join(""))
)

/** Derives a proposal number from the last ten characters of an id, which are random. */
export const proposalNumberOf = (id: string): ProposalNumber => id.slice(-10).toUpperCase() as ProposalNumber

const uuidPattern = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

/**
 * Copies a history to a partner, with new ids and a new proposal number, so that the copy and the original can both be
 * stored. Property tests need copies, because shrinking stores an example several times.
 */
export const freshHistory = Effect.fnUntraced(function*(history: History, partner_id: PartnerId) {
  const text = JSON.stringify(history)
  const ids = new Map<string, string>([[history.opening.partner_id, partner_id]])
  for (const id of new Set(text.match(uuidPattern))) if (!ids.has(id)) ids.set(id, yield* freshId)
  const number = history.application.proposal?.number
  const newNumber = proposalNumberOf(yield* freshId)
  const renamed = text.replace(uuidPattern, (id) => ids.get(id) ?? id)
  return JSON.parse(
    number === undefined ? renamed : renamed.replaceAll(`"number":"${number}"`, `"number":"${newNumber}"`)
  ) as History
})
