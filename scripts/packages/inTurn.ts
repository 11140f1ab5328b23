/** Does so many things at a time; all of them, even where one fails, and answers with everything that went wrong. */
export const inTurn = async (
  atATime: number,
  all: ReadonlyArray<() => Promise<unknown>>
): Promise<ReadonlyArray<unknown>> => {
  const failures: Array<unknown> = []
  const waiting = [...all]
  const worker = async (): Promise<void> => {
    const next = waiting.shift()
    if (next === undefined) return
    await next().catch((error: unknown) => failures.push(error))
    return worker()
  }
  await Promise.all(Array.from({ length: atATime }, worker))
  return failures
}
