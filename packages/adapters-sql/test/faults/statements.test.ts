import { afterAll, assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { isOrdeal } from "../../../../test/rounds.ts"
import { type Content, findVolatile, normalize } from "./DatabaseSnapshot.ts"
import { type FaultyLastro, openFaultyLastro } from "./faultyLastro.ts"
import { type FaultTiming } from "./StatementFaults.ts"
import { type WriteCase, writeCases } from "./writeCases.ts"

/** The usual lane injects faults at every fiftieth statement, from a random start; `pnpm ordeal:races` at all of them. */
const stride = isOrdeal ? 1 : 50

type Outcome = { readonly _tag: "Returned"; readonly value: unknown } | {
  readonly _tag: "Died"
  readonly cause: unknown
}

/** Runs a call with the same ids and secrets each time. A typed error counts as a failed call. */
const run = async (
  { inputs }: FaultyLastro,
  call: () => Promise<Result.Result<unknown, unknown>>
): Promise<Outcome> => {
  inputs.startSeries(2)
  try {
    const result = await call()
    return Result.isSuccess(result)
      ? { _tag: "Returned", value: result.success }
      : { _tag: "Died", cause: result.failure }
  } catch (cause) {
    return { _tag: "Died", cause }
  }
}

/** Verifies one use case with a fault at each of its statements. */
const failAtEachStatement = async (
  node: FaultyLastro,
  { arrange, isRepeatable }: WriteCase
): Promise<void> => {
  await node.restore("empty")
  node.inputs.startSeries(1)
  const act = await arrange(node)
  const call = () => run(node, () => act("the-key"))
  await node.save("before")
  const exactly = (content: Content) => normalize(content, new Map())
  const none = await node.read()
  const before = exactly(none)

  const expected = await call()
  assert.strictEqual(expected._tag, "Returned", String("cause" in expected ? expected.cause : ""))
  const one = await node.read()
  await node.restore("before")
  assert.deepStrictEqual(exactly(await node.read()), before)
  const sent = node.faults.sent
  assert.deepStrictEqual(await call(), expected)
  const statements = node.faults.sent - sent
  const volatile = findVolatile(one, await node.read())
  const stable = (content: Content) => normalize(content, volatile)
  const after = stable(one)
  assert.notDeepEqual(stable(none), after, "the use case writes")
  await node.restore("before")

  /** Injects one fault. Returns false if the call has fewer statements. */
  const failAt = async (statement: number, timing: FaultTiming): Promise<boolean> => {
    const at = `${timing} statement ${statement}`
    node.faults.arm(statement, timing)
    const outcome = await call()
    if (!node.faults.disarm()) {
      assert.deepStrictEqual(outcome, expected)
      await node.restore("before")
      return false
    }
    const content = await node.read()
    const isAfter = JSON.stringify(stable(content)) === JSON.stringify(after)
    if (!isAfter) assert.deepStrictEqual(exactly(content), before, at)
    if (outcome._tag === "Returned") {
      assert.isTrue(isAfter, `success without a write, ${at}`)
      assert.deepStrictEqual(outcome, expected, at)
    }
    if (!isAfter || isRepeatable) {
      assert.deepStrictEqual(await call(), expected, `the retry, ${at}`)
      assert.deepStrictEqual(stable(await node.read()), after, `the retry, ${at}`)
    }
    await node.restore("before")
    return true
  }
  /** Injects a fault at every `stride`-th statement. Returns the number of faults. */
  const failFrom = async (statement: number, timing: FaultTiming): Promise<number> => {
    if (statement > statements || !await failAt(statement, timing)) return 0
    return 1 + await failFrom(statement + stride, timing)
  }
  /** As {@link failFrom}. Injects the fault at the first statement if the call has too few. */
  const failSome = async (statement: number, timing: FaultTiming): Promise<void> => {
    if (await failFrom(statement, timing) === 0) assert.isTrue(await failAt(1, timing))
  }
  // The start is random, so that many runs together reach every statement.
  const first = 1 + Math.floor(Math.random() * stride)
  await failSome(first, "before")
  await failSome(1 + stride - first, "after")
}

const nodes: Array<FaultyLastro> = []

afterAll(() => Promise.all(nodes.map(({ close }) => close())))

describe("a connection that dies at any statement", () => {
  it.each(Object.entries(writeCases))(
    "T58 leaves the database before or after %s, and a retry succeeds",
    async (_, chosen) => {
      const node = nodes[0] ?? await openFaultyLastro()
      nodes[0] = node
      await failAtEachStatement(node, chosen)
    },
    120_000
  )
})
