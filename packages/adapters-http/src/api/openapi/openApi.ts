import { permissions } from "@lastro/domain/access"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Api } from "../Api.ts"
import { errorResponsesOf } from "../errorResponses.ts"
import { TokenApi } from "../TokenApi.ts"
import { acceptNulls } from "./acceptNulls.ts"
import { describeOperation } from "./describeOperation.ts"
import { sharedErrorExamples } from "./errorResponse.ts"
import { headers } from "./headers.ts"
import { isJsonObject, type JsonObject, mergeCopies, rewrite } from "./JsonObject.ts"
import { parameters } from "./parameters.ts"
import { schemaKeys, tidySchema } from "./tidySchema.ts"
import { webhookParameters, webhooks } from "./webhooks.ts"

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly webhooks: Readonly<Record<string, JsonObject>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>
    readonly [kind: string]: JsonObject
  }
}

const endpoints = (): ReadonlyArray<HttpApiEndpoint.Top> => {
  const all: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(Api, { onGroup: () => undefined, onEndpoint: ({ endpoint }) => all.push(endpoint) })
  return all
}

const pathOf = ({ path }: HttpApiEndpoint.Top): string => path.replace(/:(\w+)/g, "{$1}")

const describePaths = (generated: JsonObject, schemas: JsonObject): OpenApiDocument["paths"] => {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of endpoints()) {
    const path = pathOf(endpoint)
    const method = endpoint.method.toLowerCase()
    const item = generated[path]
    const operation = isJsonObject(item) ? item[method] : undefined
    if (!isJsonObject(operation)) throw new Error(`${method} ${path} was not generated`)
    paths[path] = { ...paths[path], [method]: describeOperation(endpoint, operation, schemas) }
  }
  return paths
}

const fieldsOf = (schema: unknown): ReadonlyArray<string> =>
  isJsonObject(schema) && isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : []

/** Adds a reference to the component `Data` to every other component that has all fields of `Data`. */
const extendData = (schemas: JsonObject): JsonObject => {
  const { additionalProperties: _, ...data } = schemas["Data"] as JsonObject
  const common = fieldsOf(data)
  const extended = Object.entries(schemas).map(([name, schema]) =>
    isJsonObject(schema) && common.every((field) => fieldsOf(schema).includes(field))
      ? [name, { allOf: [{ $ref: "#/components/schemas/Data" }], ...schema }] as const
      : [name, schema] as const
  )
  return { ...Object.fromEntries(extended), Data: data }
}

/** Allows additional fields in token requests, because unknown parameters are ignored (RFC 6749 §3.2). */
const openTokenRequests = (object: JsonObject): JsonObject => {
  const { properties } = object
  const isTokenRequest = isJsonObject(properties) && ("grant_type" in properties || "token_type_hint" in properties)
  return isTokenRequest ? { ...object, additionalProperties: true } : object
}

const securitySchemes = (bearer: unknown, basePath: string): JsonObject => {
  const { issueToken } = TokenApi.endpoints
  const flow = {
    tokenUrl: `${basePath}${issueToken.path}`,
    scopes: Object.fromEntries(permissions.map((permission) => {
      const [records, access] = permission.split(":")
      return [permission, `${access === "read" ? "Read" : "Change"} ${records}`]
    }))
  }
  return {
    bearer: { ...(isJsonObject(bearer) ? bearer : {}), scheme: "bearer" },
    oauth2: {
      type: "oauth2",
      description: "Requests an access token for an API client (with its secret) or for a user (with a password).",
      flows: { clientCredentials: flow, password: flow }
    }
  }
}

/**
 * Generates the OpenAPI 3.1 document from {@link Api} and the annotations of the domain's schemas. `basePath` is the
 * path prefix of the API, such as `/lending`.
 */
export const openApi = (basePath = ""): OpenApiDocument => {
  const generated = rewrite(
    rewrite(mergeCopies({ ...OpenApi.fromApi(Api, schemaKeys) }), tidySchema),
    openTokenRequests
  ) as OpenApiDocument
  const { components, info, openapi, paths, tags } = generated
  const described = describePaths(paths, components.schemas)
  const codes = new Set(endpoints().flatMap(errorResponsesOf).flatMap((refusal) => refusal.codes))
  return {
    openapi,
    info,
    servers: [{ url: basePath === "" ? "/" : basePath, description: "This server" }],
    tags,
    paths: described,
    webhooks,
    components: {
      schemas: extendData(
        acceptNulls({ paths: described, webhooks }, components.schemas)
      ) as OpenApiDocument["components"]["schemas"],
      parameters: { ...parameters, ...webhookParameters },
      headers,
      examples: sharedErrorExamples(codes),
      securitySchemes: securitySchemes(components["securitySchemes"]?.["bearer"], basePath)
    }
  }
}
