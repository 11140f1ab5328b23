import { authorize, groupBySlug, groupRecord, type GroupSlug } from "@lastro/domain/access"
import { sandboxCpf } from "@lastro/domain/adapters"
import { asOperator } from "@lastro/domain/hierarchy"
import { callerAt, PasswordHasher } from "@lastro/domain/identity"
import { createApplication } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { IdGenerator, SecretGenerator, UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { completeCnpj, completeCpf, currentTimestamp, type PartnerId, type UserId } from "@lastro/domain/values"
import { Effect } from "effect"

/** A partner with its children, and the groups of its users by their names. */
interface DemoPartner {
  readonly name: string
  readonly users: Readonly<Record<string, GroupSlug>>
  readonly children: ReadonlyArray<DemoPartner>
}

const partner = (
  name: string,
  users: Readonly<Record<string, GroupSlug>>,
  children: ReadonlyArray<DemoPartner> = []
): DemoPartner => ({ name, users, children })

const tree: ReadonlyArray<DemoPartner> = [
  partner("São Paulo Promotora", { "Conceição Araújo": "manager", "Otávio Brandão": "viewer" }, [
    partner("Loja Avenida Paulista", { "José da Silva": "operator", "Luíza Prado": "operator" }),
    partner("Loja Santos", { "Ângela Nóbrega": "operator" }, [
      partner("Quiosque Gonzaga", { "Caio Assunção": "operator" })
    ])
  ]),
  partner("Nordeste Crédito", { "Raimundo Nonato": "manager" }, [
    partner("Loja Recife Antigo", { "Inês Cavalcânti": "operator" }),
    partner("Loja Fortaleza", { "Zélia Façanha": "operator", "Davi Moreira": "viewer" })
  ]),
  partner("Sul Parcerias", { "Günther Müller": "manager" })
]

/**
 * Inserts a small tree of partners with users below `root`. Returns the id of the first partner directly below `root`.
 * Document numbers are invented but valid. All users have the same random password, which is not stored.
 */
export const insertDemonstration = Effect.fn("insertDemonstration")(function*(root: PartnerId) {
  const hash = yield* (yield* PasswordHasher).hash(yield* (yield* SecretGenerator).next)
  const partners = yield* PartnerRepository
  const users = yield* UserRepository
  const ids = yield* IdGenerator
  const created_at = yield* currentTimestamp
  let serial = 0
  const contact = () => {
    serial += 1
    const digits = String(serial).padStart(4, "0")
    return { email: `demo${digits}@lastro.example`, phone: `1199000${digits}`, serial: String(serial) }
  }
  const addUser = Effect.fnUntraced(function*(owner: PartnerId, name: string, group: GroupSlug) {
    const { email, phone, serial } = contact()
    yield* users.insert(asOperator.inScope(owner), {
      user_id: (yield* ids.next) as UserId,
      name,
      email,
      phone,
      cpf: completeCpf(serial.padStart(9, "7")),
      status: "ACTIVE",
      group: groupRecord(groupBySlug(group)),
      must_change_password: true,
      created_at,
      partner_id: owner,
      metadata: {}
    }, hash)
  })
  const addPartner = Effect.fnUntraced(function*(parent: PartnerId, demo: DemoPartner): Effect.fn.Return<
    PartnerId,
    Effect.Error<ReturnType<typeof partners.insert>> | Effect.Error<ReturnType<typeof addUser>>,
    never
  > {
    const { email, phone, serial } = contact()
    const partner_id = (yield* ids.next) as PartnerId
    const record: PartnerDetail = {
      partner_id,
      name: demo.name,
      status: "active",
      email,
      phone,
      pix: null,
      address: null,
      document_number: completeCnpj(`DEMO${serial.padStart(8, "0")}`),
      person_type: "pj",
      created_at,
      parent_id: parent,
      bank_account: null,
      metadata: {}
    }
    yield* partners.insert(asOperator.inScope(parent), record)
    for (const [name, group] of Object.entries(demo.users)) yield* addUser(partner_id, name, group)
    for (const child of demo.children) yield* addPartner(partner_id, child)
    return partner_id
  })
  const [first = root] = yield* (yield* UnitOfWork).atomically(Effect.forEach(tree, (demo) => addPartner(root, demo)))
  return first
})

/**
 * Invented customers, each with a different response of the sandbox lender. The last two digits of the CPF select the
 * response (docs/sandbox.md).
 */
const customers = [
  { name: "Maria Aparecida Souza", cpf: sandboxCpf("00"), birth_date: "1988-03-21" },
  { name: "João Batista Ferreira", cpf: sandboxCpf("92"), birth_date: "1979-11-02" },
  { name: "Francisca Conceição Lima", cpf: sandboxCpf("91"), birth_date: "1995-07-30" },
  { name: "Antônio Carlos Gonçalves", cpf: sandboxCpf("89"), birth_date: "1968-01-15" }
] as const

/** Creates an application for each of these customers, with the permissions of an operator of a partner. */
export const openDemonstrationApplications = Effect.fn("openDemonstrationApplications")(
  function*(partner_id: PartnerId) {
    const caller = yield* callerAt(partner_id, { subject: "demonstration", group: "operator" })
    const allowed = yield* Effect.fromResult(authorize(caller, "fgts:write"))
    yield* Effect.forEach(customers, (customer, index) => {
      const number = index + 1
      const contact = { email: `customer${number}@lastro.example` }
      return createApplication(allowed, { external_id: `demo-${number}`, customer: { ...customer, ...contact } })
    }, { discard: true })
  }
)
