import { layerHttpLender } from "@lastro/adapters-http"
import { lenderSuite } from "@lastro/testkit/contracts"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Layer } from "effect"
import * as runner from "vitest"

lenderSuite(
  "over HTTP",
  Layer.unwrap(Effect.map(recordingLenderServer(), ({ url }) => layerHttpLender({ url }))),
  runner
)
