import { type BootstrapChoices, type Bootstrapped } from "@lastro/domain"
import { Redacted } from "effect"

const shown = (secret: Redacted.Redacted, chosen: Redacted.Redacted | undefined): string =>
  chosen === undefined ? Redacted.value(secret) : "as you set it"

/** What the terminal shows of a fresh installation's credentials; those that the operator chose are not repeated. */
export const credentialsText = (made: Bootstrapped, choices: BootstrapChoices): string => `
  A fresh installation. What was made up for it is shown this once:

    administrator   ${made.admin_email}
    password        ${shown(made.admin_password, choices.admin_password)}
    client_id       ${made.client_id}
    client_secret   ${shown(made.client_secret, choices.client_secret)}
    root partner    ${made.root_id}

`
