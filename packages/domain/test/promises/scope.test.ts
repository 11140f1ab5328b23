import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { orThrow } from "../../src/promises/LastroTransaction.ts"
import { opened, partnerBody, refusal, success } from "./opened.ts"

const host = { subject: "clerk-7", group: "viewer" } as const

describe("scope", () => {
  it("HIER-06 contains the caller's partner and its descendants, deleted ones included, also in a transaction", async () => {
    const { client, installed, lastro } = await opened()
    await using _ = lastro
    const child = await success(lastro.createPartner(client, partnerBody("11222333000181")))
    const { partner } = partnerBody("11444777000161")
    const leaf = await success(lastro.createPartner(client, { partner: { ...partner, parent_uuid: child.partner_id } }))
    await success(lastro.deletePartner(client, leaf.partner_id))
    const caller = await success(lastro.callerAt(child.partner_id, host))
    const scope = orThrow(lastro.scope(caller))
    assert.strictEqual(scope.partner_id, child.partner_id)
    assert.sameMembers([...(await success(scope.partnerIds()))], [child.partner_id, leaf.partner_id])
    assert.isTrue(await scope.includes(leaf.partner_id.toUpperCase()))
    for (const outside of [installed.root_id, "01900000-0000-7000-9000-00000000ffff", "7", ""]) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- sequential, so that a failure names its id
      assert.isFalse(await scope.includes(outside))
    }

    const added = await lastro.atomically(async (tx) => {
      const made = orThrow(await tx.createPartner(client, partnerBody("99999999000191")))
      const inside = orThrow(tx.scope(client))
      assert.isTrue(await inside.includes(made.partner_id))
      assert.lengthOf(orThrow(await inside.partnerIds()), 4)
      return made.partner_id
    })
    assert.isTrue(await orThrow(lastro.scope(client)).includes(added))
  })

  it("fails with ScopeTooLarge above `limit`, and refuses a limit that is no integer from 1 to 100 000", async () => {
    const { client, lastro } = await opened()
    await using _ = lastro
    await success(lastro.createPartner(client, partnerBody("11222333000181")))
    const scope = orThrow(lastro.scope(client))
    assert.lengthOf(await success(scope.partnerIds({ limit: 2 })), 2)
    const refused = await scope.partnerIds({ limit: 1 })
    assert(Result.isFailure(refused))
    assert.strictEqual(
      refused.failure.message,
      "The subtree has more partners than the limit (limit: 1). Join your rows with the view `partner_ancestor` instead."
    )
    const refusals = [0, -1, 1.5, Number.NaN, 100_001].map((limit) => scope.partnerIds({ limit }).catch(String))
    for (const answer of await Promise.all(refusals)) {
      assert.match(String(answer), /^RangeError: `limit` must be an integer from 1 to 100000, and is /)
    }
  })

  it("HIER-06 is refused to a caller with a temporary password, and to a value that is no caller", async () => {
    const { client, lastro } = await opened()
    await using _ = lastro
    const { content } = await success(lastro.listUsers(client))
    const user = await success(lastro.callerOfUser(content[0]?.user_id ?? ""))
    assert.isTrue(user.must_change_password)
    assert.strictEqual(await refusal(Promise.resolve(lastro.scope(user))), "PasswordChangeRequired")
    const copy = { ...client } as Caller
    assert.throws(() => lastro.scope(copy), TypeError)
  })
})
