import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  accessibilityProblems,
  openBrowser,
  openPage,
  overflowOf,
  takeScreenshot
} from "../../../test/browser/chromium.ts"
import { layerServer, Server } from "./running/inProcess.ts"

describe("the page at /", () => {
  it.live("fits a phone", () =>
    Effect.gen(function*() {
      const { url } = yield* Server
      const browser = yield* openBrowser
      const { failures, page } = yield* openPage(browser, { url, viewport: "phone" })
      yield* Effect.promise(() => page.goto("/"))
      assert.isAtMost(yield* overflowOf(page), 0)
      yield* takeScreenshot(page, "home-phone")
      assert.deepStrictEqual([yield* accessibilityProblems(page), failures], [[], []])
    }).pipe(Effect.provide(layerServer())), 60_000)
})
