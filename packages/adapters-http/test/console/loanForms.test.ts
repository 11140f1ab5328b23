import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { noExits } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { anApplication, type ApplicationBuilder, ScriptedLender, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { tokenFor } from "../given.ts"
import { Server } from "../harness.ts"
import { givenVisitor, withConsole } from "./TextBrowser.ts"

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
            yield* (yield* ApplicationRepository).insert(asOperator.inScope(root.partner_id), application)
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
        yield* (yield* ApplicationRepository).insert(asOperator.inScope(root.partner_id), application)
        const { text } = yield* browser.get(`/console/applications/${application.application_id}`)
        assert.strictEqual(text.includes("data-follow"), isFollowed)
      })))
  }

  it.effect("PROP-09 a withdrawal is offered exactly as long as the API accepts it", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser, user } = yield* givenVisitor(root)
      const { send } = yield* Server
      const paid = anApplication().contracted().moved("PAID")
      for (let day = 0; day < 10; day++) {
        const application = yield* paid.of(root)
        yield* (yield* ApplicationRepository).insert(asOperator.inScope(root.partner_id), application)
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
