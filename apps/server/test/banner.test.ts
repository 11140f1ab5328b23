import { assert, describe, it } from "@effect/vitest"
import { stripVTControlCharacters } from "node:util"
import { bannerText } from "../src/commands/banner.ts"

const settings = {
  console: true,
  docs: true,
  issuer: "http://127.0.0.1:3000",
  database: { kind: "pglite", folder: "/srv/lastro" },
  lenders: { kind: "one", setting: { kind: "sandbox", step_ms: 1_000 } }
} as const

const shown = (changed: object = {}) => stripVTControlCharacters(bannerText({ ...settings, ...changed }))

describe("the banner", () => {
  it("shows the addresses of what is served, and where the data is", () => {
    assert.match(
      shown(),
      /console +http:\/\/127.0.0.1:3000\/console\n +documentation +http:\/\/127.0.0.1:3000\/docs\n +API/
    )
    assert.include(shown(), "/srv/lastro (embedded database)")
    assert.notMatch(shown({ console: false, docs: false }), /console|documentation/)
    assert.include(shown({ database: { kind: "pglite", folder: undefined } }), "lost when the server stops")
  })
})
