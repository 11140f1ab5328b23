import { type Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { Api, type NameIn, type OperationName } from "../api/Api.ts"

/** The properties of an endpoint that the router needs. */
interface Route {
  readonly method: string
  readonly path: `/${string}`
  /** The names of the path parameters, in order. */
  readonly ids: ReadonlyArray<string>
  /** The names of the query parameters. */
  readonly query: ReadonlySet<string>
  /** The HTTP status of a successful response. */
  readonly status: number
  /**
   * The properties next to `data`, if the body of a successful response is an object with the result in `data`.
   * Undefined for any other body.
   */
  readonly besideData: ReadonlyArray<string> | undefined
}

/** An endpoint that requires a bearer token. */
export interface OperationEndpoint extends Route {
  readonly kind: "operation"
  readonly name: OperationName
}

/** An endpoint of the API definition. */
export type Endpoint =
  | OperationEndpoint
  | Route & { readonly kind: "callback"; readonly name: NameIn<"callbacks"> }
  | Route & { readonly kind: "token"; readonly name: NameIn<"token"> }
  | Route & { readonly kind: "system"; readonly name: NameIn<"system"> }

const { callbacks, system, token, ...operationGroups } = Api.groups

const fieldsOf = (schema: Schema.Top | undefined): ReadonlyArray<string> =>
  schema !== undefined && SchemaAST.isObjects(schema.ast)
    ? schema.ast.propertySignatures.map(({ name }) => String(name))
    : []

const successes = new Map<string, Pick<Route, "status" | "besideData">>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint, successes: byStatus }) => {
    for (const [status, [schema]] of byStatus) {
      const fields = fieldsOf(schema)
      const besideData = fields.includes("data") ? fields.filter((name) => name !== "data") : undefined
      successes.set(endpoint.identifier, { status, besideData })
    }
  }
})

interface Defined<Name extends string> {
  readonly identifier: Name
  readonly method: string
  readonly path: string
  readonly query: Schema.Top | undefined
}

const routesOf = <Name extends string, Kind extends string>(
  kind: Kind,
  endpoints: Readonly<Record<string, Defined<Name>>>
) =>
  Object.values(endpoints).map(({ identifier, method, path, query }) => ({
    kind,
    name: identifier,
    method,
    path: path as `/${string}`,
    ids: Array.from(path.matchAll(/:([a-z_]+)/g), ([, name = ""]) => name),
    query: new Set(fieldsOf(query)),
    status: 200,
    besideData: undefined,
    ...successes.get(identifier)
  }))

/** Every endpoint of the API definition. */
export const endpoints: ReadonlyArray<Endpoint> = [
  ...routesOf<NameIn<"token">, "token">("token", token.endpoints),
  ...routesOf<NameIn<"callbacks">, "callback">("callback", callbacks.endpoints),
  ...routesOf<NameIn<"system">, "system">("system", system.endpoints),
  ...Object.values(operationGroups).flatMap((group) =>
    routesOf<OperationName, "operation">("operation", group.endpoints)
  )
]
