import { type Caller } from "../harness/callers.ts"
import { type Ask } from "../harness/load.ts"

/** An operation that both servers implement. */
export interface Operation {
  readonly name: string
  /**
   * Returns the requests of the load, as one list per connection. With the number `run`, each run can send other
   * requests.
   */
  readonly lanes: (callers: ReadonlyArray<Caller>, run: number) => ReadonlyArray<ReadonlyArray<Ask>>
  /** Returns requests that are not measured. Only the responses of both servers to them are compared. */
  readonly compared: (caller: Caller) => ReadonlyArray<Ask>
}

/**
 * Returns at most 16 copies of a list of requests. Each copy starts with a different request, in the same cyclic order.
 */
const rotated = (asks: ReadonlyArray<Ask>): ReadonlyArray<ReadonlyArray<Ask>> => {
  const lanes = Math.min(16, asks.length)
  const starts = Array.from({ length: lanes }, (_, lane) => Math.floor(lane * asks.length / lanes))
  return starts.map((start) => [...asks.slice(start), ...asks.slice(0, start)])
}

/** Takes the first element of each list, then the second of each, and so on. Skips lists that have ended. */
const inTurn = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> =>
  Array.from(
    { length: Math.max(0, ...lists.map(({ length }) => length)) },
    (_, index) => lists.flatMap((list) => list.slice(index, index + 1))
  ).flat()

const list = (name: string, path: string, queries: ReadonlyArray<string>): Operation => ({
  name,
  lanes: (callers) => rotated(callers.map(({ token }) => ({ path, token }))),
  compared: ({ token }) =>
    [path, ...queries.map((query) => path + (path.includes("?") ? "&" : "?") + query)].map((path) => ({ path, token }))
})

const pages = ["page=1", "page=3&size=7", "page=100000", "page=x", "size=1000", "sort=created_at,asc"]

const byId = (
  name: string,
  path: (id: string) => string,
  idsOf: (caller: Caller) => ReadonlyArray<string>,
  otherOf: (caller: Caller) => string | null
): Operation => ({
  name,
  lanes: (callers) => {
    const asks = callers.map((caller) => idsOf(caller).map((id) => ({ path: path(id), token: caller.token })))
    return rotated(inTurn(asks))
  },
  compared: (caller) => {
    const ids = [
      ...idsOf(caller),
      ...idsOf(caller).slice(0, 1).map((id) => id.toUpperCase()),
      otherOf(caller) ?? [],
      "01900000-0000-7000-8000-000000000000",
      "not-an-id"
    ].flat()
    return ids.map((id) => ({ path: path(id), token: caller.token }))
  }
})

const partnerPath = (id: string): string => `/api/v1/partners/${id}`

/**
 * Makes requests that change the names of partners. Each of at most 64 connections changes at least three partners,
 * which no other connection changes. Each request changes the stored name.
 */
const patchLanes: Operation["lanes"] = (callers, run) => {
  const tokens = new Map(callers.flatMap(({ partners, token }) => partners.map((id) => [id, token] as const)))
  const partners = [...tokens.keys()]
  const lanes = Math.min(64, Math.floor(partners.length / 3))
  return Array.from(
    { length: lanes },
    (_, lane) =>
      [1, 2].flatMap((turn) =>
        partners.filter((_, index) => index % lanes === lane).map((id): Ask => ({
          method: "PATCH",
          path: partnerPath(id),
          token: tokens.get(id),
          body: { partner: { name: `Crédito e Soluções ${run} ${turn}` } }
        }))
      )
  )
}

export const operations: ReadonlyArray<Operation> = [
  byId("partner", partnerPath, ({ partners }) => partners.slice(0, 20), ({ other_partner }) => other_partner),
  list("partners", "/api/v1/partners", [...pages, "sort=name", "status=active&sort=email,desc"]),
  list("users", "/api/v1/users", [...pages, "sort=full_name", "sort=email,desc&sort=name"]),
  list("users-filtered", "/api/v1/users?full_name=quaresmeira&sort=name,asc", [
    ...pages.filter((query) => !query.startsWith("sort")),
    "status=ACTIVE",
    "full_name=Jos%C3%A9"
  ]),
  list("proposals", "/api/v1/proposals", [...pages, "sort=net_amount,desc", "status=PAID"]),
  byId(
    "status",
    (id) => `/api/v1/fgts/applications/${id}/status`,
    ({ applications }) => applications,
    ({ other_application }) => other_application
  ),
  {
    name: "patch-partner",
    lanes: patchLanes,
    compared: ({ other_partner, token }) =>
      [other_partner ?? [], "01900000-0000-7000-8000-000000000000", "not-an-id"].flat().map((id) => ({
        method: "PATCH",
        path: partnerPath(id),
        token,
        body: { partner: { name: "Crédito" } }
      }))
  }
]

/** Returns the operation with this name. */
export const operationOf = (name: string): Operation => {
  const operation = operations.find((candidate) => candidate.name === name)
  if (operation !== undefined) return operation
  throw new Error(`There is no operation ${name}: ${operations.map(({ name }) => name).join(", ")}`)
}

/** Returns the requests of an operation, as one list per connection. */
export const lanesOf = (name: string, ...inputs: Parameters<Operation["lanes"]>) => operationOf(name).lanes(...inputs)
