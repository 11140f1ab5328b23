import { type HttpLenderOptions, layerHttpLender } from "@lastro/adapters-http"
import { Lender } from "@lastro/domain/lender"
import { aQuoteRequest } from "@lastro/testkit"
import {
  type RecordingLenderOptions,
  type RecordingLenderServer,
  recordingLenderServer
} from "@lastro/testkit/lender-server"
import { Effect } from "effect"

/** Runs a test with a local lender server, called over HTTP. */
export const overHttp = <A, E, R>(
  test: (server: RecordingLenderServer) => Effect.Effect<A, E, R>,
  { stepMs = 0, version = 2, ...options }: Partial<HttpLenderOptions> & RecordingLenderOptions = {}
) =>
  Effect.scoped(
    Effect.flatMap(recordingLenderServer({ stepMs, version }), (server) =>
      Effect.provide(test(server), layerHttpLender({ url: server.url, ...options }), { local: true }))
  )

/** Requests a quote for a customer whose CPF ends in these digits. */
export const quoting = (digits: string) => Effect.flatMap(Lender, (lender) => lender.quote(aQuoteRequest(digits)))
