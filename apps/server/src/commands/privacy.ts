import { readNodesBelow } from "@lastro/adapters-sql"
import { erasePerson, type Erasure, exportPerson, type KeptRecord } from "@lastro/domain/privacy"
import { parseCpf } from "@lastro/domain/values"
import { Console, Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { confirmChange, withStep, yes } from "./OperatorTerminal.ts"
import { json, printRecord } from "./records.ts"
import { refuse, reportFinding } from "./refused.ts"
import { settings, withPorts } from "./withPorts.ts"

const cpf = Flag.String("cpf").pipe(
  Flag.withDescription("CPF of the person: 11 digits, with or without punctuation"),
  Flag.filterMap(
    (text) => Result.getSuccess(parseCpf(text)),
    () => "a CPF: 11 digits with correct check digits"
  )
)

const exportCommand = Command.make("export", { cpf, json }, ({ cpf }) =>
  exportPerson(cpf).pipe(
    withStep("Reading the data of the person"),
    Effect.flatMap((held) => Console.log(JSON.stringify(held, null, 2))),
    withPorts
  )).pipe(
    Command.withDescription(
      "Write everything held about a person to standard output, as JSON: applications with KYC and contracts, users, partners, " +
        "contracts that the person sold, and audit entries. Each of the records gets an audit entry. Keep the output confidential."
    ),
    Command.withShortDescription("Write everything held about a person as JSON"),
    Command.withExamples([{
      command: "lastro privacy export --cpf 111.444.777-35 > person.json",
      description: "Answer a request for access (LGPD, art. 18, II)"
    }])
  )

const sourceOfRetention = "Lei 9.613/1998, art. 10, § 2º; Código Civil, art. 206, § 5º, I; LGPD, art. 16, I"

const describeKept = ({ id, reason, until }: KeptRecord): string => {
  const end = until === null ? "while the contract, or a user or partner with this CPF, is in use" : `until ${until}`
  switch (reason) {
    case "PAID_CONTRACT":
      return `kept       application ${id}: a paid contract, ${end} (${sourceOfRetention})`
    case "SOLD_CONTRACT":
      return `kept       seller of application ${id}: part of the contract, ${end} (${sourceOfRetention})`
    case "USER_EXISTS":
      return `kept       user ${id}: the user exists. Delete the user, then erase the person again (LGPD, art. 15, I)`
    case "PARTNER_EXISTS":
      return `kept       partner ${id}: the partner exists. Delete the partner, then erase the person again (LGPD, art. 15, I)`
    case "PIX_KEY_IN_USE":
      return `kept       partner ${id}: the CPF is its PIX key. Replace the key (LGPD, art. 15, I)`
  }
}

/** Describes the result of an erasure, one line per record. */
const describeErasure = ({ applications, cancelled, kept, partners, sales, users }: Erasure): ReadonlyArray<string> => [
  ...cancelled.map((id) => `cancelled  application ${id}`),
  ...applications.map((id) => `erased     application ${id}`),
  ...users.map((id) => `erased     user ${id}`),
  ...partners.map((id) => `erased     partner ${id}`),
  ...sales.map((id) => `erased     seller of application ${id}`),
  ...kept.map(describeKept)
]

/** The schema version of the first program that returns erased fields as `null`. Older programs return empty texts. */
const erasingVersion = 18

/** Fails while nodes of an older version are running, because they return empty texts for erased fields. */
const refuseOldNodes = Effect.gen(function*() {
  // Only this process can open an embedded database, so a node in its list has crashed.
  if ((yield* settings).database.kind === "pglite") return
  const nodes = yield* readNodesBelow(erasingVersion)
  if (nodes.length === 0) return
  return yield* refuse(
    `Nodes of a version without this command are running (${nodes.join(", ")}), and nothing was erased. ` +
      "Upgrade these nodes, and repeat the command after 10 s."
  )
})

const erase = Command.make("erase", { cpf, json, yes }, ({ cpf, json, yes }) =>
  Effect.gen(function*() {
    const { privacy: { retention_years } } = yield* settings
    const erasure = yield* Effect.catchTag(
      refuseOldNodes.pipe(
        Effect.andThen(confirmChange(yes, "Erase the personal data of this person for ever?")),
        Effect.andThen(withStep("Erasing the data of the person")(erasePerson(cpf, { retention_years }))),
        withPorts
      ),
      "ErasureTooEarly",
      ({ applications }) =>
        reportFinding(
          "A contract or a refund of this person is in progress, and nothing was erased. Repeat the command when it has ended: " +
            `${
              applications.map(({ application_id, status }) => `application ${application_id} is ${status}`).join(", ")
            }.`
        )
    )
    const lines = describeErasure(erasure)
    yield* printRecord(
      json,
      erasure,
      lines.length === 0 ? "Lastro holds no data about this person, or has already erased it." : lines.join("\n")
    )
  })).pipe(
    Command.withDescription(
      "Erase the personal data of a person, except data that the law requires to keep. Print what was erased, what was kept, and why. " +
        "Applications without a contract are cancelled first. A paid contract is kept for LASTRO_RETENTION_YEARS after its last " +
        "instalment. This cannot be undone. Exits with 1, and erases nothing, while a contract or a refund of the person is in progress."
    ),
    Command.withShortDescription("Erase the personal data of a person"),
    Command.withExamples([{
      command: "lastro privacy erase --cpf 111.444.777-35",
      description: "Answer a request for erasure (LGPD, art. 18, VI)"
    }])
  )

export const privacy = Command.make("privacy").pipe(
  Command.withDescription("Export or erase the personal data of a person (LGPD, art. 18)"),
  Command.withSubcommands([exportCommand, erase])
)
