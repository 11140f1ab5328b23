import { Effect, MutableRef } from "effect"

/** Logs a warning at the first call. Later calls do nothing. */
export interface ForwardingWarning {
  readonly isLogged: MutableRef.MutableRef<boolean>
}

/** Makes a warning that is logged once. */
export const forwardingWarning = (): ForwardingWarning => ({ isLogged: MutableRef.make(false) })

/** A warning that is never logged. */
export const noForwardingWarning: ForwardingWarning = { isLogged: MutableRef.make(true) }

/**
 * Logs once that `X-Forwarded-For` of an untrusted peer is ignored. The usual cause is a proxy that is missing from the trusted ones: all
 * its clients then share one rate limit.
 */
export const warnOfForwarding = ({ isLogged }: ForwardingWarning): Effect.Effect<void> =>
  Effect.suspend(() =>
    MutableRef.getAndSet(isLogged, true) ? Effect.void : Effect.logWarning(
      "X-Forwarded-For of an untrusted peer ignored; rate limits count the address of the peer. If the peer is your proxy, " +
        "add it to LASTRO_TRUSTED_PROXIES (option trustedProxies). This warning is logged once."
    )
  )
