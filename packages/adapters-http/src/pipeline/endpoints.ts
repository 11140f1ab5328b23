import { type Schema, SchemaAST } from "effect"
import { Api } from "../api/Api.ts"
import { type NameIn, type OperationName } from "../operations/operations.ts"

/** An endpoint of the API definition, as far as routing needs it. `name` is known to be the group's. */
export type Endpoint =
  & {
    readonly method: string
    readonly path: `/${string}`
    /** The names of its query parameters. */
    readonly query: ReadonlySet<string>
  }
  & (
    | { readonly kind: "operation"; readonly name: OperationName }
    | { readonly kind: "token"; readonly name: NameIn<"token"> }
    | { readonly kind: "system"; readonly name: NameIn<"system"> }
  )

const { system, token, ...others } = Api.groups

const namesOf = (query: Schema.Top | undefined): ReadonlySet<string> =>
  new Set(
    query !== undefined && SchemaAST.isObjects(query.ast)
      ? query.ast.propertySignatures.map(({ name }) => String(name))
      : []
  )

interface Defined<Name extends string> {
  readonly identifier: Name
  readonly method: string
  readonly path: string
  readonly query: Schema.Top | undefined
}

const listed = <Name extends string, Kind extends string>(
  kind: Kind,
  endpoints: Readonly<Record<string, Defined<Name>>>
) =>
  Object.values(endpoints).map(({ identifier, method, path, query }) => ({
    kind,
    name: identifier,
    method,
    path: path as `/${string}`,
    query: namesOf(query)
  }))

/** Every endpoint of the API definition. */
export const endpoints: ReadonlyArray<Endpoint> = [
  ...listed<NameIn<"token">, "token">("token", token.endpoints),
  ...listed<NameIn<"system">, "system">("system", system.endpoints),
  ...Object.values(others).flatMap((group) => listed<OperationName, "operation">("operation", group.endpoints))
]
