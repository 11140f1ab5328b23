import { listGroups, permits } from "@lastro/domain"
import { Effect } from "effect"
import { operation } from "../pipeline/Operation.ts"
import { listed } from "./answers.ts"

/** The operations on groups, by their names in the API definition. */
export const groupOperations = {
  listGroups: operation({
    authorize: permits.listGroups,
    body: "none",
    idempotent: false,
    handle: (allowed) => Effect.succeed(listed({ data: listGroups(allowed) }))
  })
}
