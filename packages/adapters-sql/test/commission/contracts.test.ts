import { assert, it } from "@effect/vitest"
import { Effect, Exit, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { migratedDatabase } from "../postgres.ts"
import { ok, openLane, openNetwork } from "./nodes.ts"

it("COMM-26 of two trees that record a contract with the same id at the same time, one gets DUPLICATE", async () => {
  const scope = Scope.makeUnsafe()
  const lane = await openLane(await Effect.runPromise(Scope.provide(migratedDatabase, scope)))
  const [node, other] = lane.nodes
  try {
    const networks = [await openNetwork(lane), await openNetwork(lane)] as const
    const contract_id = randomUUID()
    const accept = (
      recorder: Pick<typeof node, "recordAcceptance">,
      { callers: [caller], partners: [partner_id] }: typeof networks[0]
    ) => {
      assert.isDefined(caller)
      const amounts = { gross_amount: 1_200, principal_amount: 1_100, net_amount: 1_000 }
      const body = { contract_id, partner_id, lender: "bank", table: "gold", ...amounts }
      return recorder.recordAcceptance(caller, body as never)
    }
    const countWaiting = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select from pg_locks where not granted`)
    const answers: Array<ReturnType<typeof accept>> = []
    await ok(node.atomically(async (transaction) => {
      await ok(accept(transaction, networks[0]))
      answers.push(accept(other, networks[1]))
      // The second insert waits for the end of the first transaction.
      const isWaiting = async (): Promise<boolean> =>
        (await ok(other.run(countWaiting as never) as Promise<Result.Result<ReadonlyArray<unknown>, unknown>>)).length >
          0
      const untilWaiting = async (): Promise<void> => {
        if (await isWaiting()) return
        await new Promise((resolve) => setTimeout(resolve, 20))
        await untilWaiting()
      }
      await untilWaiting()
      return Result.void
    }) as never)
    const [answer] = await Promise.all(answers)
    assert.isDefined(answer)
    assert.deepInclude(JSON.parse(JSON.stringify(Result.isFailure(answer) ? answer.failure : answer)), {
      _tag: "ValidationFailed"
    })
    assert.include(JSON.stringify(Result.isFailure(answer) ? answer.failure : ""), "DUPLICATE")
    assert.isTrue(Result.isSuccess(await accept(node, networks[0])), "the first tree can repeat its record")
  } finally {
    await lane.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
})
