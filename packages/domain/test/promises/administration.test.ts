import { assert, describe, it } from "@effect/vitest"
import { groupBySlug } from "../../src/access/Group.ts"
import { opened, partnerBody, refusal, success } from "./opened.ts"

const newcomer = (partner_id: string) => ({
  name: "Bia Nova",
  email: "bia@example.com",
  phone: "1133334444",
  cpf: "52998224725",
  group_id: groupBySlug("viewer").group_id,
  partner_id
})

describe("functions of partners, users and groups", () => {
  it("a partner is created, read, listed, changed and deleted", async () => {
    const { client, installed, lastro } = await opened()
    const made = await success(lastro.createPartner(client, partnerBody("11222333000181")))
    assert.strictEqual(made.parent_id, installed.root_id)
    assert.deepStrictEqual(await success(lastro.getPartner(client, made.partner_id)), made)
    const page = await success(
      lastro.listPartners(client, { name: "se", size: 1, sort: ["name,desc", "created_at"], page: 0 })
    )
    assert.deepStrictEqual(page.content.map(({ partner_id }) => partner_id), [made.partner_id])
    const changed = await success(
      lastro.updatePartner(client, made.partner_id, { partner: { name: "Loja Sul" } }, { based_on: made })
    )
    assert.strictEqual(changed.name, "Loja Sul")
    assert.strictEqual(
      await refusal(lastro.updatePartner(client, made.partner_id, { pix: null }, { based_on: made })),
      "PreconditionFailed"
    )
    assert.strictEqual(
      await refusal(lastro.deletePartner(client, made.partner_id, { based_on: made })),
      "PreconditionFailed"
    )
    await success(lastro.deletePartner(client, made.partner_id, { based_on: changed }))
    assert.strictEqual(await refusal(lastro.getPartner(client, made.partner_id)), "NotFound")
    await lastro.close()
  })

  it("a user is created, read, listed, changed and deleted, and calls functions itself", async () => {
    const { client, installed, lastro } = await opened()
    const made = await success(lastro.createUser(client, newcomer(installed.root_id)))
    assert.isString(made.temporary_password)
    const caller = await success(lastro.callerOfUser(made.user_id.toUpperCase()))
    assert.strictEqual(await refusal(lastro.listPartners(caller)), "PasswordChangeRequired")
    await success(lastro.updateUser(caller, made.user_id, {
      password: "something new",
      current_password: made.temporary_password
    }))
    const viewer = await success(lastro.callerOfUser(made.user_id))
    assert.propertyVal(await success(lastro.getOwnUser(viewer)), "user_id", made.user_id)
    assert.propertyVal(await success(lastro.getOwnUser(client)), "client_id", client.subject)
    assert.lengthOf(await success(lastro.listGroups(viewer)), 4)
    assert.strictEqual(await refusal(lastro.createPartner(viewer, {})), "PermissionDenied")
    const user = await success(lastro.getUser(viewer, made.user_id))
    assert.strictEqual(user.name, "Bia Nova")
    assert.lengthOf((await success(lastro.listUsers(client, { full_name: "bia" }))).content, 1)
    await success(lastro.deleteUser(client, made.user_id, { based_on: user }))
    assert.strictEqual(await refusal(lastro.callerOfUser(made.user_id)), "Unauthenticated")
    await lastro.close()
  })

  it("resolves with the invalid fields and never rejects", async () => {
    const { client, lastro } = await opened()
    const unknownId = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
    assert.strictEqual(await refusal(lastro.createPartner(client, null)), " NOT_NULLABLE")
    assert.strictEqual(
      await refusal(lastro.createPartner(client, partnerBody("11111111111111"))),
      "partner.document_number INVALID_CHECK_DIGIT"
    )
    assert.strictEqual(await refusal(lastro.listUsers(client, { size: "many" })), "query.size INVALID_TYPE")
    const ids = [unknownId, "", "me", "'; drop table partner --"]
    const answers = ids.flatMap((id) => [
      lastro.getPartner(client, id),
      lastro.updatePartner(client, id, {}),
      lastro.deletePartner(client, id),
      lastro.getUser(client, id),
      lastro.updateUser(client, id, {}),
      lastro.deleteUser(client, id),
      lastro.setPartnerStatus(id, "inactive"),
      lastro.createApiClient(id, "viewer")
    ])
    assert.deepStrictEqual(new Set(await Promise.all(answers.map(refusal))), new Set(["NotFound"]))
    const callers = ids.flatMap((id) => [lastro.callerOfUser(id), lastro.callerOfClient(id)])
    assert.deepStrictEqual(new Set(await Promise.all(callers.map(refusal))), new Set(["Unauthenticated"]))
    await lastro.close()
  })

  it("IDEM-01 IDEM-02 executes a command once for each idempotency key", async () => {
    const { client, lastro } = await opened()
    const create = (idempotency_key: string, name?: string) =>
      lastro.createPartner(client, partnerBody("11222333000181", name), { idempotency_key })
    const [first, second] = [await success(create("k")), await success(create("k"))]
    assert.deepStrictEqual(second, first)
    assert.strictEqual(await refusal(create("k", "Another")), "IdempotencyKeyReused")
    assert.strictEqual(await refusal(create("other")), "DocumentTaken")
    assert.strictEqual(await refusal(create("not a key")), "idempotency_key INVALID_FORMAT")
    await lastro.close()
  })
})
