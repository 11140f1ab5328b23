import { recoverAdministrator } from "@lastro/domain/operator"
import { parseUuid, type PartnerId } from "@lastro/domain/values"
import { Console, Effect, Option, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { mapRefusals, refuse } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const recover = Command.make("recover-admin", {
  email: Argument.String("email").pipe(Argument.withDescription("E-mail address of the administrator")),
  partner: Flag.String("partner").pipe(
    Flag.withDescription(
      "Id of the partner of the administrator. Required if no user has the e-mail address. A user of another partner is not changed"
    ),
    Flag.optional
  )
}, ({ email, partner }) =>
  Effect.gen(function*() {
    const id = Option.map(partner, parseUuid)
    if (Option.isSome(id) && Result.isFailure(id.value)) return yield* refuse("The partner id must be a UUID.")
    const chosen = Option.flatMap(id, Result.getSuccess)
    const recovered = yield* recoverAdministrator(email, Option.getOrNull(chosen) as PartnerId | null).pipe(
      mapRefusals({
        NotFound: Option.isNone(chosen)
          ? "No user has this e-mail address. Set --partner to create an administrator of this partner; lastro clients list shows ids of partners."
          : "The partner does not exist.",
        UserOfAnotherPartner:
          "The user with this e-mail address belongs to another partner, and nothing was changed. Choose another address, or leave --partner out " +
          "to recover this user.",
        EmailTaken: "A user of a deleted partner has this e-mail address. Choose another e-mail address."
      }),
      withPorts
    )
    yield* Console.log(
      `user_id   ${recovered.user_id}\npartner   ${recovered.partner_id}\nemail     ${recovered.email}\npassword  ${
        Redacted.value(recovered.password)
      }\n\n${
        recovered.former_group === null
          ? "A new administrator was created."
          : `The user is an active administrator, and its sessions have ended. Its group was ${recovered.former_group}.`
      } The password is shown only once, and must be changed at the next sign-in.`
    )
    if (!recovered.partners_active) {
      yield* Console.log(
        `The partner or one of its ancestors is inactive, so nobody in it can sign in: lastro partners activate ${recovered.partner_id}`
      )
    }
  })).pipe(
    Command.withDescription(
      "Give an administrator access again: sets a new password, activates the user, puts it into the group admin, ends its sessions and " +
        "clears its failed sign-ins. If no user has the e-mail address, creates an administrator of the partner in --partner. Leaves an audit entry."
    ),
    Command.withShortDescription("Give an administrator access again"),
    Command.withExamples([
      {
        command: "lastro users recover-admin ana@example.com",
        description: "Reset the password of the last administrator"
      },
      {
        command: "lastro users recover-admin new@example.com --partner 0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
        description: "Create an administrator, because the last one was deleted"
      }
    ])
  )

/** Gives administrators access again. Only the operator may do this. */
export const users = Command.make("users").pipe(
  Command.withDescription("Give administrators access again"),
  Command.withSubcommands([recover])
)
