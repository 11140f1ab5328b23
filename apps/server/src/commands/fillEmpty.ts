import { ValidationFailed } from "@lastro/domain/input"
import { bootstrap, type BootstrapChoices, type BootstrapResult } from "@lastro/domain/operator"
import { UnitOfWork } from "@lastro/domain/ports"
import { Effect, Option, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { lendersOf } from "../layers/ports.ts"
import { isSandbox } from "../settings/lender.ts"
import { type Settings } from "../settings/Settings.ts"
import { insertDemonstration, openDemonstrationApplications } from "./demonstration.ts"
import { mapRefusals, refuse } from "./refused.ts"

/** Returns whether the bootstrap generates the password or the client secret. */
const isGenerated = ({ admin_password, client_secret }: BootstrapChoices): boolean =>
  admin_password === undefined || client_secret === undefined

/** Returns whether an error means that the administrator's password is easy to guess. */
const isGuessable = (error: { readonly _tag: string }): error is ValidationFailed =>
  error instanceof ValidationFailed && error.problems.some(({ code }) => code === "GUESSABLE")

/** The output stream for credentials: standard output or standard error. */
export interface Shown {
  /** True if the stream is a terminal, whose output is not stored. */
  readonly isTTY?: boolean | undefined
  readonly write: (text: string) => unknown
}

/**
 * Writes the credentials to a new file that only this user can read, and returns its path. The file is in the data
 * folder, or in the working directory if there is none. If it cannot be written there, it is in the folder for
 * temporary files, the only writable one of some containers.
 */
const writePrivateFile = Effect.fnUntraced(function*({ database }: Settings, text: string) {
  const home = database.kind === "pglite" && database.folder !== undefined ? database.folder : "."
  const folders = [resolve(home), tmpdir()]
  for (const folder of folders) {
    const file = join(folder, `lastro-credentials-${randomUUID()}.txt`)
    const isWritten = yield* Effect.promise(async () => {
      try {
        const handle = await open(file, "wx", 0o600)
        await handle.writeFile(text).finally(() => handle.close())
        return true
      } catch {
        // A full disk can leave a part of the text.
        await rm(file, { force: true }).catch(() => undefined)
        return false
      }
    })
    if (isWritten) return file
  }
  return yield* refuse(
    `The generated credentials cannot be stored: no file can be written in ${folders.join(" or ")}. Run lastro ` +
      "bootstrap in a terminal, or set LASTRO_BOOTSTRAP_ADMIN_PASSWORD and LASTRO_BOOTSTRAP_CLIENT_SECRET."
  )
})

/**
 * Creates the initial records in an empty database and, if enabled, the demonstration data, in one transaction. Then
 * shows the credentials. Generated secrets are shown only on a terminal. Otherwise, they are written to a file that
 * only this user can read, and the log contains its path. Returns the new ids and the file. Returns null if the
 * database was not empty.
 */
export const fillEmpty = Effect.fn("fillEmpty")(function*(settings: Settings, shown: Shown) {
  const { bootstrap: choices, demo, lenders } = settings
  let file: string | undefined
  const fill = Effect.gen(function*() {
    const bootstrapped = yield* bootstrap(choices)
    if (Option.isNone(bootstrapped)) return bootstrapped
    if (demo) {
      const shop = yield* insertDemonstration(bootstrapped.value.root_id)
      // Only the sandbox may receive the data of invented customers.
      if (isSandbox(lenders)) yield* Effect.provide(openDemonstrationApplications(shop), lendersOf(settings))
    }
    if (isGenerated(choices) && shown.isTTY !== true) {
      file = yield* writePrivateFile(settings, credentialsText(bootstrapped.value, choices, "file"))
    }
    return bootstrapped
  })
  const filled = yield* (yield* UnitOfWork).atomically(fill).pipe(
    Effect.onError(() => Effect.promise(async () => file === undefined ? undefined : rm(file, { force: true }))),
    Effect.catchIf(isGuessable, () =>
      refuse(
        "LASTRO_BOOTSTRAP_ADMIN_PASSWORD must not be a common password, one repeated character, or the administrator's " +
          "name or e-mail address."
      )),
    mapRefusals({
      ClientSecretMalformed: "LASTRO_BOOTSTRAP_CLIENT_SECRET must be 16 to 128 visible ASCII characters (! to ~)."
    })
  )
  if (Option.isNone(filled)) return null
  shown.write(credentialsText(filled.value, choices, shown.isTTY === true ? "terminal" : "log", file))
  if (file !== undefined) {
    yield* Effect.annotateLogs(Effect.logWarning("first credentials written to a file; read it and delete it"), {
      file
    })
  }
  const { client_id, root_id } = filled.value
  return { root_id, client_id, credentials_file: file ?? null }
})

/**
 * Formats the credentials of a new installation. Omits values that the operator has configured, and generated secrets
 * that are in a file. The e-mail address of the administrator is only in the file or on a terminal, because a log must
 * not contain personal data.
 */
const credentialsText = (
  { admin_email, admin_password, client_id, client_secret, root_id }: BootstrapResult,
  choices: BootstrapChoices,
  shownIn: "file" | "terminal" | "log",
  file?: string
): string => {
  const secretText = (secret: Redacted.Redacted, chosen: Redacted.Redacted | undefined): string => {
    if (chosen !== undefined) return "(as configured)"
    return shownIn === "log" ? "(in the file)" : Redacted.value(secret)
  }
  const sourceText = (): string => {
    if (!isGenerated(choices)) return "It has the configured credentials."
    if (file === undefined) return "Save these credentials: they are shown only once."
    return `Generated secrets: ${file}`
  }
  return `
  New installation. ${sourceText()}
  The administrator must change the password at the first sign-in.

    administrator   ${shownIn === "log" && choices.admin_email !== undefined ? "(as configured)" : admin_email}
    password        ${secretText(admin_password, choices.admin_password)}
    client_id       ${client_id}
    client_secret   ${secretText(client_secret, choices.client_secret)}
    root partner    ${root_id}

`
}
