import { assert, describe, it } from "@effect/vitest"
import { type Customer } from "@lastro/domain/kyc"
import { type ProposalId } from "@lastro/domain/values"
import { ScriptedLender, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf, poll, type Voice } from "../origination.ts"

const givenProposal = Effect.fnUntraced(function*(voice: Voice, fields: Parameters<typeof givenOpened>[1] = {}) {
  const { customer, id, kyc } = yield* givenOpened(voice, fields)
  yield* finish
  yield* voice.submit(id, kyc)
  const application = yield* voice.read(id)
  const [offer = ""] = offersOf(application)
  const accepted = yield* voice.accept(id, offer)
  return { application, customer, id, proposal: String(at(accepted, "proposal_id")) }
})

const named = (name: string) => ({ name: name as Customer["name"] })

const ids = (reply: Reply) =>
  (at(reply, "content") as ReadonlyArray<{ readonly proposal_id: string }>).map(({ proposal_id }) => proposal_id)

describe("proposals", () => {
  it.effect("a proposal holds the accepted terms and is followed until the customer is paid", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const lender = yield* ScriptedLender
      const { application, customer, id, proposal } = yield* givenProposal(voice)
      const first = yield* voice.proposal(proposal)
      const tag = String(first.headers.get("etag"))
      assert.strictEqual((yield* voice.proposal(proposal, { headers: { "if-none-match": tag } })).status, 304)
      const offer = Object(at(application, "quote", "offers", 0))
      const { gross_amount, principal_amount, net_amount, iof_amount, fee_amount, monthly_rate, annual_cet } = offer
      assert.deepStrictEqual(at(first, "data"), {
        proposal_id: proposal,
        number: at(first, "data", "number"),
        product: "FGTS",
        status: "SUBMITTING",
        partner_id: root.partner_id,
        created_by: voice.user.user_id,
        external_id: at(application, "external_id"),
        customer: { name: customer.name, cpf: customer.cpf },
        loan: {
          gross_amount,
          principal_amount,
          net_amount,
          iof_amount,
          fee_amount,
          monthly_rate,
          annual_cet,
          installments_count: offer.installments.length,
          first_due_date: offer.installments[0].due_date,
          last_due_date: offer.installments.at(-1).due_date
        },
        created_at: "2026-01-31T12:00:00.000Z",
        updated_at: "2026-01-31T12:00:00.000Z",
        lender: "scripted",
        paid_at: null,
        settled_at: null,
        application_id: id,
        offer_id: offer.offer_id,
        installments: offer.installments,
        disbursement: {
          method: "PIX",
          pix_key_type: "CPF",
          pix_key: `****${customer.cpf.slice(-4)}`,
          bank_code: null,
          account_type: null,
          agency: null,
          agency_digit: null,
          account_number: null,
          account_digit: null
        },
        reference: null,
        table: { code: offer.table.code, label: offer.table.label },
        acceptance: { accepted_at: "2026-01-31T12:00:00.000Z", ip: null, user_agent: null },
        signature_url: null,
        required_action: null,
        paid: null,
        refund: null,
        rejection: null,
        status_history: [{ status: "SUBMITTING", at: "2026-01-31T12:00:00.000Z", reason: null }]
      })
      assert.match(String(at(first, "data", "number")), /^[0-9A-HJKMNP-TV-Z]{10}$/)
      yield* finish
      const signing = yield* voice.proposal(proposal, { headers: { "if-none-match": tag } })
      assert.strictEqual(at(signing, "data", "signature_url"), "https://lender.example/sign")
      yield* lender.moveContract(proposal as ProposalId, "PAID")
      yield* TestClock.adjust("1 minute")
      yield* poll
      const history = at(yield* voice.proposal(proposal), "data", "status_history") as ReadonlyArray<{
        readonly status: string
      }>
      assert.deepStrictEqual(history.map(({ status }) => status), [
        "SUBMITTING",
        "AWAITING_SIGNATURE",
        "GUARANTEE_PENDING",
        "DISBURSING",
        "PAID"
      ])
    })))

  it.effect("are listed by subtree, filters, sort and page", () =>
    withServer(Effect.gen(function*() {
      const [root, child] = yield* storeForest([null, 0])
      const voice = yield* givenVoice(root)
      const below = yield* givenVoice(child)
      const ana = yield* givenProposal(voice, { external_id: "loan-1", customer: named("Ana Conceição") })
      yield* TestClock.adjust("1 hour")
      const bia = yield* givenProposal(below, { external_id: "loan-2", customer: named("Bia Souza") })
      yield* TestClock.adjust("11 hours")
      const caio = yield* givenProposal(voice, { external_id: "loan-2", customer: named("Caio 50%") })
      const all = [caio.proposal, bia.proposal, ana.proposal]
      const dotted = ana.customer.cpf.replace(/^(...)(...)(...)/, "$1.$2.$3-")
      const lists: Readonly<Record<string, ReadonlyArray<string>>> = {
        "": all,
        "?sort=created_at": all.toReversed(),
        "?sort=updated_at,ASC": all.toReversed(),
        "?size=2": all.slice(0, 2),
        "?size=2&page=1": all.slice(2),
        [`?cpf=${ana.customer.cpf}`]: [ana.proposal],
        [`?cpf=${encodeURIComponent(dotted)}`]: [ana.proposal],
        "?customer_name=CONCEICAO": [ana.proposal],
        "?customer_name=%25": [caio.proposal],
        "?external_id=loan-2": [caio.proposal, bia.proposal],
        "?external_id=loan": [],
        "?status=SUBMITTING": [caio.proposal],
        "?status=AWAITING_SIGNATURE": [bia.proposal, ana.proposal],
        "?status=PAID": [],
        [`?partner_id=${child.partner_id}`]: [bia.proposal],
        [`?partner_id=${root.partner_id}&external_id=loan-2`]: [caio.proposal],
        "?created_from=2026-01-31T13:00:00Z": [caio.proposal, bia.proposal],
        "?created_to=2026-01-31T13:00:00Z": [ana.proposal],
        "?created_from=2026-01-31&created_to=2026-01-31": all,
        "?created_from=2026-02-01": [],
        "?created_from=2026-01-31T21:00:00-03:00": [caio.proposal],
        "?created_from=2026-01-31T21:00:00%2B00:00": [caio.proposal],
        "?updated_from=2026-01-31T14:00Z": [caio.proposal, bia.proposal],
        "?updated_to=2026-01-31T14:00Z": [ana.proposal],
        "?cpf=&customer_name=&created_from=": all
      }
      for (const [query, expected] of Object.entries(lists)) {
        assert.deepStrictEqual(ids(yield* voice.proposals(query)), expected, query)
      }
      const nets = yield* voice.proposals("?sort=net_amount&sort=status,desc")
      assert.deepStrictEqual(at(nets, "sort"), [
        { property: "net_amount", direction: "asc" },
        { property: "status", direction: "desc" }
      ])
      assert.deepStrictEqual(at(yield* voice.proposals("?size=2"), "page"), {
        number: 0,
        size: 2,
        total_elements: 3,
        total_pages: 2
      })
      assert.deepStrictEqual(ids(yield* below.proposals()), [bia.proposal])
      assert.strictEqual(codeOf(yield* below.proposal(ana.proposal)), "OUTSIDE_HIERARCHY")
    })))

  it.effect("reports every invalid parameter at once", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const refused = yield* voice.proposals(
        "?cpf=529&customer_name=%cc%81&external_id=%00&status=paid&partner_id=1&created_from=today&created_to=2026-02-30" +
          "&updated_from=2026-01-31T12:00&updated_to=1&page=x&size=y&sort=customer_name"
      )
      assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [
        422,
        "query.cpf INVALID_FORMAT",
        "query.created_from INVALID_FORMAT",
        "query.created_to INVALID_FORMAT",
        "query.customer_name INVALID_FORMAT",
        "query.external_id INVALID_FORMAT",
        "query.page INVALID_TYPE",
        "query.partner_id INVALID_FORMAT",
        "query.size INVALID_TYPE",
        "query.sort UNKNOWN_VALUE",
        "query.status UNKNOWN_VALUE",
        "query.updated_from INVALID_FORMAT",
        "query.updated_to INVALID_FORMAT"
      ])
      const cpf = yield* voice.proposals("?cpf=52998224726")
      assert.deepStrictEqual(problemsOf(cpf), ["query.cpf INVALID_CHECK_DIGIT"])
    })))
})
