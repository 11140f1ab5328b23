import { defineConfig } from "vitest/config"

const rounds = Number(process.env["LASTRO_ROUNDS"] ?? 20)

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    globalSetup: ["test/globalSetup.ts"],
    pool: "forks",
    maxWorkers: 2,
    allowOnly: false,
    testTimeout: 30_000 * Math.max(1, rounds / 20),
    hookTimeout: 60_000
  }
})
