import { aClient } from "@lastro/testkit"
import { openTestApi } from "@lastro/testkit/http"

/** Starts an API in memory on a free port, with an API client. */
export const startServer = async () => {
  const { close, given, listen } = await openTestApi()
  const client_secret = "a secret of an example"
  const { client_id } = await given(aClient().withSecret(client_secret))
  return { baseUrl: await listen(), client_id, client_secret, close }
}
