// The sentences in the doc comments of ports, and the cases of the contract suites that prove them.

/** A sentence of a doc comment. `member` is the method that it describes, or null for the port itself. */
export interface PortSentence {
  readonly member: string | null
  readonly sentence: string
}

/** The reason why no case proves a sentence. */
interface Unproven {
  readonly because: string
}

/** A part of a sentence, and parts of the names of the cases that prove it, or the reason why no case does. */
export type Proof = readonly [part: string, ...cases: ReadonlyArray<string | Unproven>]

const because = (reason: string): Unproven => ({ because: reason })

/** Splits a doc comment into sentences. */
const sentencesIn = (comment: string): ReadonlyArray<string> =>
  comment.replaceAll(/^[ \t]*\*[ ]?/gm, "").replaceAll(/\s+/g, " ").trim().split(/(?<=[.])\s+(?=[A-Z`{])/)

/** Returns the sentences of a port that a file declares, in source order. Null if the file does not declare the port. */
export const portSentences = (port: string, text: string): ReadonlyArray<PortSentence> | null => {
  const declared = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport class ${port} extends Context\.Service<${port}, \{([\s\S]*?)\n\}>`
  ).exec(text)
  if (declared === null) return null
  const [, comment = "", body = ""] = declared
  const members = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)/g)
  return [
    ...sentencesIn(comment).map((sentence) => ({ member: null, sentence })),
    ...Array.from(members).flatMap(([, one = "", member = ""]) =>
      sentencesIn(one).map((sentence) => ({ member, sentence }))
    )
  ]
}

const label = ({ member, sentence }: PortSentence): string => member === null ? sentence : `${member}: ${sentence}`

/** Returns the sentences without a proof, the proofs of no sentence, and the proofs that name no case. */
export const findSentenceProblems = (
  sentences: ReadonlyArray<PortSentence>,
  proofs: ReadonlyArray<Proof>,
  caseNames: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...sentences.map(label).filter((one) => !proofs.some(([part]) => one.includes(part)))
    .map((one) => `no case proves the sentence "${one}"`),
  ...proofs.filter(([part]) => !sentences.some((one) => label(one).includes(part)))
    .map(([part]) => `the port has no sentence with "${part}"`),
  ...proofs.flatMap(([part, ...cases]) =>
    cases.flatMap((one) =>
      typeof one !== "string" || caseNames.some((name) => name.includes(one))
        ? []
        : [`"${part}": no case has a name with "${one}"`]
    )
  )
]

/**
 * The proofs of each port whose sentences are checked. The ports of lenders and the idempotency store were the first. Add
 * a port as soon as you change its doc comment. A part begins with the name of the method if another method has the same sentence.
 */
export const portProofs: Readonly<Record<string, ReadonlyArray<Proof>>> = {
  IdempotencyStore: [
    ["Stores the first response", "`find` returns the stored answer", "keys of different callers never collide"],
    ["`claim` takes effect before a `find`", "exactly one takes effect"],
    ["Adapters store a hash", "neither the idempotency key nor the answer", "encrypted with a key of its own slot"],
    ["cannot be read without", "neither the idempotency key nor the answer"],
    ["Locks the slot", "`claim` is reentrant", "exactly one takes effect"],
    ["Returns false if another", "`claim` returns false"],
    ["at or after `since`", "at or after `since`"],
    ["in the transaction of the request", "roll back with the surrounding transaction"],
    ["Replaces an expired response", "`save` replaces an older answer"]
  ],
  DocumentSource: [
    ["The port to the documents", because("it says what a document is")],
    ["Lastro stores only references", because("a fact about Lastro")],
    ["The host keeps", because("a fact about the host")],
    ["Returns the content", "content"],
    ["SHA-256", "SHA-256"],
    ["neither the reference nor any content", "neither"]
  ],
  LenderThrottle: [
    ["Enforces the limits", "closer together than the rate", "first come, first served"],
    ["independent of transactions", because("Lastro calls no lender in a transaction, so no caller can observe it")],
    ["never blocks", "first come, first served"],
    ["Requests permission", "closer together than the rate"],
    ["Two calls never begin", "closer together than the rate"],
    ["number of calls in progress", "never exceed `max_in_flight`"],
    ["Ends a call", "never exceed `max_in_flight`"],
    ["If the node crashes", because("the deadline is 35 s of real time: the tests of LENDER-11 move the clock")],
    ["An unknown call", "`leave` ignores"]
  ],
  Lender: [
    ["The port to the lender", because("it says what a lender is")],
    ["never called inside a database transaction", because("a rule for the caller: the cases of the durable jobs")],
    ["A business rejection", "returns the business reason NO_BALANCE"],
    ["means that there is no answer", "gives no usable answer", "when the lender does not answer"],
    ["The domain ends every call", because("a rule of the domain")],
    ["An adapter does none of these", because("a rule of the domain")],
    ["requirements: The requirements", "`requirements` has a name"],
    ["They are constant", because("it is a value, which no call can change")],
    ["Requests a quote for all fee tables", "valid offer for each fee table", "within the policy and the limits"],
    ["does not affect the others", "cannot be priced, together with the offers of the other tables"],
    ["Creates the contract", "`contract` returns PAID"],
    ["submit: Idempotent by", "one contract per proposal_id"],
    ["means that the lender refuses the data", "SubmissionInvalid for data"],
    ["Returns the current state of the contract", "the current status of payment 1", "REJECTED", "SETTLED", "REFUNDED"],
    ["Retries the payment", "pays once per disbursement_attempt", "if the lender refuses the destination"],
    ["resubmit: Idempotent by", "pays once per disbursement_attempt"],
    ["exits: Returns the exits", "cancels a contract before its payment", "fail with ExitRefused"],
    ["Makes one call", "`knownExits` returns the same"],
    ["Returns the exits if the adapter knows", "`knownExits` returns the same"],
    ["After null, Lastro calls", because("a rule of the domain")],
    ["never returns null after", "`knownExits` returns the same"],
    ["omits this method", because("the method is optional")],
    [
      "Cancels the contract of a proposal",
      "cancels a contract before its payment",
      "finds the contract by its proposal_id"
    ],
    ["cancel: Idempotent by", "cancels a contract before its payment"],
    ["The state is CANCELLED, PAID", "returns PAID if the payment came before"],
    ["Null means that", "never submitted", "creates no contract that is still to be paid"],
    ["Requests the refund", "how the customer pays a paid contract back"],
    ["refund: Idempotent by", "how the customer pays a paid contract back"],
    ["until the customer has paid", "how the customer pays a paid contract back"],
    ["does not pay in time", "returns PAID again"],
    ["Creates a new signature link", "`signatureLink` returns a link"],
    ["Authenticates a callback", "refuses a forged callback", "without any proof", "that an authentic callback names"],
    ["reads only the callback itself", because("the type: it needs no other service, and the case gives it no lender")],
    ["of an unknown type", "nothing for an unknown type"],
    ["can contain its next", "returns PENDING until"]
  ]
}
