import {
  type Application,
  type ApplicationCommand,
  type ApplicationRefusal,
  decide,
  type KycValues,
  latestQuote,
  type LenderContract,
  millisOf,
  type OfferId,
  type PartnerId,
  type ProposalId,
  type ProposalNumber,
  type QuoteId,
  timestampOf
} from "@lastro/domain"
import {
  accepted,
  aCompleteKyc,
  anApplication,
  exampleNets,
  moved,
  offeredFor,
  offerWithNet,
  quoted,
  requoted,
  withKyc
} from "@lastro/testkit"
import { Effect, Result } from "effect"
import { accepted as answered, refused } from "../Answer.ts"
import { type Part, part } from "../Part.ts"
import { decideByHand } from "./decideByHand.ts"

/** A command, and the application that it comes to. */
type Case = readonly [ApplicationCommand, Application]

/** A name of any kind of thing. */
const id = <Id extends string>(number: number) => `0197f3a2-5b1c-7d3e-8f4a-${String(number).padStart(12, "0")}` as Id

const soon = ({ updated_at }: Application) => timestampOf(millisOf(updated_at) + 60_000)

const late = ({ updated_at }: Application) => timestampOf(millisOf(updated_at) + 25 * 3_600_000)

const quote = (application: Application): Case => [
  { _tag: "RequestQuote", at: soon(application), quote_id: id<QuoteId>(1), wish: latestQuote(application).wish },
  application
]

const record = (application: Application, nets = exampleNets): Case => {
  const offered = offeredFor(application)
  return [
    {
      _tag: "RecordQuote",
      at: soon(application),
      quote_id: latestQuote(application).quote_id,
      result: {
        kind: "PRICED",
        offers: nets.map((net, index) => offerWithNet(net, offered, { code: String.fromCharCode(65 + index) })),
        unpriced: []
      },
      offer_ids: nets.map((_, index) => id<OfferId>(2 + index))
    },
    application
  ]
}

const submit = (application: Application, kyc = aCompleteKyc().for(application.customer).build()): Case => [
  { _tag: "SubmitKyc", at: soon(application), kyc, says_where_to_pay: true },
  application
]

const accept = (application: Application, at = soon(application)): Case => [
  {
    _tag: "AcceptOffer",
    at,
    offer_id: application.quotes.flatMap(({ offers }) => offers).at(0)?.offer_id ?? id<OfferId>(9),
    proposal_id: id<ProposalId>(4),
    number: "0123456789" as ProposalNumber,
    created_by: application.created_by,
    acceptance: { accepted_at: at, ip: "192.0.2.1", user_agent: null }
  },
  application
]

const contract = (application: Application, status: LenderContract["status"]): Case => [
  {
    _tag: "RecordContract",
    at: soon(application),
    contract: { reference: "contract", status, signature_url: null, rejection: null, disbursement_attempt: 1 }
  },
  application
]

/** Every kind of command as it usually comes, what changes nothing among it, and what is refused. */
const cases: Effect.Effect<ReadonlyArray<readonly [name: string, cases: ReadonlyArray<Case>]>> = Effect.gen(
  function*() {
    const opened = yield* anApplication().of(id<PartnerId>(0))
    const offered = yield* quoted(opened)
    const known = withKyc(offered)
    const superseded = yield* requoted(known)
    const contracted = yield* accepted(known)
    const signing = moved(contracted, "AWAITING_SIGNATURE")
    return [
      ["decide: request a quote", [quote(offered), quote(known)]],
      ["decide: record a quote", [record(opened), record(superseded), record(opened, exampleNets.slice(0, 1))]],
      ["decide: submit KYC", [
        submit(offered),
        submit(known, aCompleteKyc({ phone: null }).for(known.customer).build()),
        submit(known)
      ]],
      ["decide: accept an offer", [accept(known), accept(contracted)]],
      ["decide: record a contract", [
        contract(contracted, "AWAITING_SIGNATURE"),
        contract(signing, "PAID"),
        contract(signing, "DISBURSING"),
        contract(signing, "AWAITING_SIGNATURE")
      ]],
      ["decide: refuse", [
        quote(opened),
        quote(contracted),
        submit(contracted, aCompleteKyc({ phone: null }).for(contracted.customer).build()),
        accept(known, late(known)),
        accept(offered),
        accept(superseded)
      ]]
    ]
  }
)

const refusal = ({ _tag, ...refusal }: ApplicationRefusal) => ({
  reason: _tag,
  ...("missing" in refusal ? { details: refusal.missing } : "reason" in refusal ? { details: refusal.reason } : {})
})

type Decided = ReturnType<typeof decide>

const comparable = (decided: Decided): unknown =>
  Result.isSuccess(decided) ? answered(decided.success) : refused(refusal(decided.failure))

const copyOf = (kyc: KycValues): KycValues => ({
  ...kyc,
  document: kyc.document === null ? null : { ...kyc.document },
  address: kyc.address === null ? null : { ...kyc.address },
  pix: kyc.pix === null ? null : { ...kyc.pix }
})

/** The same case with a KYC that nothing was found out about yet: what is compared twice is compared faster the second time. */
const anew = ([command, application]: Case): Case =>
  command._tag === "SubmitKyc"
    ? [
      { ...command, kyc: copyOf(command.kyc) },
      { ...application, kyc: application.kyc === null ? null : copyOf(application.kyc) }
    ]
    : [command, application]

/** Deciding what comes of a command, each kind of command by itself. */
export const commands: Effect.Effect<ReadonlyArray<Part>> = Effect.map(
  cases,
  (all) =>
    all.map(([name, some]) =>
      part(name, Array.from({ length: 250 }, () => some).flat(), {
        ours: (one) => decide(...anew(one)),
        byHand: (one) => decideByHand(...anew(one)),
        comparable
      })
    )
)
