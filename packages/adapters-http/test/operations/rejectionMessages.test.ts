import { assert, describe, it } from "@effect/vitest"
import { ownRejections, rejectionByLastro } from "@lastro/domain/offer"
import { refusing, ScriptedLender, silent, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { spoiledAnswer } from "../../../domain/test/jobs/spoiledAnswer.ts"
import { localizeRejections } from "../../src/errors/rejectionMessages.ts"
import { at } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice } from "../origination.ts"

const inPortuguese = { headers: { "accept-language": "pt-BR,en;q=0.5" } }

/** Opens an application whose quote fails because the lender does not answer. */
const givenUnanswered = Effect.gen(function*() {
  const voice = yield* givenVoice(yield* storeRootPartner())
  yield* (yield* ScriptedLender).setQuoteAnswers(silent())
  const { id } = yield* givenOpened(voice)
  yield* Effect.forkChild(finish)
  yield* TestClock.adjust("20 minutes")
  return { id, voice }
})

describe("messages of rejections", () => {
  it.effect("FGTS-44 a rejection by Lastro is in the language of the request, and so is its ETag", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* givenUnanswered
      const [english, portuguese] = [yield* voice.read(id), yield* voice.read(id, "", inPortuguese)]
      assert.strictEqual(at(english, "rejection", "code"), "UPSTREAM_UNAVAILABLE")
      assert.strictEqual(at(english, "rejection", "message"), "The lender did not answer.")
      for (const path of [["rejection"], ["quote", "rejection"]]) {
        assert.strictEqual(at(portuguese, ...path, "message"), "A instituição financeira não respondeu.")
        assert.strictEqual(at(portuguese, ...path, "code"), "UPSTREAM_UNAVAILABLE")
      }
      assert.strictEqual(portuguese.headers.get("vary"), "Authorization, Accept-Language")
      const tags = [english, portuguese].map(({ headers }) => headers.get("etag") ?? "")
      assert.strictEqual(new Set(tags).size, 2)
      const [tag = "", etiqueta = ""] = tags
      const conditional = (etag: string, language: object = {}) =>
        Effect.map(voice.read(id, "", { headers: { "if-none-match": etag, ...language } }), ({ status }) => status)
      assert.strictEqual(yield* conditional(tag), 304)
      assert.strictEqual(yield* conditional(etiqueta, inPortuguese.headers), 304)
      assert.strictEqual(yield* conditional(tag, inPortuguese.headers), 200)
      assert.strictEqual(yield* conditional(etiqueta), 200)
      const external_id = String(at(english, "external_id"))
      const list = yield* voice.send(`/api/v1/fgts/applications?external_id=${external_id}`, inPortuguese)
      assert.strictEqual(at(list, "data", 0, "rejection", "message"), "A instituição financeira não respondeu.")
      const quotes = yield* voice.read(id, "?include=quotes", inPortuguese)
      assert.strictEqual(at(quotes, "quotes", 0, "rejection", "message"), "A instituição financeira não respondeu.")
    })))

  it.effect("FGTS-44 PRE-01 If-Match accepts the ETag of the current application in every language", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* givenUnanswered
      const languages = [{}, inPortuguese.headers]
      const readTag = (headers: object) =>
        Effect.map(voice.read(id, "", { headers: { ...headers } }), (reply) => reply.headers.get("etag") ?? "")
      const patch = (plan: string, tag: string, headers: object) =>
        voice.send(`/api/v1/fgts/applications/${id}`, {
          method: "PATCH",
          json: { metadata: { plan } },
          headers: { ...headers, "if-match": tag }
        })
      const pairs = languages.flatMap((read) => languages.map((sent) => ({ read, sent })))
      for (const [index, { read, sent }] of pairs.entries()) {
        const tag = yield* readTag(read)
        const patched = yield* patch(`plan ${index}`, tag, sent)
        assert.strictEqual(patched.status, 200, patched.text)
        assert.strictEqual(at(patched, "metadata", "plan"), `plan ${index}`)
        assert.strictEqual(patched.headers.get("etag"), yield* readTag(sent))
        for (const late of languages) {
          assert.strictEqual((yield* patch("late", tag, late)).status, 412, "the tag of the previous version")
        }
      }
    })))

  it.effect("FGTS-44 the reason of an unpriced fee table is in the language of the request", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      yield* (yield* ScriptedLender).setQuoteAnswers(spoiledAnswer)
      const { id } = yield* givenOpened(voice)
      yield* finish
      const quoted = yield* voice.read(id, "", inPortuguese)
      assert.deepInclude(Object(at(quoted, "quote", "unpriced", 0)), {
        table: { code: "A", label: "Tabela A" },
        rejection: {
          kind: "FINAL",
          retryable: false,
          code: "LENDER_POLICY",
          message: "A oferta da instituição financeira não atende às regras em vigor.",
          retry_at: null
        }
      })
    })))

  it.effect("FGTS-44 the lender's own message is passed on in every language", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      yield* (yield* ScriptedLender).setQuoteAnswers(refusing("NO_BALANCE"))
      const { id } = yield* givenOpened(voice)
      yield* finish
      const [english, portuguese] = [yield* voice.read(id), yield* voice.read(id, "", inPortuguese)]
      assert.strictEqual(at(english, "rejection", "message"), "Operação não permitida.")
      assert.strictEqual(english.text, portuguese.text)
      assert.strictEqual(english.headers.get("etag"), portuguese.headers.get("etag"))
    })))

  it("FGTS-44 every rejection by Lastro has a message in Portuguese, also where it is stored in English", () => {
    for (const name of ownRejections) {
      const rejection = rejectionByLastro(name)
      const body = { data: { rejection, quotes: [{ unpriced: [{ rejection }] }], message: rejection.message } }
      assert.strictEqual(localizeRejections(body, "en"), body)
      const localized = JSON.parse(JSON.stringify(localizeRejections(body, "pt-BR")))
      const { message, ...rest } = localized.data.rejection
      assert.deepStrictEqual({ ...rest, message: rejection.message }, { ...rejection })
      assert.notStrictEqual(message, rejection.message)
      assert.deepStrictEqual(localized.data.quotes[0].unpriced[0].rejection, localized.data.rejection)
      assert.strictEqual(localized.data.message, rejection.message)
    }
    const lender = { rejection: { ...rejectionByLastro("NO_ANSWER"), code: "LENDER_POLICY" } }
    assert.deepStrictEqual(localizeRejections(lender, "pt-BR"), lender)
  })
})
