import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import * as fc from "fast-check"
import { type Allowed } from "../../src/access/Authorization.ts"
import { type Caller } from "../../src/access/Caller.ts"
import { type Permission, permissions } from "../../src/access/Permission.ts"
import { NotFound } from "../../src/hierarchy/Scope.ts"
import { type Precondition } from "../../src/input/Precondition.ts"
import { noAddress, partner } from "../../src/operation/Address.ts"
import { type InputKind, type Operation, operation, requirePermission } from "../../src/operation/Operation.ts"
import { type OperationName, operations } from "../../src/operation/operations.ts"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { anyCaller, makeCaller, otherUser, ownUser } from "../hierarchy/callers.ts"

/** The permission that each operation requires, written a second time. */
const required: Readonly<Record<OperationName, Permission | null>> = {
  listPartners: "partners:read",
  createPartner: "partners:write",
  getPartner: "partners:read",
  updatePartner: "partners:write",
  deletePartner: "partners:write",
  listUsers: "users:read",
  createUser: "users:write",
  getOwnUser: null,
  getUser: "users:read",
  updateUser: "users:write",
  deleteUser: "users:write",
  listClients: "clients:write",
  createClient: "clients:write",
  getClient: "clients:write",
  revokeClient: "clients:write",
  rotateClientSecret: "clients:write",
  listGroups: null,
  listAudit: "audit:read",
  listEvents: "events:read",
  listLenders: "fgts:read",
  getRouting: "partners:read",
  putRouting: "partners:write",
  deleteRouting: "partners:write",
  searchApplications: "fgts:read",
  listApplications: "fgts:read",
  summarizeApplications: "fgts:read",
  createApplication: "fgts:write",
  getApplication: "fgts:read",
  updateApplication: "fgts:write",
  getApplicationStatus: "fgts:read",
  requoteApplication: "fgts:write",
  acceptOffer: "fgts:write",
  cancelApplication: "fgts:write",
  getKyc: "kyc:read",
  submitKyc: "fgts:write",
  listProposals: "proposals:read",
  getProposal: "proposals:read",
  withdrawFromProposal: "fgts:write",
  renewSignatureLink: "fgts:write",
  listWebhooks: "webhooks:write",
  createWebhook: "webhooks:write",
  getWebhook: "webhooks:write",
  updateWebhook: "webhooks:write",
  deleteWebhook: "webhooks:write",
  rotateWebhookSecret: "webhooks:write",
  testWebhook: "webhooks:write",
  listWebhookDeliveries: "webhooks:write",
  redeliverEvent: "webhooks:write",
  replayWebhook: "webhooks:write",
  createCommissionPlan: "commissions:write",
  listCommissionPlans: "commissions:read",
  getCurrentCommissionPlan: "commissions:read",
  listCommissions: "commissions:read",
  summarizeCommissions: "commissions:read",
  adjustCommission: "commissions:write",
  closeCommissions: "commissions:write",
  createCommissionPayout: "commissions:write",
  listCommissionPayouts: "commissions:read",
  compareCommissionStatement: "commissions:write"
}

const entries: Readonly<Record<OperationName, Operation<ReadonlyArray<string>, InputKind, unknown, unknown, unknown>>> =
  operations

const names = Object.keys(required) as ReadonlyArray<OperationName>

/** Checks a call with ids of records that are not the caller's own. */
const isPermitted = (name: OperationName, caller: Caller): boolean =>
  Result.isSuccess(entries[name].authorize(caller, otherUser, otherUser))

describe("operations", () => {
  it("AUTH-12 each operation requires exactly one permission, or none", () => {
    for (const name of names) {
      const permission = required[name]
      assert.strictEqual(entries[name].permission, permission, name)
      for (const held of permissions) {
        const caller = makeCaller({ permissions: new Set([held]) })
        assert.strictEqual(isPermitted(name, caller), permission === null || held === permission, `${name} ${held}`)
      }
      fc.assert(fc.property(anyCaller, (caller) => {
        const isHeld = permission === null || caller.permissions.has(permission)
        assert.strictEqual(isPermitted(name, caller), !caller.must_change_password && isHeld, name)
      }))
    }
  })

  it("AUTH-12 AUTH-31 a user reads and patches itself without a permission, and others only with one", () => {
    const none = makeCaller({ permissions: new Set() })
    const due = makeCaller({ must_change_password: true })
    for (const [name, permission] of [["getUser", "users:read"], ["updateUser", "users:write"]] as const) {
      const isAllowed = (caller: Caller, id: string) => Result.isSuccess(entries[name].authorize(caller, id))
      assert.isTrue(isAllowed(none, ownUser))
      assert.isTrue(isAllowed(none, ownUser.toUpperCase()))
      assert.isFalse(isAllowed(none, otherUser))
      for (const malformed of ["", "me", `${ownUser} `]) assert.isFalse(isAllowed(none, malformed))
      assert.isTrue(isAllowed(makeCaller({ permissions: new Set([permission]) }), otherUser))
      assert.isTrue(isAllowed(makeCaller({ permissions: new Set([permission]) }), ""))
      assert.strictEqual(isAllowed(due, ownUser), name === "updateUser")
    }
    const client = makeCaller({ kind: "client", permissions: new Set() })
    assert.isTrue(Result.isSuccess(operations.getOwnUser.authorize(client)))
    assert.isTrue(Result.isSuccess(operations.getOwnUser.authorize(none)))
    assert.isFalse(Result.isSuccess(operations.getOwnUser.authorize(due)))
  })

  it("ID-02 a malformed id is NotFound, after permission and before the use case", () => {
    for (const name of names.filter((name) => entries[name].idCount > 0)) {
      const call = Result.getOrThrow(entries[name].authorize(makeCaller(), "not an id", otherUser))
      assert.instanceOf(Result.isFailure(call.ids) ? call.ids.failure : undefined, NotFound, name)
    }
    const [, offer] = Result.getOrThrow(
      Result.getOrThrow(operations.acceptOffer.authorize(makeCaller(), otherUser.toUpperCase(), "nonsense")).ids
    )
    assert.strictEqual(
      offer,
      "00000000-0000-0000-0000-000000000000",
      "no offer has this id: the use case judges it after the application"
    )
  })

  it.effect("passes a use case its ids in canonical form and its kind of input", () =>
    Effect.gen(function*() {
      const expected: Precondition<unknown> = () => true
      const key = Result.succeed({ key: "k", fingerprint: "f" })
      const input = { query: { a: "1" }, budget: 3, body: { b: 2 }, key, expected, isKnown: () => Option.none() }
      const record = (...parameters: ReadonlyArray<unknown>) => Effect.succeed(parameters.slice(1))
      const requires = requirePermission("partners:read")
      const takings = {
        nothing: operation({ requires, address: partner, takes: "nothing", useCase: record }),
        query: operation({ requires, address: partner, takes: "query", useCase: record }),
        "optional query": operation({ requires, address: partner, takes: "optional query", useCase: record }),
        list: operation({ requires, address: partner, takes: "list", useCase: record }),
        command: operation({ requires, address: partner, takes: "command", useCase: record }),
        "optional command": operation({ requires, address: partner, takes: "optional command", useCase: record }),
        patch: operation({ requires, address: partner, takes: "patch", useCase: record }),
        deletion: operation({ requires, address: partner, takes: "deletion", useCase: record }),
        "long poll": operation({ requires, address: partner, takes: "long poll", useCase: record })
      }
      const { body, isKnown, query } = input
      const given: Readonly<Record<keyof typeof takings, ReadonlyArray<unknown>>> = {
        nothing: [],
        query: [query],
        "optional query": [query],
        list: [query, 3],
        command: [body, key],
        "optional command": [body, key],
        patch: [body, expected],
        deletion: [expected],
        "long poll": [query, isKnown]
      }
      for (const kind of Object.keys(takings) as ReadonlyArray<keyof typeof takings>) {
        const call = yield* Effect.fromResult(takings[kind].authorize(makeCaller(), otherUser.toUpperCase()))
        assert.deepStrictEqual(yield* call.execute(input), [otherUser, ...given[kind]], kind)
      }
    }))

  it("an entry whose parts do not fit together does not compile", () => {
    const requires = requirePermission("partners:read")
    // @ts-expect-error the use case requires the proof of another permission
    operation({ requires, address: partner, takes: "patch", useCase: updatePartner })
    // @ts-expect-error the use case takes an id
    operation({ requires, address: noAddress, takes: "nothing", useCase: getPartner })
    const takesText = (_: Allowed<"partners:read">, text: string) => Effect.succeed(text)
    // @ts-expect-error the use case takes no query
    operation({ requires, address: noAddress, takes: "query", useCase: takesText })
    // @ts-expect-error the answer has no such field
    operation({ requires, address: partner, takes: "nothing", creates: "user_id", useCase: getPartner })
  })
})
