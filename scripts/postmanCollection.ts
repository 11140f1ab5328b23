import { type ApiOperation, type OpenApiDocument, operationsOf } from "./clientSource.ts"

/** The variables of the collection that replace path parameters. */
const pathVariables: Readonly<Record<string, string>> = {
  id: "application_id",
  partner_uuid: "partner_id",
  user_uuid: "user_id",
  proposal_uuid: "proposal_id",
  client_id: "api_client_id"
}

const variables: Readonly<Record<string, string>> = {
  base_url: "http://127.0.0.1:3000",
  client_id: "",
  client_secret: "",
  access_token: "",
  cpf: "11144477735",
  etag: "",
  partner_id: "",
  user_id: "",
  application_id: "",
  offer_id: "",
  proposal_id: "",
  webhook_id: "",
  event_id: "",
  api_client_id: "",
  lender: "sandbox"
}

/** Stores the ids and the ETag of every response. Runs after each request. */
const storeIds = `const text = pm.response.text()
const answer = text.startsWith("{") ? JSON.parse(text) : {}
const record = answer.data && !Array.isArray(answer.data) ? answer.data : answer
const store = (name, value) => { if (typeof value === "string") pm.collectionVariables.set(name, value) }
for (const name of ["partner_id", "user_id", "application_id", "proposal_id", "webhook_id", "event_id"]) {
  store(name, record[name])
}
store("lender", answer.data && answer.data[0] && answer.data[0].code)
store("access_token", record.access_token)
if (record.client_id !== pm.collectionVariables.get("client_id")) store("api_client_id", record.client_id)
store("offer_id", record.quote && record.quote.offers[0] && record.quote.offers[0].offer_id)
store("etag", pm.response.headers.get("ETag"))`

/** Sends the request again while the next action is one of these. Only for runs of the whole folder. */
const repeatWhile = (...actions: ReadonlyArray<string>): string =>
  `if (pm.response.code === 304 || ${JSON.stringify(actions)}.includes(pm.response.json().next_action)) {
  pm.execution.setNextRequest(pm.info.requestName)
}`

const script = (listen: "test" | "prerequest", text: string) => ({
  listen,
  script: { type: "text/javascript", exec: text.split("\n") }
})

interface Overrides {
  readonly name?: string
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly test?: string
}

const exampleOf = ({ operation: { requestBody } }: ApiOperation): unknown => {
  const { example, examples } = requestBody?.content["application/json"] ?? {}
  return example ?? Object.values(examples ?? {})[0]?.value ?? {}
}

const takes = ({ operation: { parameters = [] } }: ApiOperation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name)

/** Makes a request of the collection. Optional parameters are present but disabled. */
const requestOf = (target: ApiOperation, { body, headers = {}, name, query = {}, test }: Overrides = {}) => {
  const { method, operation, path } = target
  const { description, parameters = [], requestBody, security = [], summary } = operation
  const segments = path.slice(1).split("/").map((segment) =>
    segment.replace(/^\{(\w+)\}$/, (_, parameter: string) => `{{${pathVariables[parameter] ?? parameter}}}`)
  )
  const queries = parameters.filter((parameter) => parameter.in === "query").map((parameter) => ({
    key: parameter.name,
    value: query[parameter.name] ?? "",
    description: parameter.description ?? "",
    disabled: query[parameter.name] === undefined
  }))
  const enabled = queries.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  const isForm = operation.tags.includes("token")
  const isFile = requestBody?.content["text/csv"] !== undefined
  const content = body ?? exampleOf(target)
  const postmanBody = () => {
    if (isForm) {
      const urlencoded = Object.entries(content as object).map(([key, value]) => ({ key, value: String(value) }))
      return { mode: "urlencoded", urlencoded }
    }
    const raw = isFile ? requestBody.content["text/csv"]?.example : JSON.stringify(content, null, 2)
    return { mode: "raw", raw, options: { raw: { language: isFile ? "text" : "json" } } }
  }
  return {
    name: name ?? summary,
    ...test === undefined ? {} : { event: [script("test", test)] },
    request: {
      method,
      description,
      ...security.length === 0 ? { auth: { type: "noauth" } } : {},
      header: [
        ...requestBody === undefined || isForm
          ? []
          : [{ key: "Content-Type", value: isFile ? "text/csv" : "application/json" }],
        ...takes(target, "Idempotency-Key") ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : [],
        ...takes(target, "If-Match") ? [{ key: "If-Match", value: "{{etag}}", disabled: true }] : [],
        ...Object.entries(headers).map(([key, value]) => ({ key, value }))
      ],
      url: {
        raw: `{{base_url}}/${segments.join("/")}${enabled.length === 0 ? "" : `?${enabled.join("&")}`}`,
        host: ["{{base_url}}"],
        path: segments,
        query: queries
      },
      ...requestBody === undefined ? {} : { body: postmanBody() }
    }
  }
}

const clientGrant = {
  grant_type: "client_credentials",
  client_id: "{{client_id}}",
  client_secret: "{{client_secret}}"
}

/** Returns the bodies that differ from the examples, because they name records. */
const bodiesOf = (find: (operationId: string) => ApiOperation): Readonly<Record<string, object>> => {
  const atPartner = (operationId: string) => ({ ...Object(exampleOf(find(operationId))), partner_id: "{{partner_id}}" })
  return {
    issueToken: clientGrant,
    revokeToken: { token: "{{access_token}}", client_id: "{{client_id}}", client_secret: "{{client_secret}}" },
    putRouting: { strategy: "ALL", lenders: ["{{lender}}"] },
    createCommissionPlan: { valid_from: "2030-01-01", rates: [{ lender: null, table: null, of_parent: 60 }] },
    adjustCommission: atPartner("adjustCommission"),
    closeCommissions: { ...atPartner("closeCommissions"), period: "2025-12" },
    createCommissionPayout: { ...atPartner("createCommissionPayout"), period: "2025-12" }
  }
}

/** The requests of a loan, in order. */
const loanOf = (find: (operationId: string) => ApiOperation) => {
  const application = exampleOf(find("createApplication")) as { readonly customer: object }
  const kyc = exampleOf(find("submitKyc")) as object
  const cpf = "{{cpf}}"
  const terms_accepted = true
  return [
    requestOf(find("issueToken"), { name: "Get a token", body: clientGrant }),
    requestOf(find("createApplication"), {
      name: "Create an application",
      body: { ...application, external_id: "loan-{{$timestamp}}", customer: { ...application.customer, cpf } }
    }),
    requestOf(find("getApplicationStatus"), {
      name: "Wait for the offers",
      query: { wait: "30" },
      test: repeatWhile("WAIT")
    }),
    requestOf(find("submitKyc"), { name: "Submit the KYC", body: { ...kyc, cpf } }),
    requestOf(find("getApplication"), { name: "Read the offers" }),
    requestOf(find("acceptOffer"), { name: "Accept the best offer", body: { terms_accepted } }),
    requestOf(find("getApplicationStatus"), {
      name: "Wait for the payment",
      query: { wait: "30" },
      headers: { "If-None-Match": "{{etag}}" },
      test: repeatWhile("WAIT", "SIGN")
    }),
    requestOf(find("getProposal"), { name: "Read the proposal" })
  ]
}

/** Returns the collection of all operations in Postman's format 2.1: a loan, then a folder per tag. */
export const postmanCollection = (document: OpenApiDocument): object => {
  const operations = operationsOf(document)
  const find = (operationId: string): ApiOperation => {
    const found = operations.find(({ operation }) => operation.operationId === operationId)
    if (found === undefined) throw new Error(`The collection uses ${operationId}, which does not exist`)
    return found
  }
  const bodies = bodiesOf(find)
  // The tokens come last, because a revoked token ends the run.
  const tags = document.tags.toSorted((a, b) => Number(a.name === "token") - Number(b.name === "token"))
  const folders = tags.flatMap(({ description, name }) => {
    // Deletions come last, because the other requests need the record.
    const item = operations.filter(({ operation }) => operation.tags.includes(name))
      .toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
      .map((target) => {
        const { operationId } = target.operation
        const body = bodies[operationId]
        return requestOf(target, {
          ...body === undefined ? {} : { body },
          ...operationId === "compareCommissionStatement" ? { query: { period: "2025-12", lender: "sandbox" } } : {}
        })
      })
    return item.length === 0 ? [] : [{ name, description, item }]
  })
  return {
    info: {
      name: "Lastro",
      description:
        "The API of Lastro. Set `base_url`, `client_id` and `client_secret`, then run the folder \"A loan\" in order. " +
        "Each answer stores its ids and its ETag in variables. Generated from the OpenAPI document.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{access_token}}", type: "string" }] },
    event: [script("test", storeIds)],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: "string" })),
    item: [
      { name: "A loan", description: "The requests of a loan, from the token to the payment.", item: loanOf(find) },
      ...folders
    ]
  }
}
