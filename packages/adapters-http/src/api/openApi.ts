import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { describeOperation } from "./openapi/describeOperation.ts"
import { describeRecords } from "./openapi/describeRecords.ts"
import { headers } from "./openapi/headers.ts"
import { isJsonObject, type JsonObject, rewrite } from "./openapi/JsonObject.ts"
import { mergeCopies } from "./openapi/mergeCopies.ts"
import { parameters } from "./openapi/parameters.ts"
import { sharedErrorExamples } from "./openapi/refusalResponse.ts"
import { schemaKeys } from "./openapi/schemaKeys.ts"
import { tidySchema } from "./openapi/tidySchema.ts"
import { refusalsOf } from "./refusals.ts"

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>
    readonly [kind: string]: JsonObject
  }
}

const endpoints = (): ReadonlyArray<HttpApiEndpoint.Top> => {
  const found: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(Api, { onGroup: () => undefined, onEndpoint: ({ endpoint }) => found.push(endpoint) })
  return found
}

const pathOf = ({ path }: HttpApiEndpoint.Top): string => path.replace(/:(\w+)/g, "{$1}")

const describePaths = (generated: JsonObject): OpenApiDocument["paths"] => {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of endpoints()) {
    const path = pathOf(endpoint)
    const method = endpoint.method.toLowerCase()
    const item = generated[path]
    const operation = isJsonObject(item) ? item[method] : undefined
    if (!isJsonObject(operation)) throw new Error(`${method} ${path} was not generated`)
    paths[path] = { ...paths[path], [method]: describeOperation(endpoint, operation) }
  }
  return paths
}

/**
 * The description of the API as an OpenAPI 3.1 document, made of the definition {@link Api} and of the schemas of the
 * domain: every operation with its parameters, headers, refusals and examples. `basePath` is what comes before its paths
 * where it is served below one, such as `/lending`.
 */
export const openApi = (basePath = ""): OpenApiDocument => {
  const generated = rewrite(mergeCopies({ ...OpenApi.fromApi(Api, schemaKeys) }), tidySchema) as OpenApiDocument
  const { components, info, openapi, paths, tags } = generated
  const codes = new Set(endpoints().flatMap(refusalsOf).flatMap((refusal) => refusal.codes))
  return {
    openapi,
    info,
    servers: [{ url: basePath === "" ? "/" : basePath, description: "The server that answers this document" }],
    tags,
    paths: describePaths(paths),
    components: {
      schemas: describeRecords(components.schemas) as OpenApiDocument["components"]["schemas"],
      parameters,
      headers,
      examples: sharedErrorExamples(codes),
      securitySchemes: {
        ...components["securitySchemes"],
        client: {
          type: "http",
          scheme: "basic",
          description: "An API client's `client_id` and `client_secret`, for the token operation only (RFC 6749 §2.3.1)"
        }
      }
    }
  }
}
