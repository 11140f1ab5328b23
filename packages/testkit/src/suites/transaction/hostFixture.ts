import { type Caller } from "@lastro/domain/access"
import { type AuditEntry } from "@lastro/domain/audit"
import { type HostTransactions } from "@lastro/domain/ports"
import { type Lastro, openLastro, orThrow, type UseCasePorts } from "@lastro/domain/promises"
import { Effect, Layer } from "effect"
import { AuditInspector } from "../../audit/AuditInspector.ts"
import { freshCpf } from "../../builders/Fresh.ts"

/** The ports that a host needs for its transactions. */
export type HostPorts = AuditInspector | HostTransactions | UseCasePorts

/** The code of a host: the use cases as promises, and a caller at the root of a new tree. */
export interface HostFixture {
  readonly lastro: Lastro
  readonly caller: Caller
  /** The API client of the caller. */
  readonly client_id: string
  /** Four document numbers (CPFs) that no other record has. */
  readonly documents: ReadonlyArray<string>
  /** Makes a body for `createPartner`, each time with another document number. */
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
      auditOf: (id) => run(Effect.flatMap(AuditInspector, ({ entriesOf }) => entriesOf(id)))
    }
  })
})
