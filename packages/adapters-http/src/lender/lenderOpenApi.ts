import { OpenApi } from "effect/http-api"
import { type OpenApiDocument } from "../api/openApi.ts"
import { isJsonObject, type JsonObject, rewrite } from "../api/openapi/JsonObject.ts"
import { mergeCopies } from "../api/openapi/mergeCopies.ts"
import { tidySchema } from "../api/openapi/tidySchema.ts"
import { LenderApi } from "./LenderApi.ts"

/** Fields that are not named are ignored, ours by the lender and the lender's by us: a protocol that can grow. */
const open = ({ additionalProperties: _, ...schema }: JsonObject): JsonObject => tidySchema(schema)

const otherwise = {
  "4XX": { description: "The call is not understood or not allowed: the lender counts as not available" },
  default: { description: "Anything else means that the lender is not available. Its body is not read" }
}

const describe = ({ responses, security: _, ...operation }: JsonObject): JsonObject => ({
  ...operation,
  responses: { ...(isJsonObject(responses) ? responses : {}), ...otherwise }
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

/** The lender protocol as an OpenAPI 3.1 document, made of the definition that the adapter itself speaks by. */
export const lenderOpenApi = (): OpenApiDocument => {
  const generated = rewrite(mergeCopies({ ...OpenApi.fromApi(LenderApi) }), open) as OpenApiDocument
  const paths = Object.fromEntries(
    Object.entries(generated.paths).map(([path, item]) => [path, describeOperations(item) as JsonObject])
  )
  return {
    openapi: generated.openapi,
    info: generated["info"],
    servers: [{ url: "https://lender.example", description: "Where the operator says that the lender is" }],
    security: [{}, { bearer: [] }],
    tags: [{ name: "lender", description: "What a lender serves" }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(generated.components.schemas).toSorted(byName)),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The token that the operator was given, if one is" }
      }
    }
  }
}
