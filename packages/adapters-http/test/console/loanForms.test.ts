import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { ApplicationRepository } from "@lastro/domain/origination"
import { anApplication, type ApplicationBuilder, storeRootPartner } from "@lastro/testkit"
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

  for (const [stage, builder] of Object.entries(stages)) {
    it.effect(`a loan that is ${stage} has exactly the forms that the API accepts`, () =>
      withConsole(Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const { browser, token } = yield* givenVisitor(root)
        const { send } = yield* Server
        for (
          const [action, path, json] of [
            ["requote", "quotes", {}],
            ["cancel", "cancel", { reason: "CUSTOMER_REQUEST" }]
          ] as const
        ) {
          const application = yield* builder.of(root)
          const { application_id } = application
          yield* (yield* ApplicationRepository).insert(asOperator.inScope(root.partner_id), application)
          const { text } = yield* browser.get(`/console/applications/${application_id}`)
          const url = `/api/v1/fgts/applications/${application_id}/${path}`
          const { status } = yield* send(url, { token, method: "POST", json })
          assert.notStrictEqual(status, 404)
          assert.strictEqual(text.includes(`name="action" value="${action}"`), status < 300, `${action} ${status}`)
        }
      })))
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
