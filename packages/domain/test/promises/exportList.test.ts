import { assert, describe, it } from "@effect/vitest"
import { aCaller, aPartner, aUser, openTestLastro } from "@lastro/testkit"
import { Result } from "effect"
import { csvFormats, csvHeader, csvLine, exports } from "../../src/export/index.ts"

describe("lastro.exportList", () => {
  it("iterates over every record of a list, with the type of its records", async () => {
    await using fixture = await openTestLastro()
    const { callerFor, given, lastro } = fixture
    const root = await given(aPartner())
    const caller = await callerFor(aCaller().at(root).inGroup("admin"))
    const newUsers = Array.from({ length: 130 }, (_, index) => aUser({ name: "=Ana", email: `u${index}@example.com` }))
    await Promise.all(newUsers.map((user) => given(user.of(root))))
    const users = Result.getOrThrow(
      await lastro.exportList(caller, "listUsers", { sort: "email", full_name: "ana", page: 7 })
    )
    const emails: Array<string> = []
    const { columns } = exports.listUsers
    let file = csvHeader(columns, csvFormats.en)
    for await (const user of users) {
      emails.push(user.email)
      file += csvLine(user, columns, csvFormats.en)
    }
    assert.lengthOf(emails, 130)
    assert.deepStrictEqual(emails, emails.toSorted())
    assert.lengthOf(file.split(",'=Ana,"), 131)
  })

  it("fails with the errors of the list, and can be left early", async () => {
    await using fixture = await openTestLastro()
    const { callerFor, given, lastro } = fixture
    const root = await given(aPartner())
    const caller = await callerFor(aCaller().at(root).inGroup("viewer"))
    const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
      Result.isFailure(result) ? result.failure._tag : "done"
    assert.strictEqual(tagOf(await lastro.exportList(caller, "listAudit")), "PermissionDenied")
    assert.strictEqual(tagOf(await lastro.exportList(caller, "listUsers", { shoe: 1 })), "ValidationFailed")
    const readFirst = async () => {
      for await (const partner of Result.getOrThrow(await lastro.exportList(caller, "listPartners"))) {
        return partner.partner_id
      }
      return undefined
    }
    assert.strictEqual(await readFirst(), root.partner_id)
    assert.strictEqual(await readFirst(), root.partner_id)
    assert.strictEqual(await readFirst(), root.partner_id)
  })
})
