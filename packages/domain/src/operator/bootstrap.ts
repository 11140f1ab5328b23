import { Effect, Option, Redacted } from "effect"
import { groupBySlug, groupRecord } from "../access/Group.ts"
import { recordAudit } from "../audit/recordAudit.ts"
import { asOperator } from "../hierarchy/Scope.ts"
import { judgeNewPassword } from "../identity/judgePassword.ts"
import { Password } from "../identity/Password.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decode } from "../input/decode.ts"
import { IdGenerator, SecretGenerator } from "../ports/generators.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type UserListItem } from "../user/UserDetail.ts"
import { UserRepository } from "../user/UserRepository.ts"
import { completeCnpj } from "../values/Cnpj.ts"
import { completeCpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { createApiClient } from "./apiClients.ts"
import { createRootPartner } from "./createRootPartner.ts"
import { Installation } from "./Installation.ts"

/** The first credentials of an installation. Missing values are generated. */
export interface BootstrapChoices {
  readonly admin_email?: string | undefined
  readonly admin_password?: Redacted.Redacted | undefined
  readonly client_id?: string | undefined
  readonly client_secret?: Redacted.Redacted | undefined
}

/** The first credentials of an installation. Show them once. */
export interface BootstrapResult {
  readonly root_id: PartnerId
  readonly admin_email: string
  readonly admin_password: Redacted.Redacted
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}

const administratorName = "Administrador"
const defaultEmail = "admin@lastro.example"
const decodeEmail = decode(Email)
const decodePassword = decode(Password)

/**
 * Fills an empty database with a root partner, an administrator and an API client with the same group. Returns none if
 * there is already a partner. If two nodes start at the same time, only one of them fills the database.
 */
export const bootstrap = Effect.fn("bootstrap")(function*(choices: BootstrapChoices) {
  const password = choices.admin_password ?? (yield* (yield* SecretGenerator).next)
  const { email, password: canonical } = yield* Effect.fromResult(combineChecks({
    email: decodeEmail(choices.admin_email ?? defaultEmail, ["admin_email"]),
    password: decodePassword(Redacted.value(password), ["admin_password"])
  }))
  const fill = Effect.gen(function*() {
    if (!(yield* (yield* Installation).isEmpty)) return Option.none<BootstrapResult>()
    const guessable = yield* judgeNewPassword(Redacted.value(password), "admin_password", [email, administratorName])
    yield* Effect.fromResult(combineChecks({ guessable }))
    const root = yield* createRootPartner(rootRequest(email))
    yield* createAdministrator(root.partner_id, email, Redacted.make(canonical))
    const { client, secret } = yield* createApiClient(root.partner_id, "admin", {
      client_id: choices.client_id,
      secret: choices.client_secret
    })
    return Option.some<BootstrapResult>({
      root_id: root.partner_id,
      admin_email: email,
      admin_password: password,
      client_id: client.client_id,
      client_secret: secret
    })
  })
  return yield* (yield* UnitOfWork).atomically(fill)
})

/** The request for the root partner. The root needs a valid document number; the one used here belongs to no company. */
const rootRequest = (email: string): unknown => ({
  partner: {
    type: "pj",
    name: "Lastro",
    email,
    phone: "11900000000",
    document_number: completeCnpj("LASTROROOT01")
  }
})

const createAdministrator = Effect.fnUntraced(function*(
  partner_id: PartnerId,
  email: string,
  password: Redacted.Redacted
) {
  const at = yield* currentTimestamp
  const user: UserListItem = {
    user_id: (yield* (yield* IdGenerator).next) as UserId,
    name: administratorName,
    email,
    phone: "11900000000",
    cpf: completeCpf("000000001"),
    status: "ACTIVE",
    group: groupRecord(groupBySlug("admin")),
    must_change_password: false,
    created_at: at,
    partner_id,
    metadata: {}
  }
  const hash = yield* (yield* PasswordHasher).hash(password)
  yield* (yield* UserRepository).insert(asOperator.inScope(partner_id), user, hash)
  yield* recordAudit({ at, caller: null, action: "user.create", subject_id: user.user_id, partner_id, after: user })
})
