import { listUsersBelow, recoverAdministrator } from "@lastro/domain/operator"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { listCommand } from "./listing.ts"
import { json, printRecord } from "./records.ts"
import { mapRefusals, readPartnerId } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const recover = Command.make("recover-admin", {
  email: Argument.String("email").pipe(Argument.withDescription("E-mail address of the administrator")),
  partner: optionalText(
    "partner",
    "Id of the partner of the administrator. A user of another partner is not changed"
  ),
  name: optionalText("name", "Name of the person, to create an administrator"),
  phone: optionalText("phone", "Phone number of the person, to create an administrator"),
  cpf: optionalText("cpf", "CPF of the person, to create an administrator"),
  json
}, ({ cpf, email, json, name, partner, phone }) =>
  Effect.gen(function*() {
    const partner_id = Option.getOrUndefined(yield* Effect.transposeOption(Option.map(partner, readPartnerId)))
    const person = Option.getOrUndefined(Option.all({ name, phone, cpf }))
    const recovered = yield* recoverAdministrator(email, { partner_id, person }).pipe(
      mapRefusals({
        NotFound: partner_id === undefined || person === undefined
          ? "No user has this e-mail address. To create an administrator, set --partner, --name, --phone and --cpf. " +
            "lastro partners list shows ids of partners."
          : "The partner does not exist.",
        UserOfAnotherPartner:
          "The user with this e-mail address belongs to another partner, and nothing was changed. Choose another address, or leave --partner out " +
          "to recover this user.",
        EmailTaken: "A user of a deleted partner has this e-mail address. Choose another e-mail address."
      }),
      withPorts
    )
    const password = Redacted.value(recovered.password)
    const { former_group } = recovered
    const change = former_group === null
      ? "A new administrator was created."
      : `The user is an active administrator, and its sessions have ended. Its group was ${former_group}.`
    const inactive =
      `The partner or one of its ancestors is inactive, so nobody in it can sign in: lastro partners activate ${recovered.partner_id}`
    const lines = [
      `user_id   ${recovered.user_id}`,
      `partner   ${recovered.partner_id}`,
      `email     ${recovered.email}`,
      `password  ${password}`,
      "",
      `${change} The password is shown only once, and must be changed at the next sign-in.`,
      ...recovered.partners_active ? [] : [inactive]
    ]
    yield* printRecord(json, { ...recovered, password }, lines.join("\n"))
  })).pipe(
    Command.withDescription(
      "Give an administrator access again: sets a new password, activates the user, puts it into the group admin, ends its sessions and " +
        "clears its failed sign-ins. If no user has the e-mail address, creates an administrator, and requires --partner, --name, --phone and --cpf. Leaves an audit entry."
    ),
    Command.withShortDescription("Give an administrator access again"),
    Command.withExamples([
      {
        command: "lastro users recover-admin ana@example.com",
        description: "Reset the password of the last administrator"
      },
      {
        command: "lastro users recover-admin ana@example.com --partner 0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40 " +
          "--name \"Ana Souza\" --phone 11987654321 --cpf 111.444.777-35",
        description: "Create an administrator, because the last one was deleted"
      }
    ])
  )

const list = listCommand("users", listUsersBelow, {
  user_id: ({ user_id }) => user_id,
  partner_id: ({ partner_id }) => partner_id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  status: ({ status }) => status,
  created_at: ({ created_at }) => created_at
})

/** Lists users, and restores the access of administrators. Only for the operator. */
export const users = Command.make("users").pipe(
  Command.withDescription("List users, and give administrators access again"),
  Command.withSubcommands([list, recover])
)
