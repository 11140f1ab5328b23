import { NodeAlarms } from "@lastro/domain/adapters"
import { Clock, Effect, MutableRef } from "effect"

/** The state of a warning that is logged at most once. */
export interface ForwardingWarning {
  readonly isLogged: MutableRef.MutableRef<boolean>
}

export const forwardingWarning = (): ForwardingWarning => ({ isLogged: MutableRef.make(false) })

/**
 * Raises the alarm UNTRUSTED_PROXY, and logs once that the `X-Forwarded-For` header of an untrusted peer is ignored.
 * Usually, the peer is a proxy that is missing from the trusted proxies. All clients behind it share one rate limit.
 */
export const warnOfForwarding = Effect.fnUntraced(function*({ isLogged }: ForwardingWarning) {
  const alarms = yield* NodeAlarms
  alarms.set("UNTRUSTED_PROXY", yield* Clock.currentTimeMillis)
  if (MutableRef.getAndSet(isLogged, true)) return
  yield* Effect.logWarning(
    "X-Forwarded-For of an untrusted peer ignored; rate limits count the address of the peer. If the peer is your " +
      "proxy, add it to LASTRO_TRUSTED_PROXIES (option trustedProxies). This warning is logged once."
  )
})
