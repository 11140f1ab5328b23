import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { isJsonObject, type JsonObject, mergeCopies, rewrite } from "../../api/openapi/JsonObject.ts"
import { type OpenApiDocument } from "../../api/openapi/openApi.ts"
import { tidySchema } from "../../api/openapi/tidySchema.ts"
import { LenderApi } from "./LenderApi.ts"
import { Callback } from "./lenderCallback.ts"
import { InvalidData } from "./LenderContracts.ts"

/**
 * Allows additional fields in a schema. Both sides ignore unknown fields, so new versions of the protocol can add some.
 */
const allowUnknownFields = ({ additionalProperties: _, ...schema }: JsonObject): JsonObject => tidySchema(schema)

const errorResponses = {
  "4XX": { description: "The call is invalid or not allowed. Lastro treats the lender as unavailable" },
  429: { description: "There are too many calls. Lastro repeats the call after `Retry-After`" },
  default: { description: "Lastro treats the lender as unavailable and does not read the body" }
}

const protocolHeader = "Lastro-Lender-Protocol"

/** The response to a submission whose data the lender rejects. */
const invalidData = {
  description: "The lender refuses the data of the submission, and keeps nothing of it. The body is optional",
  content: { "application/json": { schema: { $ref: "#/components/schemas/InvalidData" } } }
}

const refusedDestination = {
  description: "The lender refuses the destination. The payment is DISBURSEMENT_FAILED again"
}

const refusedExit = {
  description: "The lender refuses this for the contract, for good. Lastro does not repeat the call"
}

/** The error responses with a specific meaning, by operation. */
const refusals: Readonly<Record<string, JsonObject>> = {
  submit: { 400: invalidData, 422: invalidData },
  resubmit: { 400: refusedDestination, 422: refusedDestination },
  cancel: { 409: refusedExit, 422: refusedExit },
  refund: { 409: refusedExit, 422: refusedExit },
  signatureLink: { 409: refusedExit, 422: refusedExit }
}

const versionHeader = {
  [protocolHeader]: {
    description: "`2` if the lender speaks version 2; absent otherwise",
    schema: { type: "string", const: "2" }
  }
}

const describe = ({ parameters, responses, security: _, ...operation }: JsonObject): JsonObject => ({
  ...operation,
  parameters: [
    ...(Array.isArray(parameters) ? parameters : []),
    {
      name: protocolHeader,
      in: "header",
      required: true,
      schema: { type: "string", const: "2" },
      description: "Offers version 2"
    }
  ],
  responses: {
    ...Object.fromEntries(
      Object.entries(isJsonObject(responses) ? responses : {}).map(([status, response]) =>
        [status, isJsonObject(response) ? { ...response, headers: versionHeader } : response] as const
      )
    ),
    ...refusals[String(operation["operationId"])],
    ...errorResponses
  }
})

/** An API only for generating the schemas of bodies that no operation of {@link LenderApi} has. */
const otherBodies = HttpApi.make("others").add(
  HttpApiGroup.make("others").add(HttpApiEndpoint.post("other", "/other", { payload: Callback, success: InvalidData }))
)

/** The callback, which the lender sends to Lastro. */
const callback = {
  post: {
    operationId: "callback",
    summary: "Announce a change",
    description: "Version 2. The lender announces that a quote or a contract has changed. Lastro then reads it.",
    tags: ["lender"],
    security: [{}],
    parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
      name,
      in: "header",
      required: true,
      schema: { type: "string" },
      description: "A header of Standard Webhooks 1.0"
    })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/Callback" } } }
    },
    responses: {
      204: { description: "The callback is authentic, or is about nothing that Lastro knows" },
      401: { description: "The signature is wrong, or the timestamp is too old" }
    }
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : 1

const describeOperations = (item: unknown): unknown =>
  isJsonObject(item)
    ? Object.fromEntries(
      Object.entries(item).map(([method, operation]) =>
        [method, isJsonObject(operation) ? describe(operation) : operation] as const
      )
    )
    : item

/** Generates the OpenAPI 3.1 document of the lender protocol. */
export const lenderOpenApi = (): OpenApiDocument => {
  const generated = rewrite(mergeCopies({ ...OpenApi.fromApi(LenderApi) }), allowUnknownFields) as OpenApiDocument
  const others = rewrite(mergeCopies({ ...OpenApi.fromApi(otherBodies) }), allowUnknownFields) as OpenApiDocument
  const schemas = { ...generated.components.schemas, ...others.components.schemas }
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
    webhooks: { callback },
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(byName)),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The token that the operator configures, if any" }
      }
    }
  }
}
