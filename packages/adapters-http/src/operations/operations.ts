import { operations as table } from "@lastro/domain/operation"
import { type HttpApiGroup } from "effect/http-api"
import { type Api } from "../api/Api.ts"
import { type Operation } from "../pipeline/Operation.ts"

type Groups = (typeof Api)["groups"]

/** The names of the endpoints of a group in the API definition. */
export type NameIn<G extends keyof Groups> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]

/** The names of the endpoints that require a bearer token. */
export type OperationName = NameIn<Exclude<keyof Groups, "token" | "system">>

/** Returns a record unchanged. Compiles only if it has exactly these names. */
const exactly = <Names extends string>() =>
<T extends Readonly<Record<Names, Operation<unknown>>>>(
  record: T & Readonly<Record<Exclude<keyof T, Names>, never>>
): T => record

const all = exactly<OperationName>()(table)

type PortOf<O> = O extends Operation<infer R> ? R : never

/** The ports that the operations use. */
export type OperationPorts = PortOf<(typeof all)[OperationName]>

/** The operations of the domain. An endpoint without an operation does not compile, nor does an operation without an endpoint. */
export const operations: Readonly<Record<OperationName, Operation<OperationPorts>>> = all
