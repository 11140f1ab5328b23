import { authorize } from "@lastro/domain/access"
import { getApplicationStatus } from "@lastro/domain/origination"
import { HostTransactions, UnitOfWork } from "@lastro/domain/ports"
import {
  CallNotAwaited,
  CallOutsideTransaction,
  type LastroTransaction,
  orThrow,
  TransactionEnded,
  TransactionTimeout,
  WaitInTransaction
} from "@lastro/domain/promises"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { hostCommands, type HostFixture, type HostPorts, openHost, runHostCommands } from "./hostFixture.ts"

/** Returns the error with which a promise rejects. */
const rejection = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => assert.fail("the promise resolved"), (error: unknown) => error)

const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

class HostError extends Error {}

/** Describes the partners and applications of a host, without the values that differ in every run. */
const describeRecords = async ({ caller, lastro }: HostFixture) => {
  const partners = orThrow(await lastro.listPartners(caller)).content
  const applications = orThrow(await lastro.listApplications(caller)).content
  const names = new Map<string, string>(partners.map(({ name, partner_id }) => [partner_id, name]))
  return [
    ...partners.map(({ name, parent_id }) => `${names.get(parent_id ?? "")} / ${name}`),
    ...applications.map(({ external_id, status }) => `${external_id} ${status}`)
  ].toSorted()
}

/** Contract cases for HostTransactions, with the use cases as promises. */
export const hostTransactionsCases: ContractCases<HostPorts> = (it, { runs }) => {
  const onHost = (sentence: string, holds: (host: HostFixture) => Promise<void>) =>
    it(sentence, () => Effect.flatMap(openHost, (host) => Effect.promise(() => holds(host))))

  it("`current` returns the flow of the innermost `enter`, also after an await and in concurrent callbacks", function*() {
    const { current, enter } = yield* HostTransactions
    const [outer, inner, other] = [{}, {}, {}]
    const seen: Array<boolean> = []
    yield* Effect.promise(() =>
      Promise.all([
        enter(outer, async () => {
          await pause()
          seen.push(current() === outer)
          await enter(inner, async () => {
            await pause()
            seen.push(current() === inner)
          })
          seen.push(current() === outer)
        }),
        enter(other, async () => {
          await pause()
          seen.push(current() === other)
        })
      ])
    )
    assert.deepStrictEqual(seen, [true, true, true, true])
    assert.isUndefined(current())
  })

  onHost(
    "`lastro.atomically` commits every call and resolves with the value of the callback",
    async ({ auditOf, caller, lastro, names, partnerBody }) => {
      const created = await lastro.atomically(async (tx) => {
        const partner = orThrow(await tx.createPartner(caller, partnerBody("Alfa")))
        orThrow(await tx.updatePartner(caller, partner.partner_id, { partner: { name: "Beta" } }))
        orThrow(await tx.createPartner(caller, partnerBody("Gama")))
        const { content } = orThrow(await tx.listPartners(caller, { sort: "name,asc", name: "Beta" }))
        assert.lengthOf(content, 1)
        return partner
      }, { request_id: "0af7651916cd43dd8448eb211c80319c" })
      assert.deepStrictEqual(await names(), ["Beta", "Gama"])
      const entries = await auditOf(created.partner_id)
      assert.deepStrictEqual(entries.map(({ request_id }) => request_id), [
        "0af7651916cd43dd8448eb211c80319c",
        "0af7651916cd43dd8448eb211c80319c"
      ])
    }
  )

  onHost(
    "a callback that throws rolls back every call, and the promise rejects with the same error",
    async ({ auditOf, caller, lastro, names, partnerBody }) => {
      const body = partnerBody("Alfa")
      const error = new HostError("undo")
      let undone = ""
      const create = (tx: Pick<LastroTransaction, "createPartner">) =>
        tx.createPartner(caller, body, { idempotency_key: "one" })
      const failed = await rejection(lastro.atomically(async (tx) => {
        undone = orThrow(await create(tx)).partner_id
        throw error
      }))
      assert.strictEqual(failed, error)
      assert.deepStrictEqual(await names(), [])
      assert.deepStrictEqual(await auditOf(undone), [])
      // The rollback has also removed the idempotency key, so the same call creates another partner.
      assert.notStrictEqual(orThrow(await create(lastro)).partner_id, undone)
      assert.deepStrictEqual(await names(), ["Alfa"])
    }
  )

  onHost(
    "a refused call rolls back its own writes only, unless the callback throws the refusal",
    async ({ caller, lastro, names, partnerBody }) => {
      const body = partnerBody("Alfa")
      const refused = await lastro.atomically(async (tx) => {
        orThrow(await tx.createPartner(caller, body))
        return tx.createPartner(caller, { partner: { ...body.partner, name: "Beta" } })
      })
      assert.strictEqual(refused._tag === "Failure" ? refused.failure._tag : "", "DocumentTaken")
      assert.deepStrictEqual(await names(), ["Alfa"])
      const thrown = await rejection(lastro.atomically(async (tx) => {
        orThrow(await tx.createPartner(caller, partnerBody("Gama")))
        orThrow(await tx.createPartner(caller, body))
      }))
      assert.strictEqual(Object(thrown)._tag, "DocumentTaken")
      assert.deepStrictEqual(await names(), ["Alfa"])
    }
  )

  onHost(
    "a nested `tx.atomically` that throws rolls back alone, and the outer callback continues",
    async ({ caller, lastro, names, partnerBody }) => {
      const error = new HostError("undo the inner callback")
      await lastro.atomically(async (tx) => {
        orThrow(await tx.createPartner(caller, partnerBody("Alfa")))
        const failed = await rejection(tx.atomically(async (inner) => {
          orThrow(await inner.createPartner(caller, partnerBody("Beta")))
          throw error
        }))
        assert.strictEqual(failed, error)
        await tx.atomically(async (inner) => orThrow(await inner.createPartner(caller, partnerBody("Gama"))))
      })
      assert.deepStrictEqual(await names(), ["Alfa", "Gama"])
    }
  )

  onHost(
    "concurrent calls of one transaction run one at a time, in their order",
    async ({ caller, lastro, names, partnerBody }) => {
      await lastro.atomically(async (tx) => {
        const body = partnerBody("Alfa")
        const [first, second, , listed] = await Promise.all([
          tx.createPartner(caller, body),
          tx.createPartner(caller, body),
          tx.atomically(async (inner) => {
            orThrow(await inner.createPartner(caller, partnerBody("Beta")))
          }),
          tx.listPartners(caller, { name: "Beta" })
        ])
        assert.deepStrictEqual([first._tag, second._tag], ["Success", "Failure"])
        assert.lengthOf(orThrow(listed).content, 1)
      })
      assert.deepStrictEqual(await names(), ["Alfa", "Beta"])
    }
  )

  onHost(
    "a call of the outer Lastro in the callback is refused, and the transaction continues",
    async ({ caller, lastro, names, partnerBody }) => {
      await lastro.atomically(async (tx) => {
        orThrow(await tx.createPartner(caller, partnerBody("Alfa")))
        const calls = [
          lastro.createPartner(caller, partnerBody("outside")),
          lastro.listPartners(caller),
          lastro.atomically(async () => {}),
          lastro.run(Effect.void),
          lastro.close()
        ]
        const refused = await Promise.all(calls.map((call) => rejection(call)))
        for (const error of refused) assert.instanceOf(error, CallOutsideTransaction)
        await tx.atomically(async () => {
          assert.instanceOf(await rejection(tx.listPartners(caller)), CallOutsideTransaction)
        })
        orThrow(await tx.createPartner(caller, partnerBody("Beta")))
      })
      assert.deepStrictEqual(await names(), ["Alfa", "Beta"])
    }
  )

  onHost(
    "`tx` is refused after the end of its callback, and code that the callback left running can then call Lastro",
    async ({ caller, lastro, names, partnerBody }) => {
      const ended = Promise.withResolvers<void>()
      const { remaining } = await lastro.atomically(async (tx) => ({
        // In an object, because the callback would otherwise wait for this promise.
        remaining: ended.promise.then(async () => {
          assert.instanceOf(await rejection(tx.createPartner(caller, partnerBody())), TransactionEnded)
          orThrow(await lastro.createPartner(caller, partnerBody("later")))
        })
      }))
      ended.resolve()
      await remaining
      assert.deepStrictEqual(await names(), ["later"])
    }
  )

  onHost(
    "a callback that ends while a call is running is rolled back",
    async ({ caller, lastro, names, partnerBody }) => {
      let lost: Promise<unknown> = Promise.resolve()
      const failed = await rejection(lastro.atomically(async (tx) => {
        orThrow(await tx.createPartner(caller, partnerBody("Alfa")))
        lost = rejection(tx.run(Effect.never))
      }))
      assert.instanceOf(failed, CallNotAwaited)
      assert.instanceOf(await lost, TransactionEnded)
      assert.deepStrictEqual(await names(), [])
    }
  )

  onHost("a transaction that does not end in time is rolled back", async ({ caller, lastro, names, partnerBody }) => {
    const failed = await rejection(lastro.atomically(async (tx) => {
      orThrow(await tx.createPartner(caller, partnerBody("Alfa")))
      await new Promise(() => {})
    }, { timeout: "300 millis" }))
    assert.instanceOf(failed, TransactionTimeout)
    assert.deepStrictEqual(await names(), [])
  })

  onHost(
    "a transaction has no `issueToken`, because a rollback would undo the revocation of a session",
    async (host) => {
      await host.lastro.atomically(async (tx) => assert.notProperty(tx, "issueToken"))
    }
  )

  onHost(
    "an aborted transaction is rolled back, and rejects with the reason",
    async ({ caller, lastro, names, partnerBody }) => {
      const controller = new AbortController()
      const failed = await rejection(lastro.atomically(async (tx) => {
        orThrow(await tx.createPartner(caller, partnerBody("Alfa")))
        controller.abort("cancelled")
        await new Promise(() => {})
      }, { signal: controller.signal }))
      assert.strictEqual(failed, "cancelled")
      assert.deepStrictEqual(await names(), [])
    }
  )

  onHost(
    "in a transaction, a long poll that may wait and a read of the feed are refused",
    async ({ caller, lastro }) => {
      await lastro.atomically(async (tx) => {
        assert.instanceOf(await rejection(tx.listEvents(caller)), WaitInTransaction)
        const poll = tx.getApplicationStatus(caller, "01900000-0000-7000-9000-000000000001", { wait: 1 })
        assert.instanceOf(await rejection(poll), WaitInTransaction)
      })
    }
  )

  onHost(
    "a long poll in a unit of work of the host's own Effect code dies if it would wait",
    async ({ caller, documents: [cpf], lastro }) => {
      const body = { external_id: "loan", customer: { cpf, birth_date: "1990-05-17", name: "Ana Souza" } }
      const { application_id } = orThrow(await lastro.createApplication(caller, body))
      // With this next action, the poll would wait.
      const poll = Effect.flatMap(
        Effect.fromResult(authorize(caller, "fgts:read")),
        (allowed) => getApplicationStatus(allowed, application_id, { wait: "20" }, () => Option.some(true))
      )
      const inUnit = UnitOfWork.use(({ atomically }) => atomically(poll))
      assert.instanceOf(await rejection(lastro.run(inUnit)), WaitInTransaction)
    }
  )

  it.forAll(
    "random calls change nothing if their callback throws, and otherwise have the same outcomes as without a transaction",
    hostCommands,
    (commands) =>
      Effect.flatMap(Effect.all([openHost, openHost]), ([host, other]) =>
        Effect.promise(async () => {
          const before = await describeRecords(host)
          const error = new HostError("undo")
          const failed = await rejection(host.lastro.atomically(async (tx) => {
            await runHostCommands(tx, host, commands)
            throw error
          }))
          assert.strictEqual(failed, error)
          assert.deepStrictEqual(await describeRecords(host), before)
          const outcomes = await host.lastro.atomically((tx) => runHostCommands(tx, host, commands))
          assert.deepStrictEqual(outcomes, await runHostCommands(other.lastro, other, commands))
          assert.deepStrictEqual(await describeRecords(host), await describeRecords(other))
        })),
    Math.min(runs, 10)
  )
}
