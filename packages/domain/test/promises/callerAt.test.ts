import { assert, describe, it } from "@effect/vitest"
import { AuditInspector, openTestLastro } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { type HostPrincipal } from "../../src/identity/HostPrincipal.ts"
import { opened, partnerBody, refusal, success } from "./opened.ts"

const customer = { cpf: "111.444.777-35", birth_date: "1990-05-17", name: "Maria da Conceição" }
const host: HostPrincipal = { subject: "auth0|5f7c", group: "admin" }

/** Opens an installation with a tree of three partners, and a user whose id a host could use as a subject. */
const openTree = async () => {
  const { client, installed, lastro } = await opened()
  const child = await success(lastro.createPartner(client, partnerBody("11222333000181", "Filha")))
  const below = { ...partnerBody("11444777000161", "Neta"), parent_uuid: child.partner_id }
  const leaf = await success(
    lastro.createPartner(client, { partner: { ...below.partner, parent_uuid: child.partner_id } })
  )
  const admin = await success(lastro.listUsers(client))
  return { client, installed, lastro, child, leaf, user_id: admin.content[0]?.user_id ?? "" }
}

/** Sets another password for the first administrator, who can do nothing else before. */
const changePassword = async (lastro: Awaited<ReturnType<typeof opened>>["lastro"], user_id: string): Promise<void> => {
  const caller = await success(lastro.callerOfUser(user_id))
  const body = { current_password: "correct horse battery", password: "a new password of ours" }
  await success(lastro.updateUser(caller, user_id, body))
}

describe("callerAt", () => {
  it("AUTH-24 a user of the host, without a record, uses the use cases in the subtree of the partner", async () => {
    const { child, installed, lastro, leaf } = await openTree()
    await using _ = lastro
    const caller = await success(lastro.callerAt(child.partner_id, host))
    const page = await success(lastro.listPartners(caller))
    assert.sameMembers(page.content.map(({ partner_id }) => partner_id), [child.partner_id, leaf.partner_id])
    assert.strictEqual(await refusal(lastro.getPartner(caller, installed.root_id)), "OutsideHierarchy")
    const viewer = await success(lastro.callerAt(child.partner_id, { ...host, group: "viewer" }))
    assert.strictEqual(await refusal(lastro.createPartner(viewer, {})), "PermissionDenied")
    const narrowed = await success(lastro.callerAt(child.partner_id, { ...host, permissions: ["partners:read"] }))
    assert.strictEqual(await refusal(lastro.listUsers(narrowed)), "PermissionDenied")
    assert.strictEqual(await refusal(lastro.getPartner(narrowed, leaf.partner_id)), "done")
  })

  it("T08 AUTH-24 fails with the error of a token for an unknown, deleted or inactive partner and below an inactive one", async () => {
    const { child, client, lastro, leaf } = await openTree()
    await using _ = lastro
    const reasonAt = async (partner_id: string) =>
      Result.match(await lastro.callerAt(partner_id, host), {
        onSuccess: () => "done",
        onFailure: (failure) => failure._tag === "Unauthenticated" ? failure.reason : failure._tag
      })
    const erp = await success(lastro.createApiClient(leaf.partner_id, "admin"))
    const tokenOf = { grant_type: "client_credentials", client_id: erp.client.client_id, client_secret: erp.secret }
    const { access_token } = await success(lastro.issueToken(tokenOf))
    assert.strictEqual(await reasonAt(leaf.partner_id.toUpperCase()), "done")
    await success(lastro.setPartnerStatus(child.partner_id, "inactive"))
    for (const { partner_id } of [child, leaf]) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its partner
      assert.strictEqual(await reasonAt(partner_id), "inactive")
    }
    assert.strictEqual(await refusal(lastro.callerOfToken(access_token)), "Unauthenticated")
    await success(lastro.setPartnerStatus(child.partner_id, "active"))
    await success(lastro.revokeApiClient(erp.client.client_id))
    await success(lastro.deletePartner(client, leaf.partner_id))
    for (const partner_id of [leaf.partner_id, "01900000-0000-7000-8000-00000000dead", "", "a\u0000b"]) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its partner
      assert.strictEqual(await reasonAt(partner_id), "unknown", partner_id)
    }
  })

  it("AUTH-24 every caller is checked when it is created, and not at each use", async () => {
    const { child, installed, lastro, user_id } = await openTree()
    await using _ = lastro
    await changePassword(lastro, user_id)
    const constructors = [
      () => lastro.callerAt(installed.root_id, host),
      () => lastro.callerOfUser(user_id),
      () => lastro.callerOfClient("erp")
    ]
    const early = await Promise.all(constructors.map((create): Promise<Caller> => success(create())))
    await success(lastro.setPartnerStatus(installed.root_id, "inactive"))
    for (const create of constructors) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its constructor
      assert.strictEqual(await refusal(create()), "Unauthenticated")
    }
    const again = await Promise.all(early.map((caller) => refusal(lastro.getPartner(caller, child.partner_id))))
    assert.deepStrictEqual(again, ["done", "done", "done"])
  })

  it("AUTH-24 the subject is the actor in the audit log and the creator of records", async () => {
    await using fixture = await openTestLastro()
    const { lastro, state } = fixture
    const root = await success(lastro.createRootPartner(partnerBody("11222333000181")))
    const caller = await success(lastro.callerAt(root.partner_id, host))
    const made = await success(lastro.createApplication(caller, { external_id: "loan-1", customer }))
    assert.strictEqual(made.created_by, "host:auth0|5f7c")
    const entries = await success(
      lastro.run(Effect.flatMap(AuditInspector, (audit) => audit.entriesOf(made.application_id)))
    )
    assert.deepStrictEqual(entries.map(({ action, actor }) => [action, actor]), [
      ["application.create", "host:auth0|5f7c"]
    ])
    assert.strictEqual(state().applications.size, 1)
  })

  it("T51 AUTH-24 idempotency keys work for each subject, and never mix with those of a user of the same id", async () => {
    const { installed, lastro, user_id } = await openTree()
    await using _ = lastro
    const root = installed.root_id
    await changePassword(lastro, user_id)
    const subjects = [user_id, "ERP", "erp"]
    const hosts = await Promise.all(subjects.map((subject) => success(lastro.callerAt(root, { ...host, subject }))))
    const callers = [await success(lastro.callerOfUser(user_id)), await success(lastro.callerOfClient("erp")), ...hosts]
    const create = async (caller: Caller) =>
      (await success(
        lastro.createApplication(caller, { external_id: "loan-1", customer }, { idempotency_key: "k" })
      )).application_id
    const first: Array<string> = []
    // oxlint-disable-next-line eslint/no-await-in-loop -- requests with one key are sequential
    for (const caller of callers) first.push(await create(caller))
    assert.strictEqual(new Set(first).size, callers.length)
    const again: Array<string> = []
    // oxlint-disable-next-line eslint/no-await-in-loop -- requests with one key are sequential
    for (const caller of callers) again.push(await create(caller))
    assert.deepStrictEqual(again, first)
    const another = await success(lastro.callerAt(root, { subject: "erp", group: "manager" }))
    assert.strictEqual(await create(another), first.at(-1))
  })

  it("AUTH-24 a user of the host is no user of Lastro, even if its subject is the id of one", async () => {
    const { installed, lastro, user_id } = await openTree()
    await using _ = lastro
    const own = { ...host, subject: user_id }
    const admin = await success(lastro.callerAt(installed.root_id, own))
    const operator = await success(lastro.callerAt(installed.root_id, { ...own, group: "operator" }))
    assert.strictEqual(await refusal(lastro.getOwnUser(admin)), "NotFound")
    assert.strictEqual(await refusal(lastro.getOwnUser(operator)), "NotFound")
    assert.strictEqual(await refusal(lastro.getUser(operator, user_id)), "PermissionDenied")
    const password = { password: "a new password of ours", current_password: "correct horse battery" }
    assert.strictEqual(await refusal(lastro.updateUser(operator, user_id, password)), "PermissionDenied")
    // To the host's administrator, the user is another administrator of the same partner, whose password it cannot set.
    assert.strictEqual(await refusal(lastro.updateUser(admin, user_id, password)), "PermissionDenied")
    assert.strictEqual(await refusal(lastro.deleteUser(admin, user_id)), "LastAdministrator")
  })

  it("AUTH-25 AUTH-26 ValidationFailed names each invalid field", async () => {
    const { installed, lastro } = await openTree()
    await using _ = lastro
    const at = (input: unknown) => refusal(lastro.callerAt(installed.root_id, input as HostPrincipal))
    assert.strictEqual(
      await at({ subject: "u", group: "viewer", permissions: ["users:write"] }),
      "permissions[0] UNKNOWN_VALUE"
    )
    assert.strictEqual(await at({ subject: "maria@example.com", group: "viewer" }), "subject INVALID_FORMAT")
    assert.strictEqual(await at({ group: "king" }), "subject REQUIRED, group UNKNOWN_VALUE")
    assert.strictEqual(await at(undefined), " INVALID_TYPE")
  })
})
