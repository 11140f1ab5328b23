import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { createRootPartner, listPartnersBelow, setPartnerStatus } from "@lastro/domain/operator"
import { PartnerRepository, type PartnerStatus } from "@lastro/domain/partner"
import { type PartnerId } from "@lastro/domain/values"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { listCommand } from "./listing.ts"
import { confirmChange, yes } from "./OperatorTerminal.ts"
import { tree } from "./partnerTree.ts"
import { json, printRecord } from "./records.ts"
import { mapRefusals, readPartnerId } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const createRoot = Command.make("create-root", {
  type: Flag.Literals("type", ["pf", "pj"]).pipe(Flag.withDescription("Natural (pf) or legal (pj) person")),
  name: Flag.String("name").pipe(Flag.withDescription("Name, 2 to 120 characters")),
  email: Flag.String("email").pipe(Flag.withDescription("E-mail address")),
  phone: Flag.String("phone").pipe(Flag.withDescription("Phone number, 10 or 11 digits with area code")),
  document: Flag.String("document").pipe(Flag.withDescription("CPF of a natural person, CNPJ of a legal person")),
  json
}, ({ document, json, ...partner }) =>
  createRootPartner({ partner: { ...partner, document_number: document } }).pipe(
    mapRefusals({ DocumentTaken: "A root partner with this document already exists." }),
    Effect.flatMap((created) => printRecord(json, created, `${created.partner_id}\t${created.name}`)),
    withPorts
  )).pipe(
    Command.withDescription(
      "Create the root partner of a new hierarchy and print its id and name, separated by a tab."
    ),
    Command.withShortDescription("Create a root partner"),
    Command.withExamples([{
      command: "lastro partners create-root --type pj --name \"Banco Exemplo\" --email contato@exemplo.example " +
        "--phone 1133334444 --document 11222333000181",
      description: "Create a root for a company"
    }])
  )

/** Asks for confirmation if the partner is a root, because the change ends the access of a whole tree. */
const confirmRoot = Effect.fnUntraced(function*(id: PartnerId, isConfirmed: boolean) {
  const found = yield* (yield* PartnerRepository).find(asOperator.scope(id), id)
  const partner = yield* Effect.fromResult(judgeFound(found))
  if (partner.record.parent_id !== null) return
  yield* confirmChange(isConfirmed, `${partner.record.name} is a root. Deactivate it and block its whole tree?`)
})

const setStatus = (name: string, status: PartnerStatus, shortDescription: string, description: string) =>
  Command.make(
    name,
    {
      id: Argument.String("id").pipe(Argument.withDescription("Id of the partner")),
      json,
      ...status === "inactive" && { yes }
    },
    ({ id, json, yes }: { readonly id: string; readonly json: boolean; readonly yes?: boolean }) =>
      Effect.gen(function*() {
        const partner_id = yield* readPartnerId(id)
        return yield* (yes === undefined ? Effect.void : confirmRoot(partner_id, yes)).pipe(
          Effect.andThen(setPartnerStatus(partner_id, status)),
          mapRefusals({ NotFound: "The partner does not exist." }),
          Effect.flatMap(({ partner_id, status }) =>
            printRecord(json, { partner_id, status }, `${partner_id} is ${status}.`)
          ),
          withPorts
        )
      })
  ).pipe(
    Command.withDescription(description),
    Command.withShortDescription(shortDescription),
    Command.withExamples([{
      command: `lastro partners ${name} 0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40`,
      description: shortDescription
    }])
  )

const list = listCommand("partners", listPartnersBelow, {
  partner_id: ({ partner_id }) => partner_id,
  parent_id: ({ parent_id }) => parent_id,
  name: ({ name }) => name,
  document_number: ({ document_number }) => document_number,
  status: ({ status }) => status,
  created_at: ({ created_at }) => created_at
})

/** Lists, creates, activates and deactivates partners. Only the operator can create root partners. */
export const partners = Command.make("partners").pipe(
  Command.withDescription("List partners, create root partners, activate and deactivate partners"),
  Command.withSubcommands([
    list,
    tree,
    createRoot,
    setStatus(
      "activate",
      "active",
      "Activate a partner",
      "Activate a partner. Its users and clients, and those of its active descendants, can use the API again."
    ),
    setStatus(
      "deactivate",
      "inactive",
      "Deactivate a partner",
      "Deactivate a partner. From then on, every request of the users and clients in its subtree is rejected."
    )
  ])
)
