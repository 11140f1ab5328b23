import { PersonalDataHasher } from "@lastro/domain/audit"
import { currentTraceparent, endWithin, millisOf, monotonicMillis, type Timestamp } from "@lastro/domain/values"
import { type WebhookAnswer, type WebhookFault, WebhookSender } from "@lastro/domain/webhook"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { type NetAddress } from "effect/net"
import { createHash, createHmac, randomBytes } from "node:crypto"
import { parseRetryAfter } from "../lender/lenderTransport.ts"
import { version } from "../version/version.ts"
import { openSecret, sealSecret, type SecretsKey, secretsKeyOf } from "./SecretBox.ts"
import { mayConnect, parseEndpoint, refusalOfEndpoint, type WebhookAllowance } from "./webhookAddress.ts"
import { faultOf, makePost, resolveByDns, type ResolveName, type TransportLimits } from "./webhookTransport.ts"

/** Options of {@link layerWebhookSender}. */
export interface WebhookSenderOptions extends WebhookAllowance {
  /**
   * The keys that encrypt the secrets of endpoints. The first key encrypts; all keys decrypt. Default: a key derived
   * from a key in the database. The default key also decrypts if keys are given.
   */
  readonly secretsKeys?: ReadonlyArray<SecretsKey> | undefined
  /** Resolves host names. Default: DNS, then the resolver of the system. */
  readonly resolve?: ResolveName | undefined
  /** Certificate authorities in PEM. They replace those of Node.js. */
  readonly authorities?: ReadonlyArray<string> | undefined
  /** Maximum time of a delivery in milliseconds. Default: 10 s. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds after which an idle connection is closed. Default: 4 s. */
  readonly idleMs?: number | undefined
}

/**
 * The worker sends at most 640 deliveries at the same time, 160 of them to slow endpoints. So `perHost` leaves
 * connections for other endpoints on the host of a slow one. Idle connections are closed after 4 s, because the servers
 * of Node.js close them after 5 s.
 */
const limits: TransportLimits = { perHost: 256, total: 1_024, idle: 256, idleMs: 4_000, responseBytes: 16 * 1024 }

/** Number of random bytes of a secret. Standard Webhooks 1.0 requires 24 to 64. */
const secretBytes = 32

/** Signs a delivery with each secret (Standard Webhooks 1.0, symmetric). Returns its headers. */
const webhookSignature = (id: string, at: Timestamp, body: string, secrets: ReadonlyArray<Uint8Array>) => {
  const seconds = String(Math.floor(millisOf(at) / 1_000))
  const signatures = secrets.map((secret) =>
    `v1,${createHmac("sha256", secret).update(`${id}.${seconds}.${body}`).digest("base64")}`
  )
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures.join(" ") }
}

/**
 * The text whose hash is the default key. Nothing else hashes this text, so the hash is as secret as the hasher's key
 * (NIST SP 800-108).
 */
const defaultKeyLabel = "lastro: the key of webhook secrets, version 1"

/**
 * Sends events over HTTPS, signed according to Standard Webhooks 1.0. Connects only to public addresses, and to those
 * that the options allow.
 */
export const layerWebhookSender = (
  {
    authorities,
    idleMs = limits.idleMs,
    resolve = resolveByDns,
    secretsKeys = [],
    timeoutMs = 10_000,
    ...allowance
  }: WebhookSenderOptions = {}
): Layer.Layer<WebhookSender, never, PersonalDataHasher> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function*() {
      const hasher = yield* PersonalDataHasher
      const post = yield* makePost({ ...limits, idleMs }, resolve, authorities)
      const defaultKey = Effect.map(hasher.hash(defaultKeyLabel), (hash) =>
        secretsKeyOf(createHash("sha256").update(hash).digest()))

      /** Decrypts the secrets, of which the first is current. None if it is unreadable. Omits other unreadable ones. */
      const openSecrets = Effect.fnUntraced(function*(sealed: ReadonlyArray<string>) {
        const openAll = (keys: ReadonlyArray<SecretsKey>) =>
          sealed.map((secret) => openSecret(keys, secret))
        const configured = openAll(secretsKeys)
        const opened = configured.every(Option.isSome) ? configured : openAll([...secretsKeys, yield* defaultKey])
        return Option.map(opened[0] ?? Option.none(), () => Arr.getSomes(opened))
      })

      return WebhookSender.of({
        newSecret: Effect.gen(function*() {
          const [key = yield* defaultKey] = secretsKeys
          const secret = randomBytes(secretBytes)
          return { shown: `whsec_${secret.toString("base64")}`, sealed: sealSecret(key, secret) }
        }),
        refusalOf: (url) => refusalOfEndpoint(url, allowance),
        send: ({ at, body, event_id, secrets: sealed, url: address }) =>
          Effect.flatMap(monotonicMillis, (started) => {
            const elapsed = Effect.map(monotonicMillis, (now) => now - started)
            const failed = (reason: WebhookFault) =>
              Effect.map(elapsed, (duration_ms): WebhookAnswer => ({ kind: "FAILED", reason, duration_ms }))
            const sending = Effect.gen(function*() {
              const url = parseEndpoint(address)
              if (Option.isNone(url)) return yield* failed("ADDRESS_FORBIDDEN")
              const secrets = yield* openSecrets(sealed)
              if (Option.isNone(secrets)) return yield* failed("SECRET_UNREADABLE")
              const traceparent = yield* currentTraceparent
              const headers = {
                "content-type": "application/json",
                "user-agent": `lastro/${version}`,
                ...(traceparent === null ? {} : { traceparent }),
                ...webhookSignature(event_id, at, body, secrets.value)
              }
              const isAllowed = (to: NetAddress.IpAddress) => mayConnect(url.value, allowance, to)
              const { retryAfter, status } = yield* Effect.tryPromise({
                try: (signal) => post({ url: url.value, headers, body, mayConnect: isAllowed, signal }),
                catch: faultOf
              })
              const answer: WebhookAnswer = {
                kind: "ANSWERED",
                status,
                retry_after_ms: parseRetryAfter(retryAfter, millisOf(at)) ?? null,
                duration_ms: yield* elapsed
              }
              return answer
            })
            return endWithin(Effect.catch(sending, failed), timeoutMs, failed("TIMEOUT"))
          })
      })
    })
  )
