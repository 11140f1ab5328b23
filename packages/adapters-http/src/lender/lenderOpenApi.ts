import { OpenApi } from "effect/http-api"
import { isJsonObject, type JsonObject, rewrite } from "../api/openapi/JsonObject.ts"
import { mergeCopies } from "../api/openapi/mergeCopies.ts"
import { type OpenApiDocument } from "../api/openapi/openApi.ts"
import { tidySchema } from "../api/openapi/tidySchema.ts"
import { LenderApi } from "./LenderApi.ts"

/**
 * Allows additional fields in a schema: both sides ignore unknown fields, so that new versions of the protocol can add fields.
 */
const allowUnknownFields = ({ additionalProperties: _, ...schema }: JsonObject): JsonObject => tidySchema(schema)

const errorResponses = {
  "4XX": { description: "The call is invalid or not allowed. Lastro treats the lender as unavailable" },
  default: { description: "Lastro treats the lender as unavailable and does not read the body" }
}

const describe = ({ responses, security: _, ...operation }: JsonObject): JsonObject => ({
  ...operation,
  responses: { ...(isJsonObject(responses) ? responses : {}), ...errorResponses }
})

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : 1

const describeOperations = (item: unknown): unknown =>
  isJsonObject(item)
    ? Object.fromEntries(
      Object.entries(item).map(([method, operation]) =>
        [method, isJsonObject(operation) ? describe(operation) : operation] as const
      )
    )
    : item

/** Generates the OpenAPI 3.1 document of the lender protocol from the definition that the adapter uses. */
export const lenderOpenApi = (): OpenApiDocument => {
  const generated = rewrite(mergeCopies({ ...OpenApi.fromApi(LenderApi) }), allowUnknownFields) as OpenApiDocument
  const paths = Object.fromEntries(
    Object.entries(generated.paths).map(([path, item]) => [path, describeOperations(item) as JsonObject])
  )
  return {
    openapi: generated.openapi,
    info: generated["info"],
    servers: [{ url: "https://lender.example", description: "The URL that the operator configures" }],
    security: [{}, { bearer: [] }],
    tags: [{ name: "lender", description: "Operations that a lender serves" }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(generated.components.schemas).toSorted(byName)),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The token that the operator configures, if any" }
      }
    }
  }
}
