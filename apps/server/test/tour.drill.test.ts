import { describe } from "@effect/vitest"
import { testTours } from "./running/tour.ts"

// Not every machine has zsh, so this test is a drill. The continuous integration installs it.
describe("README.md", () => {
  testTours("zsh", 2)
})
