import { ValidationFailed } from "@lastro/domain/input"
import { bootstrap, type BootstrapChoices, type BootstrapResult } from "@lastro/domain/operator"
import { UnitOfWork } from "@lastro/domain/ports"
import { Effect, Option, Redacted } from "effect"
import { type Settings } from "../settings/Settings.ts"
import { insertDemonstration, openDemonstrationApplications } from "./demonstration.ts"
import { mapRefusals, refuse } from "./refused.ts"

/** Returns whether an error means that the password of the administrator is easy to guess. */
const isGuessable = (error: { readonly _tag: string }): error is ValidationFailed =>
  error instanceof ValidationFailed && error.problems.some(({ code }) => code === "GUESSABLE")

/**
 * Creates the initial records in an empty database and, if enabled, the demonstration data. Both happen in one
 * transaction.
 */
export const fillEmpty = Effect.fn("fillEmpty")(function*({ bootstrap: choices, demo, lender }: Settings) {
  const fill = Effect.gen(function*() {
    const bootstrapped = yield* bootstrap(choices)
    if (demo && Option.isSome(bootstrapped)) {
      const shop = yield* insertDemonstration(bootstrapped.value.root_id)
      // Request quotes only from the sandbox, because a real lender must not receive the data of made-up customers.
      if (lender.kind === "sandbox") yield* openDemonstrationApplications(shop)
    }
    return bootstrapped
  })
  return yield* (yield* UnitOfWork).atomically(fill).pipe(
    Effect.catchIf(isGuessable, () =>
      refuse(
        "LASTRO_BOOTSTRAP_ADMIN_PASSWORD must not be a common password, one repeated character, or the administrator's " +
          "name or e-mail address."
      )),
    mapRefusals({
      ClientSecretMalformed: "LASTRO_BOOTSTRAP_CLIENT_SECRET must be 16 to 128 visible ASCII characters (! to ~)."
    })
  )
})

const secretText = (secret: Redacted.Redacted, chosen: Redacted.Redacted | undefined): string =>
  chosen === undefined ? Redacted.value(secret) : "(as configured)"

/**
 * Formats the credentials of a new installation for the terminal. Secrets that the operator has configured are not
 * printed.
 */
export const credentialsText = (bootstrapped: BootstrapResult, choices: BootstrapChoices): string => `
  New installation. Save these generated credentials: they are shown only once.

    administrator   ${bootstrapped.admin_email}
    password        ${secretText(bootstrapped.admin_password, choices.admin_password)}
    client_id       ${bootstrapped.client_id}
    client_secret   ${secretText(bootstrapped.client_secret, choices.client_secret)}
    root partner    ${bootstrapped.root_id}

`
