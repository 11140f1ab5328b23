import { authorize, type Caller } from "@lastro/domain/access"
import { parseIdempotencyKey } from "@lastro/domain/idempotency"
import { callerAt } from "@lastro/domain/identity"
import { createApplication } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { aCaller } from "../../builders/aCaller.ts"
import { aCustomer } from "../../builders/aCustomer.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { openLoanFixture, type OriginationStorage } from "../../scenarios/LoanFixture.ts"
import { findPartnerForUpdate } from "../hierarchy/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Opens an application with an idempotency key, and returns its id and creator. */
const openApplication = Effect.fnUntraced(function*(caller: Caller, { partner_id }: PartnerDetail, key: string) {
  const { birth_date, cpf } = yield* aCustomer({ cpf: "11144477735" })
  const body = { external_id: "loan-1", partner_id, customer: { birth_date, cpf } }
  const allowed = Result.getOrThrow(authorize(caller, "fgts:write"))
  const sent = parseIdempotencyKey(key, "idempotency_key", () => "the same request")
  const { answer } = yield* createApplication(allowed, body, sent)
  return { id: answer.application_id, created_by: answer.created_by }
})

/** Contract cases for use cases of callers that the host application authenticated. */
export const hostCallerCases: ContractCases<OriginationStorage | PartnerRepository> = (it) => {
  it("T51 AUTH-24 a user of the host creates records, and its idempotency keys are separate from those of an API client with the same id", () =>
    Effect.gen(function*() {
      const [root, child] = yield* storeForest([null, 0])
      const fixture = yield* openLoanFixture(root, Date.parse(exampleInstant))
      const subject = yield* freshId
      const host = yield* callerAt(root.partner_id, { subject, group: "operator" })
      const client = yield* aCaller().at(root).asClient().called(subject)
      const key = yield* freshId
      const open = (caller: Caller) => fixture.run(openApplication(caller, child, key))
      const [first, other] = [yield* open(host), yield* open(client)]
      assert.deepStrictEqual([first.created_by, other.created_by], [`host:${subject}`, subject])
      assert.notStrictEqual(first.id, other.id)
      assert.deepStrictEqual(yield* open(yield* callerAt(root.partner_id, { subject, group: "admin" })), first)
    }).pipe(Effect.scoped))

  it("T08 AUTH-24 no caller is created at an inactive partner or below it, until it is active again", () =>
    Effect.gen(function*() {
      const partners = yield* PartnerRepository
      const [root, child] = yield* storeForest([null, 0])
      const reason = Effect.match(callerAt(child.partner_id, { subject: "u-1", group: "viewer" }), {
        onSuccess: ({ root_id }) => root_id as string,
        onFailure: (failure) => failure._tag === "Unauthenticated" ? failure.reason : failure._tag
      })
      const setStatus = Effect.fnUntraced(function*(status: PartnerDetail["status"]) {
        const before = yield* findPartnerForUpdate(root)
        yield* partners.update(before, { ...before.record, status })
      })
      assert.strictEqual(yield* reason, root.partner_id)
      yield* setStatus("inactive")
      assert.strictEqual(yield* reason, "inactive")
      yield* setStatus("active")
      assert.strictEqual(yield* reason, root.partner_id)
    }))
}
