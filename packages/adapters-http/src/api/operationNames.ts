import { type HttpApiGroup } from "effect/http-api"
import { type Api } from "./Api.ts"

type Groups = (typeof Api)["groups"]

/** The names of the endpoints of a group in the API definition. */
export type NameIn<G extends keyof Groups> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]

/** The names of the endpoints that require a bearer token. */
export type OperationName = NameIn<Exclude<keyof Groups, "token" | "system">>
