import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { publishedKeysAt, type SigningKey, signingKeyAt } from "../../src/identity/SigningKey.ts"
import { millisOf, type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"

const start = Date.UTC(2026, 0, 31, 12)
const at = (seconds: number): Timestamp => timestampOf(start + seconds * 1_000)
const key = (kid: string, created: number, retired: number | null = null): SigningKey => ({
  kid,
  private_jwk: "{}",
  created_at: at(created),
  retired_at: retired === null ? null : at(retired)
})
const signingKid = (keys: ReadonlyArray<SigningKey>, seconds: number): string | undefined =>
  Option.getOrUndefined(signingKeyAt(keys, at(seconds)))?.kid
const published = (keys: ReadonlyArray<SigningKey>, seconds: number): ReadonlyArray<string> =>
  publishedKeysAt(keys, at(seconds)).map(({ kid }) => kid)

/** The repository's keys at an instant. Later keys are missing and later retirements are not applied. */
const repositoryAt = (keys: ReadonlyArray<SigningKey>, seconds: number): ReadonlyArray<SigningKey> =>
  keys.filter(({ created_at }) => created_at <= at(seconds)).map((one) =>
    one.retired_at !== null && one.retired_at > at(seconds) ? { ...one, retired_at: null } : one
  )

const hour = 3_600

/** Any rotation history of an hour. Keys are created at any second, and retired at a later one or never. */
const histories = fc.array(
  fc.tuple(fc.nat({ max: hour }), fc.option(fc.nat({ max: hour }), { nil: undefined })),
  { minLength: 1, maxLength: 6 }
).map((keys) =>
  keys.map(([created, lifetime], index) =>
    key(`k${index}`, created, lifetime === undefined ? null : created + lifetime)
  )
)

describe("signingKeyAt", () => {
  it("KEY-01 a new key signs five minutes after its publication, to the second", () => {
    const keys = [key("old", 0), key("new", 1_000)]
    assert.strictEqual(signingKid(keys, 1_000), "old")
    assert.strictEqual(signingKid(keys, 1_299), "old")
    assert.strictEqual(signingKid(keys, 1_300), "new")
    assert.strictEqual(signingKid([...keys].toReversed(), 1_300), "new")
  })

  it("KEY-01 the first key signs at once; of several new keys, the oldest signs", () => {
    assert.strictEqual(signingKid([key("only", 0)], 0), "only")
    assert.strictEqual(signingKid([key("b", 10), key("a", 0), key("c", 20)], 30), "a")
  })

  it("KEY-01 a retired key never signs", () => {
    assert.strictEqual(signingKid([key("old", 0, 500), key("new", 490)], 500), "new")
    assert.strictEqual(signingKid([key("old", 0, 500)], 500), undefined)
    assert.strictEqual(signingKid([], 0), undefined)
  })

  it("T53 KEY-01 a key published for less than five minutes signs only if there is no older live one", () => {
    fc.assert(
      fc.property(histories, fc.nat({ max: 2 * hour }), (history, now) => {
        const keys = repositoryAt(history, now)
        const signing = Option.getOrUndefined(signingKeyAt(keys, at(now)))
        const live = keys.filter(({ retired_at }) => retired_at === null)
        assert.strictEqual(signing === undefined, live.length === 0)
        if (signing === undefined || millisOf(signing.created_at) + 300_000 <= millisOf(at(now))) return
        for (const one of live) assert.isAtLeast(millisOf(one.created_at), millisOf(signing.created_at))
      }),
      { numRuns: examples(2_000) }
    )
  })
})

describe("publishedKeysAt", () => {
  it("KEY-02 a retired key stays published for 15 minutes plus the clock skew, to the second", () => {
    const keys = [key("old", 0, 1_000), key("new", 0)]
    assert.deepStrictEqual(published(keys, 1_000), ["old", "new"])
    assert.deepStrictEqual(published(keys, 1_959), ["old", "new"])
    assert.deepStrictEqual(published(keys, 1_960), ["new"])
  })

  it("T53 KEY-02 rotation keeps every token verifiable until it expires", () => {
    const instants = fc.tuple(fc.nat({ max: 2 * hour }), fc.nat({ max: 900 + 59 }))
    fc.assert(
      fc.property(histories, instants, (history, [signedAt, age]) => {
        const kid = signingKid(repositoryAt(history, signedAt), signedAt)
        if (kid !== undefined) assert.include(published(repositoryAt(history, signedAt + age), signedAt + age), kid)
      }),
      { numRuns: examples(5_000) }
    )
  })

  it("T53 KEY-02 a retired key is not published forever", () => {
    fc.assert(fc.property(histories, (history) => {
      const live = history.filter(({ retired_at }) => retired_at === null).map(({ kid }) => kid)
      assert.deepStrictEqual(published(history, 2 * hour + 960), live)
    }))
  })
})
