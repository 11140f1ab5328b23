import { describe } from "@effect/vitest"
import { testTours } from "./running/tour.ts"

describe("README.md", () => {
  testTours("bash", 1)
})
