import { AccountData } from "@lastro/domain/user"
import { HttpApi, OpenApi } from "effect/http-api"
import { version } from "../version/version.ts"
import { AuditApi } from "./AuditApi.ts"
import { CallbacksApi } from "./CallbacksApi.ts"
import { FgtsApi } from "./FgtsApi.ts"
import { GroupsApi } from "./GroupsApi.ts"
import { overview } from "./overview.ts"
import { PartnersApi } from "./PartnersApi.ts"
import { ProposalsApi } from "./ProposalsApi.ts"
import { SystemApi } from "./SystemApi.ts"
import { TokenApi } from "./TokenApi.ts"
import { UsersApi } from "./UsersApi.ts"

/** The HTTP API: all operations with their paths, records and errors. It contains no server code. */
export class Api extends HttpApi.make("lastro")
  .add(TokenApi)
  .add(PartnersApi)
  .add(UsersApi)
  .add(GroupsApi)
  .add(FgtsApi)
  .add(ProposalsApi)
  .add(AuditApi)
  .add(CallbacksApi)
  .add(SystemApi)
  .annotate(HttpApi.AdditionalSchemas, [AccountData])
  .annotateMerge(OpenApi.annotations({
    title: "Lastro",
    version,
    summary: "Partner hierarchies and FGTS loan origination",
    description: overview,
    license: { name: "MIT", identifier: "MIT" }
  }))
{}
