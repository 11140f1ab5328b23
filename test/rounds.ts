/**
 * The number of times a test repeats a race or a crash. Set by ORDEAL_ROUNDS. Default: 4, which is once for each kind of race
 * (`origination/races/race.ts` in adapters-sql).
 */
export const rounds = Number(process.env["ORDEAL_ROUNDS"] ?? 4)

if (!Number.isInteger(rounds) || rounds < 1) throw new Error("ORDEAL_ROUNDS must be a positive integer.")

/** True in the long form of the tests (`pnpm ordeal:races`), which repeats crash tests on every database. */
export const isOrdeal = rounds > 20

/**
 * The number of random examples of a costly property: a sixth of `full`, or all of them in the long form. Each run of
 * the tests draws other examples.
 */
export const examples = (full: number): number => isOrdeal ? full : Math.ceil(full / 6)
