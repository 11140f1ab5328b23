import {
  type Caller,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  permits,
  updateUser,
  type UserId
} from "@lastro/domain"
import { Effect } from "effect"
import { operation, type PathParams } from "../pipeline/Operation.ts"
import { detailed, done, idIn, listed } from "./answers.ts"

const named = (params: PathParams) => idIn<UserId>(params, "user_uuid")

/** The user that a caller is; an API client is none. */
const self = ({ kind, subject }: Caller): PathParams => ({ user_uuid: kind === "user" ? subject : "" })

/** The operations on users, by their names in the API definition. */
export const userOperations = {
  listUsers: operation({
    authorize: permits.listUsers,
    body: "none",
    idempotent: false,
    handle: (allowed, { query }) => Effect.map(listUsers(allowed, query), listed)
  }),
  createUser: operation({
    authorize: permits.createUser,
    body: "json",
    idempotent: true,
    handle: (allowed, { body }) =>
      Effect.map(createUser(allowed, body), ({ temporary_password, ...user }) => ({
        status: 201,
        body: { data: temporary_password === undefined ? user : { ...user, temporary_password } },
        tagged: user,
        location: `/api/v1/users/${user.user_id}`,
        secret: temporary_password !== undefined
      }))
  }),
  getOwnUser: operation({
    authorize: (caller) => permits.getUser(caller, caller.subject),
    body: "none",
    idempotent: false,
    handle: (allowed) => Effect.map(Effect.flatMap(named(self(allowed.caller)), (id) => getUser(allowed, id)), detailed)
  }),
  getUser: operation({
    authorize: (caller, params) => permits.getUser(caller, params["user_uuid"] ?? ""),
    body: "none",
    idempotent: false,
    handle: (allowed, { params }) => Effect.map(Effect.flatMap(named(params), (id) => getUser(allowed, id)), detailed)
  }),
  updateUser: operation({
    authorize: (caller, params) => permits.updateUser(caller, params["user_uuid"] ?? ""),
    body: "json",
    idempotent: false,
    handle: (allowed, { body, expected, params }) =>
      Effect.map(Effect.flatMap(named(params), (id) => updateUser(allowed, id, body, expected)), detailed)
  }),
  deleteUser: operation({
    authorize: permits.deleteUser,
    body: "none",
    idempotent: false,
    handle: (allowed, { expected, params }) =>
      Effect.as(Effect.flatMap(named(params), (id) => deleteUser(allowed, id, expected)), done)
  })
}
