/** A way to attack this API. Its tests have names that start with its id. */
export interface Threat {
  readonly id: string
  readonly threat: string
  /** Whether the lack of a test fails the check. */
  readonly required: boolean
}

const required = (id: string, threat: string): Threat => ({ id, threat, required: true })

/** Every known threat, by id. */
export const threats: ReadonlyArray<Threat> = [
  required("T01", "An operation acts on an object of another hierarchy, given its id"),
  required("T02", "A list shows what the caller may not see, or hides what they may"),
  required("T03", "A filter widens the scope of a list"),
  required("T04", "The answers 403 and 404 tell more than the contract says"),
  required("T05", "A forged token: no algorithm, a confused algorithm, an injected key"),
  required("T06", "A token whose claims name a foreign, deleted or malformed partner"),
  required("T07", "A token with a wrong issuer, audience, type or lifetime"),
  required("T08", "A token outlives its user, client or partner"),
  required("T09", "A token keeps its old scope after its partner has moved"),
  required("T10", "A move makes a cycle"),
  required("T11", "Two moves at the same time make a cycle together"),
  required("T12", "A new parent gives the caller more than they had"),
  required("T13", "A record is created below a foreign parent, or with a stronger group than the caller's"),
  required("T14", "A partner is deleted that still has children, users or proposals, or deletes itself"),
  required("T15", "A child is created while its parent is deleted"),
  required("T16", "A pattern's wildcards in a filter match everything"),
  required("T17", "A text that makes matching slow"),
  required("T18", "A sort field that is not one"),
  required("T19", "Page numbers and sizes out of range"),
  required("T20", "A page far behind the end costs as much as reading all"),
  required("T21", "A NUL character in a text"),
  required("T22", "A lone surrogate in a text, silently replaced"),
  required("T23", "The same text in another Unicode form or letter case passes for a different one"),
  required("T24", "A UUID in another notation names a different object, or fails late"),
  required("T25", "A payload sets a field that only the system may set"),
  required("T26", "A patch confuses an absent field with null"),
  required("T27", "A payload pollutes an object's prototype"),
  required("T28", "A JSON object has the same key twice"),
  required("T29", "Deeply nested JSON exhausts the stack"),
  required("T30", "A huge body, or a small one that inflates"),
  required("T31", "A client sends headers or a body too slowly"),
  required("T32", "Headers or an address too large, or with line breaks"),
  required("T33", "A text forges log lines, or personal data reaches the logs"),
  required("T34", "A CPF is found out by searching or by creating"),
  required("T35", "A conflict tells that a foreign record exists"),
  required("T36", "Credentials are guessed, or accounts found out, at the token endpoint"),
  required("T37", "Parallel password checks exhaust memory"),
  required("T38", "Malformed Basic credentials"),
  required("T39", "A user who must change their password does something else first"),
  required("T40", "An offer of a superseded quote is accepted"),
  required("T41", "An offer is accepted while a new quote replaces it"),
  required("T42", "Offers of one application are accepted twice"),
  required("T43", "An offer is accepted at or after its expiry"),
  required("T44", "An offer is accepted although the KYC data is not complete"),
  required("T45", "KYC data changes after the acceptance"),
  required("T46", "A lender's answer arrives twice, late or out of order"),
  required("T47", "The lender's answer to a contract that it did make is lost"),
  required("T48", "An external id is used twice"),
  required("T49", "Amounts of money drift, or instalments do not add up"),
  required("T50", "A dated rule of the FGTS loan applies on the wrong day"),
  required("T51", "An idempotency key is used by another client, with another body, or while in flight"),
  required("T52", "A configured address reaches into the private network"),
  required("T53", "A signing key goes too early, or stays for ever"),
  required("T54", "Unknown methods, encoded paths and origins slip past the routes"),
  required("T56", "Parallel requests starve the pool, or wait for locks without end"),
  required("T57", "A partner with more children than a statement takes parameters"),
  required("T58", "A failure inside a transaction leaves half of it")
]
