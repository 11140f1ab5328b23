import { createRootPartner, parseUuid, type PartnerId, type PartnerStatus, setPartnerStatus } from "@lastro/domain"
import { Console, Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { refused, refusedAs } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const createRoot = Command.make("create-root", {
  type: Flag.Literals("type", ["pf", "pj"]).pipe(Flag.withDescription("Natural (pf) or legal (pj) person")),
  name: Flag.String("name").pipe(Flag.withDescription("2 to 120 characters")),
  email: Flag.String("email").pipe(Flag.withDescription("E-mail address")),
  phone: Flag.String("phone").pipe(Flag.withDescription("10 or 11 digits, with area code")),
  document: Flag.String("document").pipe(Flag.withDescription("CPF of a pf, CNPJ of a pj"))
}, ({ document, ...partner }) =>
  createRootPartner({ partner: { ...partner, document_number: document } }).pipe(
    refusedAs({ DocumentTaken: "Another root has this document." }),
    Effect.flatMap(({ name, partner_id }) => Console.log(`${partner_id}\t${name}`)),
    withPorts
  )).pipe(Command.withDescription("Starts a new partner tree and prints the id of its root"))

const setStatus = (name: string, status: PartnerStatus, description: string) =>
  Command.make(
    name,
    { id: Argument.String("id").pipe(Argument.withDescription("The partner's id")) },
    ({ id }) =>
      Effect.gen(function*() {
        const partner = parseUuid(id)
        if (Result.isFailure(partner)) return yield* refused("The id of a partner is a UUID.")
        return yield* setPartnerStatus(partner.success as PartnerId, status).pipe(
          refusedAs({ NotFound: "There is no such partner." }),
          Effect.flatMap(({ partner_id, status }) => Console.log(`${partner_id} is ${status}.`)),
          withPorts
        )
      })
  ).pipe(Command.withDescription(description))

/** Manages what only the operator may: roots, and whether partners are active. */
export const partners = Command.make("partners").pipe(
  Command.withDescription("Manages the roots of partner trees, and whether partners are active"),
  Command.withSubcommands([
    createRoot,
    setStatus("activate", "active", "Lets a partner and its subtree act again"),
    setStatus("deactivate", "inactive", "Blocks a partner and its whole subtree")
  ])
)
