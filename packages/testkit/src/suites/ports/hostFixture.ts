import { type Caller } from "@lastro/domain/access"
import { type AuditEntry } from "@lastro/domain/audit"
import { type HostTransactions } from "@lastro/domain/ports"
import { type Lastro, type LastroTransaction, openLastro, orThrow, type UseCasePorts } from "@lastro/domain/promises"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { freshCpf } from "../../builders/Fresh.ts"
import { AuditInspector } from "../../memory/audit.ts"

/** The ports that the cases of HostTransactions use. */
export type HostPorts = AuditInspector | HostTransactions | UseCasePorts

/** A simulated host: the use cases as promises, and a caller at the root of a new tree. */
export interface HostFixture {
  readonly lastro: Lastro
  readonly caller: Caller
  /** The API client of the caller. */
  readonly client_id: string
  /** Four document numbers (CPFs) that no other record has. */
  readonly documents: ReadonlyArray<string>
  /** Makes a body for `createPartner`, with a new document number each time. */
  readonly partnerBody: (name?: string) => { readonly partner: object }
  /** Returns the names of all partners below the root, in alphabetical order. */
  readonly names: () => Promise<ReadonlyArray<string>>
  /** Returns the audit entries of a record. */
  readonly auditOf: (id: string) => Promise<ReadonlyArray<AuditEntry>>
}

/** Opens Lastro over the ports of the case, with a caller at the root of a new tree. */
export const openHost = Effect.gen(function*() {
  const ports = yield* Effect.context<HostPorts>()
  const run = Effect.runPromiseWith(ports)
  const document = () => Effect.runSyncWith(ports)(freshCpf)
  const partnerBody = (name = "Loja") => ({
    partner: { type: "pf", name, email: "loja@example.com", phone: "1133334444", document_number: document() }
  })
  return yield* Effect.promise(async (): Promise<HostFixture> => {
    const lastro = await openLastro(Layer.succeedContext(ports))
    const root = orThrow(await lastro.createRootPartner(partnerBody("Matriz")))
    const { client } = orThrow(await lastro.createApiClient(root.partner_id, "admin"))
    const caller = orThrow(await lastro.callerOfClient(client.client_id))
    return {
      lastro,
      caller,
      client_id: client.client_id,
      documents: Array.from({ length: 4 }, document),
      partnerBody,
      names: async () => {
        const { content } = orThrow(await lastro.listPartners(caller, { sort: "name,asc" }))
        return content.map(({ name }) => name).filter((name) => name !== "Matriz")
      },
      auditOf: (id) => run(AuditInspector.use(({ entriesOf }) => entriesOf(id)))
    }
  })
})

/** One call of a use case by a host. `target` and `parent` select records of earlier calls, and vary the fields. */
export interface HostCommand {
  readonly kind:
    | "createPartner"
    | "movePartner"
    | "renamePartner"
    | "deletePartner"
    | "createApplication"
    | "cancelApplication"
    | "requoteApplication"
    | "rotateSecret"
    | "signIn"
  readonly target: number
  readonly parent: number
  /** Commands with the same key and content are executed once. */
  readonly key: string | undefined
}

/** The kinds of commands. `createPartner` is listed twice, so that it is drawn more often. */
const kinds: ReadonlyArray<HostCommand["kind"]> = [
  "createPartner",
  "createPartner",
  "movePartner",
  "renamePartner",
  "deletePartner",
  "createApplication",
  "cancelApplication",
  "requoteApplication",
  "rotateSecret",
  "signIn"
]

/** Lists of up to eight random calls. Lastro refuses many of them. */
export const hostCommands: fc.Arbitrary<ReadonlyArray<HostCommand>> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    target: fc.nat(3),
    parent: fc.nat(3),
    key: fc.constantFrom(undefined, undefined, "one", "two")
  }),
  { minLength: 1, maxLength: 8 }
)

type UseCases = Omit<LastroTransaction, "atomically" | "query">

/** Runs calls one after another. Returns their outcomes: `Success`, or the `_tag` of the error. */
export const runHostCommands = async (
  lastro: UseCases,
  { caller, client_id, documents }: Pick<HostFixture, "caller" | "client_id" | "documents">,
  commands: ReadonlyArray<HostCommand>
): Promise<ReadonlyArray<string>> => {
  const partners: Array<string> = []
  const applications: Array<string> = []
  const unknown = "01900000-0000-7000-9000-00000000ffff"
  const run = async ({ key, kind, parent, target }: HostCommand) => {
    const document_number = documents[target] ?? ""
    const partner = partners[target] ?? unknown
    const application = applications[target] ?? unknown
    const options = { idempotency_key: key }
    switch (kind) {
      case "createPartner": {
        const result = await lastro.createPartner(caller, {
          partner: { type: "pf", name: `Loja ${target}`, email: "a@example.com", phone: "1133334444", document_number }
        }, options)
        if (result._tag === "Success") partners.push(result.success.partner_id)
        return result
      }
      case "movePartner":
        return lastro.updatePartner(caller, partner, { partner: { parent_uuid: partners[parent] ?? unknown } })
      case "renamePartner":
        return lastro.updatePartner(caller, partner, { partner: { name: `Renamed ${parent}` } })
      case "deletePartner":
        return lastro.deletePartner(caller, partner)
      case "createApplication": {
        const customer = { cpf: document_number, birth_date: "1990-05-17", name: "Ana Souza" }
        const result = await lastro.createApplication(caller, { external_id: `loan-${target}`, customer }, options)
        if (result._tag === "Success") applications.push(result.success.application_id)
        return result
      }
      case "cancelApplication":
        return lastro.cancelApplication(caller, application, { reason: "OTHER" }, options)
      case "requoteApplication":
        return lastro.requoteApplication(caller, application, {}, options)
      case "rotateSecret":
        return lastro.rotateApiClient(client_id, { ends_earlier: true })
      case "signIn":
        return lastro.callerOfClient(client_id)
    }
  }
  const outcomes: Array<string> = []
  for (const command of commands) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- a command uses the records of the commands before it
    const result = await run(command)
    outcomes.push(result._tag === "Success" ? "Success" : result.failure._tag)
  }
  return outcomes
}
