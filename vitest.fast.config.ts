import { defineConfig } from "vitest/config"
import config from "./vitest.config.ts"

/** The fast lane: pure rules, HTTP, the in-memory fakes and one contract run over SQL. No server process is started. */
export default defineConfig({
  test: {
    ...config.test,
    include: [
      "packages/domain/test/**/*.test.ts",
      "packages/adapters-http/test/**/*.test.ts",
      "packages/testkit/test/memory.test.ts",
      "packages/adapters-sql/test/contract.postgres.test.ts",
      "scripts/test/**/*.test.ts"
    ]
  }
})
