import { chooseByQuery, operations as table } from "@lastro/domain/operation"
import { isApplicationSearch } from "@lastro/domain/origination"
import { type OperationName } from "../api/operationNames.ts"
import { type Operation } from "../pipeline/serveOperation.ts"

/** Returns a record unchanged. Compiles only if the keys of the record are exactly these names. */
const exactly = <Names extends string>() =>
<T extends Readonly<Record<Names, Operation<unknown>>>>(
  record: T & Readonly<Record<Exclude<keyof T, Names>, never>>
): T => record

const { listApplications, searchApplications, ...others } = table

/** The endpoint `GET /fgts/applications` serves two operations: the list, and the search by `external_id`. */
const all = exactly<OperationName>()({
  ...others,
  listApplications: chooseByQuery(isApplicationSearch, searchApplications, listApplications)
})

type PortOf<O> = O extends Operation<infer R> ? R : never

/** The ports that the operations use. */
export type OperationPorts = PortOf<(typeof all)[OperationName]>

/** The operations of the domain. An endpoint without an operation does not compile, nor does an operation without an endpoint. */
export const operations: Readonly<Record<OperationName, Operation<OperationPorts>>> = all
