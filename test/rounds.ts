/** How many times a test repeats a race or a crash: ORDEAL_ROUNDS, 20 by default. */
export const rounds = Number(process.env["ORDEAL_ROUNDS"] ?? 20)

if (!Number.isInteger(rounds) || rounds < 1) throw new Error("ORDEAL_ROUNDS is not a number of rounds")
