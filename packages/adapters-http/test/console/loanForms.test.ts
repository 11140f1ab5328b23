import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { emptyKyc } from "@lastro/domain/kyc"
import { type Application, latestQuote, noExits } from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import { ApplicationRepository } from "@lastro/domain/origination"
import { calendarDate, timestampOf } from "@lastro/domain/values"
import {
  aCustomer,
  anApplication,
  answerQuote,
  type ApplicationBuilder,
  ScriptedLender,
  storeRootPartner
} from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { replacesNothing } from "../../src/console/kycConflicts.ts"
import { wordsEn } from "../../src/console/wordsEn.ts"
import { wordsPtBr } from "../../src/console/wordsPtBr.ts"
import { tokenFor } from "../given.ts"
import { Server } from "../harness.ts"
import { givenAccepted } from "../operations/givenContract.ts"
import { finish } from "../origination.ts"
import { givenVisitor, type PageText, withConsole } from "./TextBrowser.ts"

const insertApplication = Effect.fnUntraced(function*(application: Application) {
  yield* (yield* ApplicationRepository).insert(asOperator.inScope(application.partner_id), application)
})

describe("forms of a loan", () => {
  const stages: Readonly<Record<string, ApplicationBuilder>> = {
    waiting: anApplication(),
    quoted: anApplication().quoted(),
    complete: anApplication().quoted().withKyc(),
    submitted: anApplication().contracted(),
    ...Object.fromEntries(
      (["AWAITING_SIGNATURE", "DISBURSING", "DISBURSEMENT_FAILED", "PAID", "REJECTED", "CANCELLED"] as const).map(
        (status) => [status, anApplication().contracted().moved(status)]
      )
    )
  }

  const allExits = { cancel: true, refund: true, signature_link: true }

  for (const [stage, builder] of Object.entries(stages)) {
    for (const [offered, exits] of Object.entries({ "every exit": allExits, "no exit": noExits })) {
      it.effect(`FGTS-77 a loan that is ${stage}, at a lender with ${offered}, has the forms that the API accepts`, () =>
        withConsole(Effect.gen(function*() {
          yield* (yield* ScriptedLender).setExits(exits)
          const root = yield* storeRootPartner()
          const { browser, token } = yield* givenVisitor(root)
          const { send } = yield* Server
          for (
            const [action, path, json] of [
              ["requote", "quotes", {}],
              ["cancel", "cancel", { reason: "CUSTOMER_REQUEST" }],
              ["withdraw", "withdrawal", { reason: "OTHER" }],
              ["renew", "signature-link", {}]
            ] as const
          ) {
            const application = yield* builder.of(root)
            const { application_id, proposal } = application
            yield* insertApplication(application)
            const { text } = yield* browser.get(`/console/applications/${application_id}`)
            const ofProposal = action === "withdraw" || action === "renew"
            const has = text.includes(`name="action" value="${action}"`)
            if (ofProposal && proposal === null) {
              assert.isFalse(has)
              continue
            }
            const at = ofProposal ? `proposals/${proposal?.proposal_id}` : `fgts/applications/${application_id}`
            const { status } = yield* send(`/api/v1/${at}/${path}`, { token, method: "POST", json })
            assert.notStrictEqual(status, 404)
            assert.strictEqual(has, status < 300, `${action} ${status}`)
          }
        })))
    }
  }

  for (const [stage, isFollowed] of [["waiting", true], ["AWAITING_SIGNATURE", true], ["PAID", false]] as const) {
    it.effect(`the page of a loan that is ${stage} ${isFollowed ? "follows" : "does not follow"} it`, () =>
      withConsole(Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const { browser } = yield* givenVisitor(root)
        const application = yield* (stages[stage] ?? anApplication()).of(root)
        yield* insertApplication(application)
        const { text } = yield* browser.get(`/console/applications/${application.application_id}`)
        assert.strictEqual(text.includes("data-follow"), isFollowed)
      })))
  }

  it.effect("a refused acceptance shows the reason of the API", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const customer = yield* aCustomer()
      const open = Effect.gen(function*() {
        const application = yield* anApplication().of(root).for(customer).quoted().withKyc()
        yield* insertApplication(application)
        return { path: `/console/applications/${application.application_id}`, quote: latestQuote(application) }
      })
      const [one, two] = [yield* open, yield* open]
      const accept = ({ path, quote }: typeof one, key: string) =>
        browser.post(path, {
          action: "accept",
          key,
          offer_id: String(quote.offers[0]?.offer_id),
          terms_accepted: "true"
        })
      assert.strictEqual((yield* accept(one, "one")).status, 303)
      const refused = yield* accept(two, "two")
      assert.strictEqual(refused.status, 409)
      const [, alert = ""] = /role="alert"[^>]*>([^]*?)<\/div>/.exec(refused.text) ?? []
      assert.include(alert, "Another contract of this customer pledges the next annual withdrawal")
      assert.notInclude(alert, "Check the fields that are marked.")
    })))

  it.effect("an offer whose terms are not confirmed shows a sentence at its own checkbox", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const application = yield* anApplication().of(root).quoted().withKyc()
      yield* insertApplication(application)
      const offer_id = String(latestQuote(application).offers[1]?.offer_id)
      const path = `/console/applications/${application.application_id}`
      const { status, text } = yield* browser.post(path, { action: "accept", key: "one", offer_id })
      assert.strictEqual(status, 422)
      assert.notInclude(text, "terms_accepted:")
      assert.deepStrictEqual(
        [...text.matchAll(/id="accept-([^"]*)" type="checkbox"[^>]*aria-invalid="true"/g)].map(([, id]) => id),
        [offer_id]
      )
      assert.include(text, "Confirm that the customer has read the terms and agreed to them.")
    })))

  it.effect("a form without values is not called saved, nor is a form that was refused", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const failed = yield* anApplication().contracted().moved("DISBURSEMENT_FAILED").of(root)
      const quoted = yield* anApplication().of(root).quoted()
      for (const [application, page] of [[failed, ""], [quoted, "/kyc"]] as const) {
        yield* insertApplication(application)
        const path = `/console/applications/${application.application_id}`
        const sent = yield* browser.post(`${path}/kyc`, { action: "kyc", key: application.application_id })
        assert.strictEqual(sent.location, `${path}${page}`)
      }
      const path = `/console/applications/${quoted.application_id}/kyc?done=1`
      const refused = yield* browser.post(path, { action: "kyc", key: "two", email: "x" })
      assert.strictEqual(refused.status, 422)
      assert.notInclude(refused.text, "Saved.")
    })))

  for (
    const [named, refused, prefilled] of [
      ["address.zipcode", ["address.zipcode"], []],
      ["address", ["address.zipcode", "address.street", "address.uf"], []],
      [undefined, [], ["address.zipcode", "phone", "pix.key"]]
    ] as const
  ) {
    it.effect(`FGTS-34 a loan whose lender refuses ${named ?? "no named field"} has a form that corrects it`, () =>
      withConsole(Effect.gen(function*() {
        const invalid = named === undefined ? [] : [{ field: named, code: "INVALID_FORMAT" }]
        yield* (yield* ScriptedLender).setActions({ invalid }, "done")
        const { id, root, voice } = yield* givenAccepted
        yield* finish
        const { browser } = yield* givenVisitor(root)
        const path = `/console/applications/${id}/kyc`
        const page = yield* browser.get(path)
        for (const name of refused) {
          assert.include(page.text, `id="kyc-${name.replace(".", "-")}-hint">Refused by the lender: `)
        }
        for (const name of prefilled) assert.match(page.text, new RegExp(`name="${name}"[^>]*value="[^"]+"`))
        assert.notInclude(page.text, "name=\"cpf\"")
        assert.notInclude(page.text, "cannot be entered on this page")
        const sent = { action: "kyc", key: "one", version: versionOf(page), "address.zipcode": "01310-200" }
        assert.strictEqual((yield* browser.post(path, sent)).location, `/console/applications/${id}?done=1`)
        assert.deepInclude(Object((yield* voice.status(id)).body), { next_action: "WAIT" })
      })))
  }

  const versionOf = ({ text }: PageText): string => /<main[^]*name="version" value="([^"]*)"/.exec(text)?.[1] ?? ""

  it.effect("PRE-01 of two people who fill in the same data, the later one sees both and saves again", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const [one, two] = [yield* givenVisitor(root), yield* givenVisitor(root, "operator")]
      const application = yield* anApplication().of(root).quoted()
      yield* insertApplication(application)
      const path = `/console/applications/${application.application_id}/kyc`
      const version = versionOf(yield* two.browser.get(path))
      const first = { action: "kyc", key: "one", version, gender: "F", nationality: "Brasileira" }
      assert.strictEqual((yield* one.browser.post(path, first)).status, 303)
      // The same form again is a replay, not a change of somebody else.
      assert.strictEqual((yield* one.browser.post(path, first)).status, 303)
      const sent = { action: "kyc", key: "two", version, gender: "M", mother_name: "Rita", nationality: "Brasileira" }
      const refused = yield* two.browser.post(path, sent)
      assert.strictEqual(refused.status, 412)
      const [, alert = ""] = /role="alert"[^>]*>([^]*?)<\/div>/.exec(refused.text) ?? []
      assert.include(alert, "Somebody changed this data meanwhile.")
      assert.match(refused.text, /<option value="M" selected>/)
      assert.match(refused.text, /id="kyc-gender-hint">Saved meanwhile: Female</)
      assert.match(refused.text, /name="mother_name"[^>]*value="Rita"/)
      assert.notInclude(refused.text, "id=\"kyc-nationality\"")
      const saved = Effect.map(
        (yield* Server).send(`/api/v1/fgts/applications/${application.application_id}/kyc`, { token: two.token }),
        ({ body }) => ["gender", "mother_name"].map((name) => Reflect.get(Object(body), name) as unknown)
      )
      assert.deepStrictEqual(yield* saved, ["F", null])
      const again = { ...sent, key: "three", version: versionOf(refused) }
      assert.strictEqual((yield* two.browser.post(path, again)).status, 303)
      assert.deepStrictEqual(yield* saved, ["M", "Rita"])
      // Two people who fill in different fields do not disturb each other.
      const other = { action: "kyc", key: "four", version, email: "a@example.com" }
      assert.strictEqual((yield* one.browser.post(path, other)).status, 303)
    })))

  it.effect("PRE-01 another house number is another value, with equal digits, too", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const application = yield* anApplication().of(root).quoted()
      yield* insertApplication(application)
      const path = `/console/applications/${application.application_id}/kyc`
      const version = versionOf(yield* browser.get(path))
      const first = { action: "kyc", key: "one", version, "address.number": "12", "address.zipcode": "01310-200" }
      assert.strictEqual((yield* browser.post(path, first)).status, 303)
      const same = { ...first, key: "two", "address.zipcode": "01310200" }
      assert.strictEqual((yield* browser.post(path, same)).status, 303)
      const { status, text } = yield* browser.post(path, { ...first, key: "three", "address.number": "1/2" })
      assert.strictEqual(status, 412)
      assert.match(text, /id="kyc-address-number-hint">Saved meanwhile: 12</)
    })))

  for (
    const [language, words, same, other] of [
      ["en", wordsEn, "1,500.50", "150.05"],
      ["pt-BR", wordsPtBr, "1.500,50", "150,05"]
    ] as const
  ) {
    it(`PRE-01 an income is compared as a number, in ${language}`, () => {
      const isAccepted = (saved: number, monthly_income: string) =>
        replacesNothing({ language, words }, { version: "earlier", monthly_income })({
          ...emptyKyc,
          complete: false,
          missing_fields: [],
          monthly_income: saved,
          next_action: "SUBMIT_KYC",
          prefilled_fields: [],
          status: "PARTIAL"
        })
      assert.isTrue(isAccepted(1500.5, same))
      assert.isFalse(isAccepted(15_005, other))
    })
  }

  it.effect("PRE-01 an account that somebody else corrected meanwhile is shown, and no longer changes", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const application = yield* anApplication().contracted().moved("DISBURSEMENT_FAILED").of(root)
      yield* insertApplication(application)
      const path = `/console/applications/${application.application_id}/kyc`
      const version = versionOf(yield* browser.get(path))
      const pay = (key: string) =>
        browser.post(path, {
          action: "kyc",
          key,
          version,
          disbursement_method: "PIX",
          "pix.type": "EMAIL",
          "pix.key": `${key}@example.com`
        })
      assert.strictEqual((yield* pay("one")).status, 303)
      const { status, text } = yield* pay("two")
      assert.strictEqual(status, 412)
      assert.match(text, /<dt>PIX key<\/dt><dd>Saved meanwhile: one@example.com/)
      assert.notInclude(text, "<button>Save</button>")
    })))

  it.effect("the history has the cancellation of an application, once, with its reason", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      for (const builder of [anApplication(), anApplication().quoted()]) {
        const application = yield* builder.of(root)
        yield* insertApplication(application)
        const path = `/console/applications/${application.application_id}`
        yield* browser.post(path, { action: "cancel", key: path, reason: "CUSTOMER_REQUEST" })
        const [, history = ""] = /<ol class="time">([^]*?)<\/ol>/.exec((yield* browser.get(path)).text) ?? []
        const [first = ""] = history.split("</li>")
        assert.match(first, /<span>Application cancelled<\/span><br><span class="soft">[^<]+<\/span>/)
        assert.notInclude(history, "No offer")
      }
    })))

  it.effect("the heading of the offers appears with the first offer or rejection", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      for (
        const [builder, hasOffers] of [
          [anApplication(), false],
          [anApplication().quoted(), true],
          [anApplication().refused("NO_BALANCE"), true]
        ] as const
      ) {
        const application = yield* builder.of(root)
        yield* insertApplication(application)
        const { text } = yield* browser.get(`/console/applications/${application.application_id}`)
        assert.strictEqual(text.includes("<h2>Offers</h2>"), hasOffers)
      }
    })))

  it.effect("a page that updates itself distinguishes the installments of each offer", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const application = yield* anApplication().of(root).quoted()
      yield* insertApplication(application)
      const { text } = yield* browser.get(`/console/applications/${application.application_id}`)
      // The script keeps opened details by the id of their summary, or else by its text without digits.
      const names = [...text.matchAll(/<summary(?: id="([^"]*)")?>([^<]*)/g)].map(([, id, label = ""]) =>
        id ?? label.replaceAll(/\d+/g, "")
      )
      assert.isAbove(names.length, 2)
      assert.strictEqual(new Set(names).size, names.length)
    })))

  it.effect("the next step and the history are sentences, without codes", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const shown = Effect.fnUntraced(function*(builder: ApplicationBuilder, page = "") {
        const application = yield* builder.of(root)
        yield* insertApplication(application)
        return (yield* browser.get(`/console/applications/${application.application_id}${page}`)).text
      })
      const paid = yield* shown(anApplication().contracted().moved("PAID"))
      assert.match(paid, /<h2>Next step<\/h2><p>Nothing to do<\/p>/)
      const failed = anApplication().contracted().moved("DISBURSEMENT_FAILED")
      assert.notMatch(yield* shown(failed), />[A-Z]+_[A-Z_]+</)
      assert.notInclude(yield* shown(failed, "/kyc"), "0 fields are missing.")
      assert.notMatch(yield* shown(anApplication().contracted().moved("CANCELLED")), />[A-Z]+_[A-Z_]+</)
    })))

  it.effect("the next step names the day on which a contract or a refusal ends", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const [quoted, pending] = [yield* anApplication().of(root).quoted().withKyc(), yield* anApplication().of(root)]
      const [quote] = quoted.quotes
      const blocked: Application = { ...quoted, quotes: [{ ...quote, blocked_until: calendarDate("2029-05-02") }] }
      const refused = yield* answerQuote(pending, {
        kind: "REFUSED",
        rejection: rejectionReason("NO_BALANCE", "", timestampOf(Date.UTC(2199, 11, 21, 3)))
      })
      for (const [application, day] of [[blocked, "02/05/2029"], [refused, "21/12/2199"]] as const) {
        yield* insertApplication(application)
        const { text } = yield* browser.get(`/console/applications/${application.application_id}`)
        const [, next = ""] = /<h2>Next step<\/h2>([^]*?)<\/section>/.exec(text) ?? []
        assert.include(next, day)
      }
    })))

  it.effect("PROP-09 a withdrawal is offered exactly as long as the API accepts it", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser, user } = yield* givenVisitor(root)
      const { send } = yield* Server
      const paid = anApplication().contracted().moved("PAID")
      for (let day = 0; day < 10; day++) {
        const application = yield* paid.of(root)
        yield* insertApplication(application)
        const { text } = yield* browser.get(`/console/applications/${application.application_id}`)
        const url = `/api/v1/proposals/${application.proposal?.proposal_id}/withdrawal`
        const token = yield* tokenFor("user", user.user_id, "admin")
        const { status } = yield* send(url, { token, method: "POST", json: { reason: "OTHER" } })
        assert.include([202, 409], status)
        assert.strictEqual(text.includes("name=\"action\" value=\"withdraw\""), status === 202, `day ${day}`)
        yield* TestClock.adjust("1 day")
      }
    })))
})
