import { assert, describe, it, vi } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { RefusalPacer } from "../../src/admission/RefusalPacer.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(() => void vi.useRealTimers())

describe("the refusal pacer", () => {
  it("answers a few refusals at once, and a flood at a limited rate", () => {
    const pacer = new RefusalPacer()
    let answered = 0
    const refuse = (count: number): void => {
      for (let sent = 0; sent < count; sent++) pacer.refuse(() => void (answered += 1))
    }
    refuse(50)
    assert.strictEqual(answered, 50)
    refuse(1_000)
    assert.strictEqual(answered, 50)
    vi.advanceTimersByTime(50)
    assert.strictEqual(answered, 100)
    vi.advanceTimersByTime(950)
    assert.strictEqual(answered, 1_050)
  })

  it("holds no refusal for more than about two seconds", () => {
    const pacer = new RefusalPacer()
    let answered = 0
    for (let sent = 0; sent < 4_000; sent++) pacer.refuse(() => void (answered += 1))
    vi.advanceTimersByTime(2_050)
    assert.strictEqual(answered, 4_000)
  })

  it("answers at once if it holds too many", () => {
    const pacer = new RefusalPacer()
    let answered = 0
    for (let sent = 0; sent < 5_000; sent++) pacer.refuse(() => void (answered += 1))
    assert.strictEqual(answered, 5_000 - 4_096)
  })
})
