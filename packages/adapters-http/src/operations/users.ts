import {
  authorize,
  authorizeUserPatch,
  authorizeUserRead,
  type Caller,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  updateUser,
  type UserId
} from "@lastro/domain"
import { Effect, Option } from "effect"
import { nobody, operation, type PathParams } from "../pipeline/Operation.ts"
import { detailed, done, existing, idIn, listed } from "./answers.ts"

const named = (params: PathParams): Option.Option<UserId> => idIn<UserId>(params, "user_uuid")

/** The user that a caller is; none for an API client. */
const self = (caller: Caller): Option.Option<UserId> =>
  caller.kind === "user" ? Option.some(caller.subject as UserId) : Option.none()

const orNobody = Option.getOrElse(() => nobody)

/** The operations on users, by their names in the API definition. */
export const userOperations = {
  listUsers: operation({
    authorize: (caller) => authorize(caller, "users:read"),
    body: "none",
    idempotent: false,
    handle: (allowed, { query }) => Effect.map(listUsers(allowed, query), listed)
  }),
  createUser: operation({
    authorize: (caller) => authorize(caller, "users:write"),
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
    authorize: (caller) => authorizeUserRead(caller, orNobody(self(caller))),
    body: "none",
    idempotent: false,
    handle: (allowed) =>
      Effect.map(Effect.flatMap(existing(self(allowed.caller)), (id) => getUser(allowed, id)), detailed)
  }),
  getUser: operation({
    authorize: (caller, params) => authorizeUserRead(caller, orNobody(named(params))),
    body: "none",
    idempotent: false,
    handle: (allowed, { params }) =>
      Effect.map(Effect.flatMap(existing(named(params)), (id) => getUser(allowed, id)), detailed)
  }),
  updateUser: operation({
    authorize: (caller, params) => authorizeUserPatch(caller, orNobody(named(params))),
    body: "json",
    idempotent: false,
    handle: (allowed, { body, expected, params }) =>
      Effect.map(Effect.flatMap(existing(named(params)), (id) => updateUser(allowed, id, body, expected)), detailed)
  }),
  deleteUser: operation({
    authorize: (caller) => authorize(caller, "users:write"),
    body: "none",
    idempotent: false,
    handle: (allowed, { expected, params }) =>
      Effect.as(Effect.flatMap(existing(named(params)), (id) => deleteUser(allowed, id, expected)), done)
  })
}
