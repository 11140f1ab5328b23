// The endpoints of the benchmark, written as in Effect's documentation of APIs.
import { Context, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"

const text = Schema.String
const nullableText = Schema.NullOr(text)
const nullableJson = Schema.NullOr(Schema.Record(text, Schema.Unknown))
const metadata = Schema.Record(text, Schema.Unknown)

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}, { httpApiStatus: 404 }) {}
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {}, { httpApiStatus: 403 }) {}
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}, { httpApiStatus: 401 }) {}

export const PartnerBody = Schema.Struct({
  partner_id: text,
  name: text,
  status: text,
  email: text,
  phone: text,
  pix: nullableJson,
  address: nullableJson,
  document_number: text,
  person_type: text,
  created_at: Schema.DateFromString,
  parent_id: nullableText,
  bank_account: nullableJson,
  metadata: Schema.optionalKey(metadata)
})

export const UserItem = Schema.Struct({
  user_id: text,
  name: text,
  email: text,
  phone: text,
  cpf: text,
  status: text,
  group: Schema.Struct({ group_id: text, slug: text, label: text }),
  must_change_password: Schema.Boolean,
  created_at: Schema.DateFromString,
  partner_id: text,
  metadata
})

const UsersPage = Schema.Struct({
  content: Schema.Array(UserItem),
  page: Schema.Struct({ number: Schema.Int, size: Schema.Int, total_elements: Schema.Int, total_pages: Schema.Int }),
  sort: Schema.Array(Schema.Struct({ property: text, direction: text }))
})

/** The authenticated user of a request. */
interface Caller {
  readonly partner_id: string
  readonly permissions: ReadonlySet<string>
}

export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("bench/usual/CurrentCaller") {}

export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentCaller }>()(
  "bench/usual/Authorization",
  { security: { bearer: HttpApiSecurity.bearer }, error: Unauthorized }
) {}

class Records extends HttpApiGroup.make("records")
  .add(
    HttpApiEndpoint.get("partner", "/partners/:id", {
      params: { id: text },
      success: Schema.Struct({ data: PartnerBody }),
      error: [NotFound, Forbidden]
    }),
    HttpApiEndpoint.get("users", "/users", {
      query: { page: Schema.optionalKey(text), size: Schema.optionalKey(text), sort: Schema.optionalKey(text) },
      success: UsersPage,
      error: Forbidden
    })
  )
  .middleware(Authorization)
  .prefix("/api/v1")
{}

class Health extends HttpApiGroup.make("health").add(
  HttpApiEndpoint.get("live", "/health/live", { success: Schema.Struct({ status: text }) })
) {}

export class Api extends HttpApi.make("bench").add(Records).add(Health) {}
