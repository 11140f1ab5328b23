import { type HttpApiGroup } from "effect/http-api"
import { type Api } from "../api/Api.ts"
import { type Operation } from "../pipeline/Operation.ts"
import { fgtsOperations } from "./fgts.ts"
import { groupOperations } from "./groups.ts"
import { partnerOperations } from "./partners.ts"
import { proposalOperations } from "./proposals.ts"
import { userOperations } from "./users.ts"

type Groups = (typeof Api)["groups"]

/** The names that the API definition gives to the operations of its groups. */
export type NameIn<G extends keyof Groups> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]

/** The operations that need a bearer token: those of every group but the ones that come before there is one. */
export type OperationName = NameIn<Exclude<keyof Groups, "token" | "system">>

/** Holds a record to exactly these names: a missing one and a surplus one alike do not compile. */
const exactly = <Names extends string>() =>
<T extends Readonly<Record<Names, Operation<unknown>>>>(
  record: T & Readonly<Record<Exclude<keyof T, Names>, never>>
): T => record

const all = exactly<OperationName>()({
  ...partnerOperations,
  ...userOperations,
  ...groupOperations,
  ...fgtsOperations,
  ...proposalOperations
})

type PortOf<O> = O extends Operation<infer R> ? R : never

/** The ports that the operations use. */
export type OperationPorts = PortOf<(typeof all)[OperationName]>

/** Every operation on behalf of a caller, by its name in the API definition. */
export const operations: Readonly<Record<OperationName, Operation<OperationPorts>>> = all
