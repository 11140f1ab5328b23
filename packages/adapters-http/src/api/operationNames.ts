import { type HttpApiGroup } from "effect/http-api"
import { type Api } from "./Api.ts"

type Groups = (typeof Api)["groups"]

/** The endpoint names of one group of the API definition. */
export type NameIn<G extends keyof Groups> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]

/** The names of all endpoints that require an access token. */
export type OperationName = NameIn<Exclude<keyof Groups, "callbacks" | "system" | "token">>
