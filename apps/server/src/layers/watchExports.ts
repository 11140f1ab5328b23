import { errorCode } from "@lastro/domain/values"
import { Cause, Duration, Effect, Layer, Predicate } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, type HttpClientRequest } from "effect/http"

/** Maximum time of a request to the collector. It is the default of OpenTelemetry. */
const requestTimeout = Duration.seconds(10)

/** Returns the code of a failed connection, such as `ECONNREFUSED`, or else the class of the error. */
const nameOf = (error: unknown): string => {
  const code = errorCode(error)
  if (code !== undefined) return code
  if (Predicate.hasProperty(error, "cause") && error.cause !== undefined) return nameOf(error.cause)
  if (error instanceof Error) return error.name
  return "unknown"
}

const causeOf = (error: HttpClientError.HttpClientError): string => {
  const { reason } = error
  if (reason._tag === "StatusCodeError") return `status ${reason.response.status}`
  const cause = "cause" in reason ? reason.cause : undefined
  return Cause.isTimeoutError(cause) ? "no response in time" : nameOf(cause)
}

const timedOut = (request: HttpClientRequest.HttpClientRequest) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, cause: new Cause.TimeoutError() })
  })

/** Returns the URL of an endpoint without user, password and query, which can be secrets. */
const addressOf = (url: string): string => {
  const { host, pathname, protocol } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * An HTTP client that exports traces or metrics, with a timeout per request. Logs when exports start to fail and when
 * they work again, with the address of the endpoint but without its credentials.
 */
export const layerWatchedClient = (
  { timeout = requestTimeout, signal, url }: {
    readonly signal: "traces" | "metrics"
    readonly url: string
    readonly timeout?: Duration.Input
  }
): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      const endpoint = addressOf(url)
      let isFailing = false
      const failed = (error: HttpClientError.HttpClientError) =>
        Effect.suspend(() => {
          if (isFailing) return Effect.void
          isFailing = true
          return Effect.annotateLogs(
            Effect.logWarning(`exporting ${signal} failed; dropping them until it works again`),
            {
              endpoint,
              reason: causeOf(error)
            }
          )
        })
      const succeeded = Effect.suspend(() => {
        if (!isFailing) return Effect.void
        isFailing = false
        return Effect.annotateLogs(Effect.logInfo(`exporting ${signal} works again`), { endpoint })
      })
      return HttpClient.transform(HttpClient.filterStatusOk(client), (sending, request) =>
        sending.pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(timedOut(request)) }),
          Effect.tap(() => succeeded),
          Effect.tapError(failed)
        ))
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
