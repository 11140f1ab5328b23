/** An attack on the API. The names of its tests start with its id. */
export interface Threat {
  readonly id: string
  readonly threat: string
  /** True if the check fails when the threat has no test. */
  readonly required: boolean
}

const required = (id: string, threat: string): Threat => ({ id, threat, required: true })

/** Every known threat, by id. */
export const threats: ReadonlyArray<Threat> = [
  required("T01", "An operation acts on a record of another hierarchy if the request contains its id"),
  required("T02", "A list contains records that the caller must not see, or omits records that the caller may see"),
  required("T03", "A filter widens the scope of a list"),
  required("T04", "A 403 or 404 response reveals more than the contract allows"),
  required(
    "T05",
    "A forged token: without an algorithm, with the algorithm of another key type, or with an injected key"
  ),
  required("T06", "A token whose claims name a foreign, deleted or malformed partner"),
  required("T07", "A token with a wrong issuer, audience, type or lifetime"),
  required("T08", "A token outlives its user, client or partner"),
  required("T09", "A token keeps its old scope after its partner was moved"),
  required("T10", "A move creates a cycle"),
  required("T11", "Two concurrent moves together create a cycle"),
  required("T12", "A new parent gives the caller additional access"),
  required(
    "T13",
    "A record is created under a foreign parent, or in a group with more permissions than the caller has"
  ),
  required("T14", "A partner is deleted while it has children, users or proposals, or deletes itself"),
  required("T15", "A child is created while its parent is being deleted"),
  required("T16", "Wildcard characters in the text of a filter match every record"),
  required("T17", "Input that makes text matching slow"),
  required("T18", "A sort by an unknown field"),
  required("T19", "Page numbers and sizes out of range"),
  required("T20", "A page far beyond the end costs as much as reading the whole list"),
  required("T21", "A NUL character in text"),
  required("T22", "A lone surrogate in text is silently replaced"),
  required("T23", "The same text in another Unicode form or letter case is treated as different"),
  required("T24", "A UUID in another notation identifies a different record, or fails late"),
  required("T25", "A payload sets a field that only the system may set"),
  required("T26", "A patch confuses an absent field with null"),
  required("T27", "A payload pollutes an object's prototype"),
  required("T28", "A JSON object with duplicate keys"),
  required("T29", "Deeply nested JSON exhausts the stack"),
  required("T30", "A huge body, or a small compressed body that expands"),
  required("T31", "A client sends headers or a body too slowly"),
  required("T32", "Headers or a URL that are too large or contain line breaks"),
  required("T33", "Input forges log lines, or personal data reaches the logs"),
  required("T34", "A CPF is discovered by searching or by creating records"),
  required("T35", "A conflict reveals that a foreign record exists"),
  required("T36", "Guessing credentials or discovering accounts at the token endpoint"),
  required("T37", "Parallel password checks exhaust memory"),
  required("T38", "Malformed Basic credentials"),
  required("T39", "A user who must change their password does something else first"),
  required("T40", "An offer of a superseded quote is accepted"),
  required("T41", "An offer is accepted while a new quote replaces it"),
  required("T42", "Two offers of one application are accepted"),
  required("T43", "An offer is accepted at or after its expiry"),
  required("T44", "An offer is accepted before the KYC data is complete"),
  required("T45", "KYC data changes after the acceptance"),
  required("T46", "A lender's response arrives twice, late or out of order"),
  required("T47", "The response to a contract submission is lost, although the lender created the contract"),
  required("T48", "An external id is used twice"),
  required("T49", "Money amounts drift, or instalments do not add up"),
  required("T50", "A dated rule of the FGTS loan takes effect on the wrong day"),
  required(
    "T51",
    "An idempotency key is reused by another client, with another body, or while the first request is in progress"
  ),
  required("T52", "A configured URL reaches into the private network"),
  required("T53", "A signing key is removed too early, or never"),
  required("T54", "Requests with an unknown method, an encoded path or another origin bypass the routes"),
  required("T56", "Parallel requests exhaust the connection pool, or wait for locks indefinitely"),
  required("T57", "A partner has more children than a SQL statement allows parameters"),
  required("T58", "A failure inside a transaction leaves a partial write"),
  required("T59", "A network swallows packets without closing connections, and requests wait indefinitely"),
  required("T60", "A node that died, froze or lost a connection holds up unfinished work"),
  required("T61", "A flood of sign-ins from one address delays the sign-ins of others"),
  required("T62", "Costly requests of one caller starve the other callers of a node"),
  required("T63", "A masked document is rebuilt from a second field, or confirmed by a filter"),
  required("T64", "A small body causes a huge response"),
  required("T65", "A lender returns a reference twice"),
  required("T72", "The clocks of nodes and database differ"),
  required("T73", "The URL of a webhook reaches into the private network, at once or after a change of the DNS"),
  required("T74", "A receiver holds up deliveries: it is silent, slow, or sends an endless response"),
  required("T75", "The secret of a webhook is readable in a copy of the database"),
  required("T76", "Another site sends a form of the console in the name of a user"),
  required("T77", "A session of the console is planted, read, framed, cached, or used after the sign-out"),
  required("T78", "A text in a record runs as a script in the console"),
  required("T79", "The console sends a browser to another site"),
  required("T84", "The cursor of a list shows personal data, is forged, or reveals a record outside the scope")
]
