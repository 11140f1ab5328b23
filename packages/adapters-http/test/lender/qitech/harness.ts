// A test can fail with any error, which the test runner reports.
// @effect-diagnostics anyUnknownInErrorContext:off
import { it } from "@effect/vitest"
import { layerQitechLender, type QitechLenderOptions } from "@lastro/adapters-http/lender/qitech"
import { type Disbursement, disbursementOf, type KycValues } from "@lastro/domain/kyc"
import {
  type CallbackTarget,
  DocumentSource,
  DocumentUnavailable,
  Lender,
  type LenderCallback,
  type LenderQuotation
} from "@lastro/domain/lender"
import { type ContractSubmission } from "@lastro/domain/loan"
import { type LenderOffer } from "@lastro/domain/offer"
import { centavos, type OfferId, percent, type Timestamp } from "@lastro/domain/values"
import { aCompleteKyc, aQuoteRequest, aSubmission } from "@lastro/testkit"
import { type QitechSimulator, qitechSimulator, type SentWebhook } from "@lastro/testkit/qitech"
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync } from "node:crypto"

/** The time at which tests begin: a Tuesday. */
export const beginning = Date.parse("2026-12-01T15:00:00.000Z")

/** The path at which QI Tech's callbacks arrive. */
export const callbackPath = "/api/v1/lender-callbacks/qitech"

/** The fee tables of tests. */
const tables: QitechLenderOptions["tables"] = [
  { code: "standard", label: "Tabela Standard", monthly_rate: percent(1.8), fee: { kind: "none" } },
  { code: "plus", label: "Tabela Plus", monthly_rate: percent(1.8), fee: { kind: "percent", percent: percent(10) } },
  { code: "light", label: "Tabela Light", monthly_rate: percent(1.49), fee: { kind: "fixed", amount: centavos(10_00) } }
]

const content = new Map([
  ["front", new TextEncoder().encode("the front")],
  ["back", new TextEncoder().encode("the back")],
  ["home", new TextEncoder().encode("the proof of address")]
])

/** The documents of tests: `front`, `back` and `home`. */
const layerDocuments = Layer.succeed(
  DocumentSource,
  DocumentSource.of({
    read: ({ reference }) => {
      const bytes = content.get(reference)
      return bytes === undefined
        ? Effect.fail(new DocumentUnavailable({ reason: "NOT_FOUND" }))
        : Effect.succeed({ bytes, name: reference })
    }
  })
)

/** Connects the adapter to a simulator. */
export const layerOver = (simulator: QitechSimulator, options: Partial<QitechLenderOptions> = {}) =>
  layerQitechLender({
    url: simulator.url,
    apiKey: Redacted.make(simulator.apiKey),
    privateKey: Redacted.make(simulator.clientPrivateKey),
    publicKey: simulator.publicKey,
    tables,
    allowPrivateNetwork: true,
    ...options
  }).pipe(Layer.provide(layerDocuments))

/** What a test gets. */
export interface Given {
  readonly simulator: QitechSimulator
  /** Moves the clock of both sides. */
  readonly pass: (millis: number) => Effect.Effect<void>
}

/** Runs a test with the adapter and a simulator. Callbacks reach the adapter when the test delivers them. */
export const overQitech = <A, E>(
  test: (given: Given) => Effect.Effect<A, E, Lender>,
  options: Partial<QitechLenderOptions> = {}
) =>
  Effect.scoped(Effect.gen(function*() {
    yield* TestClock.setTime(beginning)
    let now = beginning
    const simulator = yield* qitechSimulator({ now: () => now })
    const layer = layerOver(simulator, options)
    const pass = (millis: number) =>
      Effect.gen(function*() {
        yield* TestClock.adjust(millis)
        now = yield* Clock.currentTimeMillis
      })
    const run = Effect.gen(function*() {
      const lender = yield* Lender
      const context = yield* Effect.context()
      simulator.sendTo(callbackPath, (webhook) =>
        Effect.runPromiseWith(context)(
          lender.callback(toCallback(webhook)).pipe(
            Effect.map(storeStates),
            Effect.as(204),
            Effect.catch(() => Effect.succeed(401))
          )
        ))
      return yield* test({ simulator, pass })
    })
    return yield* Effect.provide(run, layer, { local: true })
  }))

/** Registers a test that runs over QI Tech's simulator. */
export const onQitech = (
  name: string,
  test: (given: Given) => Generator<Effect.Effect<unknown, unknown, Lender>, unknown, never>,
  options?: Partial<QitechLenderOptions>
): void => it.effect(name, () => overQitech((given) => Effect.gen(() => test(given)), options))

/** The states of quotes that callbacks have brought, by the key of the balance request: the database of these tests. */
const storedStates = new Map<string, string>()

/** Stores the states that a callback brings. */
const storeStates = (targets: ReadonlyArray<CallbackTarget>): ReadonlyArray<CallbackTarget> => {
  for (const target of targets) {
    if ("callback_key" in target && target.lender_state !== undefined) {
      storedStates.set(target.callback_key, target.lender_state)
    }
  }
  return targets
}

/** Returns the stored state of a quote that was PENDING with this state. */
const storedStateOf = (lender_state: string | null): string | null => {
  const key = lender_state === null ? undefined : (JSON.parse(lender_state) as { readonly key: string }).key
  return (key === undefined ? undefined : storedStates.get(key)) ?? lender_state
}

/** Converts a webhook as it is sent to a callback as it is received. */
export const toCallback = ({ body, headers, method, path }: SentWebhook): LenderCallback => ({
  method,
  path,
  body,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
})

/** Delivers all waiting webhooks. */
export const deliver = (simulator: QitechSimulator, options?: Parameters<QitechSimulator["deliver"]>[0]) =>
  Effect.promise(() => simulator.deliver(options))

/** Takes the next webhooks as callbacks, without giving them to the adapter. */
export const caught = Effect.fnUntraced(function*(
  simulator: QitechSimulator,
  options?: Parameters<QitechSimulator["deliver"]>[0]
) {
  const callbacks: Array<LenderCallback> = []
  simulator.sendTo(callbackPath, (webhook) => {
    callbacks.push(toCallback(webhook))
    return Promise.resolve(204)
  })
  yield* deliver(simulator, options)
  return callbacks
})

/** A private key that QI Tech does not have. */
export const otherKey = generateKeyPairSync("ec", {
  namedCurve: "P-521",
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" }
}).privateKey

/** Requests a quote for a customer whose CPF ends in these digits, or continues it with the state that is stored by now. */
export const ask = (digits: string, fields: Parameters<typeof aQuoteRequest>[1] = {}) =>
  Effect.flatMap(Lender, (lender) => {
    const request = aQuoteRequest(digits, fields)
    return lender.quote({ ...request, lender_state: storedStateOf(request.lender_state) })
  })

/** Returns the state of a PENDING answer. */
export const stateOf = (quotation: LenderQuotation): string => {
  if (quotation.kind !== "PENDING") throw new Error(`the quote is ${quotation.kind}`)
  return quotation.lender_state
}

/** Runs a quote to its end: requests the balance, delivers the callback, and looks. */
export const quoted = Effect.fnUntraced(function*(
  simulator: QitechSimulator,
  digits: string,
  fields: Parameters<typeof aQuoteRequest>[1] = {}
) {
  const lender_state = stateOf(yield* ask(digits, fields))
  yield* deliver(simulator)
  return yield* ask(digits, { ...fields, lender_state })
})

/** The additional fields of a complete KYC. */
export const qitechFields = {
  profession: "Professora",
  spouse_name: "Rui Exemplo",
  documents: [
    { kind: "IDENTITY_FRONT", reference: "front", sha256: null },
    { kind: "IDENTITY_BACK", reference: "back", sha256: null },
    { kind: "PROOF_OF_RESIDENCE", reference: "home", sha256: null }
  ]
}

/** Builds the submission of an offer. */
export const submissionOf = (
  { lender_ref, table, terms }: LenderOffer,
  kycFields: object = {},
  fields: Partial<ContractSubmission> = {}
): ContractSubmission => {
  const example = aSubmission("00")
  const kyc = { ...aCompleteKyc().for(example.customer).build(), ...qitechFields, ...kycFields } as KycValues
  const disbursement: Disbursement = disbursementOf(kyc)
  return {
    ...example,
    kyc,
    disbursement,
    offer: {
      offer_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f43" as OfferId,
      policy: "CCFGTS-1130/2025-2",
      expires_at: "2026-12-02T15:00:00.000Z" as Timestamp,
      table,
      terms,
      lender_ref: lender_ref ?? ""
    },
    ...fields
  }
}

/** Quotes, and returns the first offer. */
export const offered = Effect.fnUntraced(function*(simulator: QitechSimulator) {
  const quotation = yield* quoted(simulator, "00")
  if (quotation.kind !== "PRICED") throw new Error(`the quote is ${quotation.kind}`)
  const [offer] = quotation.offers
  if (offer === undefined) throw new Error("the quote has no offer")
  return offer
})
