import {
  asOperator,
  completeCnpj,
  completeCpf,
  groupBySlug,
  groupRecord,
  type GroupSlug,
  IdGenerator,
  now,
  type PartnerDetail,
  type PartnerId,
  PartnerRepository,
  PasswordHasher,
  SecretGenerator,
  UnitOfWork,
  type UserId,
  UserRepository
} from "@lastro/domain"
import { Effect } from "effect"

interface DemoUser {
  readonly name: string
  readonly group: GroupSlug
}

interface DemoPartner {
  readonly name: string
  readonly users: ReadonlyArray<DemoUser>
  readonly children: ReadonlyArray<DemoPartner>
}

const partner = (
  name: string,
  users: ReadonlyArray<DemoUser>,
  children: ReadonlyArray<DemoPartner> = []
): DemoPartner => ({ name, users, children })

const user = (name: string, group: GroupSlug): DemoUser => ({ name, group })

const tree: ReadonlyArray<DemoPartner> = [
  partner("São Paulo Promotora", [user("Conceição Araújo", "manager"), user("Otávio Brandão", "viewer")], [
    partner("Loja Avenida Paulista", [user("José da Silva", "operator"), user("Luíza Prado", "operator")]),
    partner("Loja Santos", [user("Ângela Nóbrega", "operator")], [
      partner("Quiosque Gonzaga", [user("Caio Assunção", "operator")])
    ])
  ]),
  partner("Nordeste Crédito", [user("Raimundo Nonato", "manager")], [
    partner("Loja Recife Antigo", [user("Inês Cavalcânti", "operator")]),
    partner("Loja Fortaleza", [user("Zélia Façanha", "operator"), user("Davi Moreira", "viewer")])
  ]),
  partner("Sul Parcerias", [user("Günther Müller", "manager")])
]

/**
 * Fills a fresh installation with a small tree of partners and their users below `root`, and answers the first of the partners. The
 * documents are well-formed and made up; nobody knows the users' passwords.
 */
export const fillDemonstration = Effect.fn("fillDemonstration")(function*(root: PartnerId) {
  const hash = yield* (yield* PasswordHasher).hash(yield* (yield* SecretGenerator).next)
  const partners = yield* PartnerRepository
  const users = yield* UserRepository
  const ids = yield* IdGenerator
  const created_at = yield* now
  let serial = 0
  const contact = () => {
    serial += 1
    const digits = String(serial).padStart(4, "0")
    return { email: `demo${digits}@lastro.example`, phone: `1199000${digits}`, serial: String(serial) }
  }
  const addUser = Effect.fnUntraced(function*(owner: PartnerId, { group, name }: DemoUser) {
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
      partner_id: owner
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
      bank_account: null
    }
    yield* partners.insert(asOperator.inScope(parent), record)
    yield* Effect.forEach(demo.users, (one) => addUser(partner_id, one), { discard: true })
    yield* Effect.forEach(demo.children, (child) => addPartner(partner_id, child), { discard: true })
    return partner_id
  })
  const [first = root] = yield* (yield* UnitOfWork).atomically(Effect.forEach(tree, (demo) => addPartner(root, demo)))
  return first
})
