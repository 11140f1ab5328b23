import createClient from "openapi-fetch"
import type { paths } from "./lastro.ts"

/** The base URL of the API and the credentials of an API client. */
export interface Access {
  readonly baseUrl: string
  readonly client_id: string
  readonly client_secret: string
}

/** Signs in with the client secret. The types of the returned client come from openapi-typescript. */
export const signIn = async ({ baseUrl, client_id, client_secret }: Access) => {
  // Lists are also available as CSV files. This client requests JSON.
  const client = createClient<paths, "application/json">({ baseUrl })
  const { data, error } = await client.POST("/api/v1/oauth/token", {
    body: { grant_type: "client_credentials", client_id, client_secret }
  })
  if (data === undefined) throw new Error(`no token: ${error.error}`)
  const authorization = `Bearer ${data.access_token}`
  client.use({
    onRequest({ request }) {
      request.headers.set("authorization", authorization)
      return request
    }
  })
  return client
}
