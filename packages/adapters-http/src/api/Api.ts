import { eventDataSchemas } from "@lastro/domain/event"
import { AccountData } from "@lastro/domain/user"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { version } from "../version/version.ts"
import { AuditApi } from "./AuditApi.ts"
import { CallbacksApi } from "./CallbacksApi.ts"
import { ClientsApi } from "./ClientsApi.ts"
import { CommissionsApi } from "./CommissionsApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { FgtsApi, LendersApi } from "./FgtsApi.ts"
import { overview } from "./overview.ts"
import { PartnersApi } from "./PartnersApi.ts"
import { ProposalsApi } from "./ProposalsApi.ts"
import { SystemApi } from "./SystemApi.ts"
import { TokenApi } from "./TokenApi.ts"
import { GroupsApi, UsersApi } from "./UsersApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

/** The HTTP API: all operations with their paths, records and errors. It contains no server code. */
export class Api extends HttpApi.make("lastro")
  .add(TokenApi)
  .add(PartnersApi)
  .add(UsersApi)
  .add(ClientsApi)
  .add(GroupsApi)
  .add(LendersApi)
  .add(FgtsApi)
  .add(ProposalsApi)
  .add(CommissionsApi)
  .add(AuditApi)
  .add(EventsApi)
  .add(WebhooksApi)
  .add(CallbacksApi)
  .add(SystemApi)
  .annotate(HttpApi.AdditionalSchemas, [AccountData, ...Object.values(eventDataSchemas)])
  .annotateMerge(OpenApi.annotations({
    title: "Lastro",
    version,
    summary: "Partner hierarchies and FGTS loan origination",
    description: overview,
    license: { name: "MIT", identifier: "MIT" }
  }))
{}

type Groups = (typeof Api)["groups"]

export type NameIn<G extends keyof Groups> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]

/** The names of all endpoints that require an access token. */
export type OperationName = NameIn<Exclude<keyof Groups, "callbacks" | "system" | "token">>
