import { Effect, Option, Redacted } from "effect"
import { judgeNewPassword } from "../identity/judgePassword.ts"
import { Password } from "../identity/Password.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decode } from "../input/decode.ts"
import { SecretGenerator } from "../ports/generators.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { completeCnpj } from "../values/Cnpj.ts"
import { completeCpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { type PartnerId } from "../values/ids.ts"
import { createApiClient } from "./apiClients.ts"
import { createAdministrator } from "./createAdministrator.ts"
import { Installation } from "./Installation.ts"
import { createRootPartner } from "./partners.ts"

/** The first credentials of an installation. Missing values are generated. */
export interface BootstrapChoices {
  readonly admin_email?: string | undefined
  readonly admin_password?: Redacted.Redacted | undefined
  readonly client_id?: string | undefined
  readonly client_secret?: Redacted.Redacted | undefined
}

/** The first credentials of an installation. Show them once. The administrator must change the password first. */
export interface BootstrapResult {
  readonly root_id: PartnerId
  readonly admin_email: string
  readonly admin_password: Redacted.Redacted
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}

/** The data of the first administrator. It is invented, because the first start of a server asks nobody for it. */
const placeholders = { name: "Administrador", phone: "11900000000", cpf: completeCpf("000000001") }
const defaultEmail = "admin@lastro.example"
const decodeEmail = decode(Email)
const decodePassword = decode(Password)

/**
 * Fills an empty database with a root partner, and an administrator and an API client of the group `admin`. Returns
 * none if there is already a partner. If two nodes start at the same time, only one of them fills the database.
 */
export const bootstrap = Effect.fn("bootstrap")(function*(choices: BootstrapChoices) {
  const password = choices.admin_password ?? (yield* (yield* SecretGenerator).next)
  const { email, password: canonical } = yield* Effect.fromResult(combineChecks({
    email: decodeEmail(choices.admin_email ?? defaultEmail, ["admin_email"]),
    password: decodePassword(Redacted.value(password), ["admin_password"])
  }))
  const fill = Effect.gen(function*() {
    if (!(yield* (yield* Installation).isEmpty)) return Option.none<BootstrapResult>()
    const guessable = yield* judgeNewPassword(Redacted.value(password), "admin_password", [
      email,
      placeholders.name,
      placeholders.cpf
    ])
    yield* Effect.fromResult(combineChecks({ guessable }))
    const root = yield* createRootPartner(rootRequest(email))
    const hash = yield* (yield* PasswordHasher).hash(Redacted.make(canonical))
    yield* createAdministrator(root.partner_id, { ...placeholders, email, must_change_password: true }, hash)
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

/**
 * The request for the root partner. The root needs a valid document number. The one used here belongs to no company.
 */
const rootRequest = (email: string): unknown => ({
  partner: {
    type: "pj",
    name: "Lastro",
    email,
    phone: placeholders.phone,
    document_number: completeCnpj("LASTROROOT01")
  }
})
