import { because, type Proof } from "../portSentences.ts"

/** The proofs of the ports of transactions, audit, events and generators. */
export const storageProofs: Readonly<Record<string, ReadonlyArray<Proof>>> = {
  IdempotencyStore: [
    ["Stores the first response", "`find` returns the stored answer", "keys of different callers never collide"],
    ["the `claim` takes effect first", "exactly one takes effect"],
    ["Adapters store a hash", "neither the idempotency key nor the answer"],
    ["They encrypt", "neither the idempotency key nor the answer", "encrypted with a key of its own slot"],
    ["Locks the slot", "`claim` is reentrant", "exactly one takes effect"],
    ["Returns false if another", "`claim` returns false"],
    ["at or after `since`", "at or after `since`"],
    ["in the transaction of the request", "roll back with the surrounding transaction"],
    ["Replaces an expired response", "`save` replaces an older answer"]
  ],
  Installation: [
    ["Checks whether", "is true before the first partner"],
    ["Returns whether", "is true before the first partner", "after every partner was removed"],
    ["Inside a transaction", "blocks concurrent readers"],
    ["If two nodes start", "only one of several starting nodes"]
  ],
  UnitOfWork: [
    ["Runs several writes | Runs an effect in", "commits all writes"],
    ["Commits if", "of an effect that fails", "of an effect that dies", "an interrupted effect"],
    ["A nested call joins", "a nested unit of work is part of"],
    ["If a nested call fails", "rolls back alone"],
    ["belongs to the context", "that another fiber runs"],
    ["True if the effect", "`isOpen` is true"],
    ["A use case then", because("a rule for the caller")]
  ],
  AuditLog: [
    ["Stores audit entries", "stores every field"],
    ["in the same transaction", "in the surrounding transaction"]
  ],
  AuditRetention: [
    ["Exports and deletes old audit entries", "`exportBefore` streams and `deleteBefore` deletes"],
    ["Streams the entries before | exportBefore: Entries of the same time", "`exportBefore` streams"],
    ["Reads in pieces", because("a test of the audit reads an export of several pieces")],
    ["Deletes up to `limit` | deleteBefore: Returns the number", "`deleteBefore` deletes the oldest"],
    ["The totals of all lists", "and totals stay exact"]
  ],
  AuditTrail: [
    ["Reads the audit entries", "returns every field"],
    ["If a host replaces only", because("a consequence for the host")],
    ["Returns a page", "match all filters", "each entry exactly once"],
    ["Only entries of partners", "of the partners in scope", "deleted partners"],
    ["Entries of the same time", "orders entries by time and then by id"],
    ["Fails with ReadBudgetExceeded", "refuses a read over its budget"],
    ["Default: unlimited", "match all filters"],
    ["With `after`", "a walk returns each entry in scope"],
    ["Streams all records", "`exportAll` streams all entries"]
  ],
  EventLog: [
    ["Stores events", "an event is read as it was appended"],
    ["Appends events", "those of a rolled-back one do not exist"],
    ["Records the partner and | Reads the events", "as of the time when they happened"],
    ["do not wait for each other", "an event that commits late"],
    ["Stores the trace context", because("the case of `traceparent` in the suite of WebhookQueue")],
    ["never misses and never repeats", "reads every event once", "an event that commits late"],
    ["Sequences are given", "reads every event once"],
    ["keep their order", "keep their order"],
    ["A sequence never changes", "in the same order"],
    ["Fails with {@link EventsExpired} | are not used again", "`read` fails with EventsExpired"],
    ["Do not call it", because("a rule for the caller")],
    ["last: Returns the sequence", "`last` returns the sequence of the newest committed event of the tree"],
    ["Completes when a tree has", "`arrival` completes at once"],
    ["Can also complete without", because("no promise: the caller reads again")],
    ["it holds no database connection", because("only SQL adapters have connections: the tests of the feed's `wait`")],
    ["Deletes up to `limit`", "in pieces", "old events that nobody has read"],
    ["Returns their number", "`deleteBefore` deletes the old events"]
  ],
  CursorSeal: [
    ["so that nobody can read", "`seal` shows no part", "was not sealed, or that was changed"],
    ["The sort values in a cursor", because("the reason for the port")],
    ["Encrypts a text | Returns the text that was sealed", "the text that was sealed in the same context"],
    ["The same key is used", because("the key is in the database, which all processes share")],
    ["Returns none for any other text", "none in another context", "was not sealed, or that was changed"]
  ],
  PersonalDataHasher: [
    ["Hashes personal data | Equal texts", "`hash` is deterministic"],
    ["Without the key", "no part of the text"],
    ["Returns a keyed hash", "at most 128 characters"],
    ["The key stays the same", because("a rule for the operator")]
  ],
  IdGenerator: [
    ["Generates the ids", "returns unique ids"],
    ["version 7", "version 7"]
  ],
  SecretGenerator: [
    ["Generates secrets", "unique secrets"],
    ["at least 192 random bits | Its characters", "32 to 128 characters"]
  ],
  SubscriptionStore: [
    ["Stores how far", "EVENT-07 events are handled in order"],
    ["Stores a subscription | Returns the stored cursor", "`open` stores a cursor once"],
    ["Does not wait", "`open` does not wait"],
    ["Leases a subscription | Ignores a lease", "one holder at a time has the lease"],
    ["Returns none if", "another holder gets the lease after its end", "no other holder gets the lease"],
    ["renews its own lease", "can renew it"],
    ["Moves the cursor", "`move` is part of the surrounding transaction"],
    ["Fails with {@link SubscriptionLost}", "`move` changes nothing for another holder"],
    ["Another move waits", "and a move waits"],
    ["Ends the lease", "after `release` at once"]
  ],
  CommissionPlans: [
    ["Stores commission plans | never changes | insert: Stores a plan", "`insert` stores a plan"],
    ["list: Returns a page | list: Fails with ReadBudgetExceeded", "`list` returns the plans of a partner"],
    ["list: Default | list: With `after`", "`list` returns the plans of a partner"],
    ["chain: Returns the partners", "`chain` returns the partners", "a plan counts until a later one begins"],
    ["Deleted partners keep", "`chain` keeps deleted partners"],
    ["chain: Returns none", "`chain` returns the partners"]
  ],
  CommissionLedger: [
    ["The ledger of commissions", because("it says what the port is")],
    [
      "never deleted",
      because("the port has no method that changes or deletes an entry; SQL adapters test the triggers")
    ],
    ["A partner sees an entry | Moves do not change", "that name the partner of the scope as a viewer"],
    ["Appends entries | Returns the ACCRUALs", "`append` stores every field"],
    ["Leaves out an ACCRUAL", "`append` leaves out a second"],
    ["Finds a proposal by id", "`findContract` returns"],
    ["Returns the closed months | A partner without closed", "`closedPeriods` returns"],
    ["list: Returns a page | list: Default", "`list` returns the entries that match all filters"],
    ["list: Fails with ReadBudgetExceeded", "`list` fails with ReadBudgetExceeded"],
    ["list: With `after` | Streams all entries", "a walk and `exportAll` return every entry"],
    ["Nothing is read", because("an export that is not pulled is not visible; the tests of exports cover the reads")]
  ],
  CommissionSettlement: [
    ["The sums, closings and payouts", because("it says what the port is")],
    [
      "counts, closes and pays only",
      "of each partner that the caller sees",
      "`close` closes what the caller sees",
      "`closedSum` and `pay` count"
    ],
    ["Returns the sums of each partner | summarize: Fails with ReadBudgetExceeded", "`summarize` returns the sums"],
    ["summarize: Default", "`summarize` returns the sums"],
    ["Closes the OPEN entries", "`close` closes what the caller sees"],
    ["The first closing", "the first closing stays"],
    ["If there are more than `limit`", "`close` closes at most `limit` entries"],
    ["Returns the sum and the number of the CLOSED | Other closings and payouts", "`closedSum` and `pay` count"],
    ["Stores a payout | become PAID", "`closedSum` and `pay` count"],
    ["listPayouts: Returns a page | listPayouts: Fails with ReadBudgetExceeded", "`listPayouts` returns"],
    ["listPayouts: Default | listPayouts: With `after`", "`listPayouts` returns"]
  ],
  CommissionStatements: [
    ["Compares statements of lenders", "`contracts` returns those of the root", "`find` returns what"],
    ["Returns the payments and the reversals", "`contracts` adds up", "`contracts` returns those"],
    ["Adjustments are not", "`contracts` adds up"],
    ["Returns at most", "`contracts` returns those"],
    ["Returns the stored result | Stores the result of a file", "`find` returns what"],
    ["already have a result | Returns the result that", "`store` keeps the first result"]
  ],
  HostContracts: [
    ["Stores the contracts of a host | Stores a contract of a partner", "`insert` stores every field"],
    ["Changes nothing, and returns false", "`insert` stores every field"],
    ["Until the contract is paid | Replaces the status", "`setStatus` replaces the status"],
    ["Finds a contract in any tree", "`findForUpdate` locks"]
  ],
  WebhookRepository: [
    ["Stores webhooks", "in order, and their number"],
    ["the workers are woken", because("only SQL adapters have workers: the tests of the webhook worker")],
    ["Finds a webhook by id | like `find`, and locks", "return records of the caller's partner"],
    ["Returns a page of the webhooks | list: Default", "`list` returns the webhooks in scope"],
    ["list: Fails with ReadBudgetExceeded", "fail with ReadBudgetExceeded"],
    ["listDeliveries: Fails with ReadBudgetExceeded", "fail with ReadBudgetExceeded"],
    ["list: With `after`", "a walk returns each webhook"],
    ["of every partner", "`listAll` returns the webhooks of every tree"],
    ["Returns the partner of a webhook", "`findOwner` returns"],
    ["Counts the webhooks", "`count` counts the webhooks"],
    ["so that the count stays valid", "stays valid until the transaction ends"],
    ["Saves all fields except", "`update` saves all fields except"],
    ["Replaces the secret | The replaced secret also signs", "`setSecret` keeps"],
    ["Older secrets", "and only that one"],
    ["Deletes the webhook", "`remove` deletes"],
    ["Restarts every delivery", "`restart` begins every delivery"],
    ["Ends a hold", "and ends a hold"],
    ["Changes the sequence | `change` gets", "`moveCursor` changes the cursor"],
    ["Returns a page of the deliveries | listDeliveries: Default", "`listDeliveries` returns the deliveries"],
    ["listDeliveries: With `after`", "a walk returns each webhook and each delivery"],
    ["Finds a delivery | Begins a delivery anew", "`redeliver` begins a delivery anew"],
    ["Stores a test", "`addTest` stores a test"]
  ],
  WebhookQueue: [
    ["The deliveries that are due", because("it says what the port is")],
    ["Several nodes share | Two nodes never | Ends a lease", "two nodes never hold the same webhook"],
    ["one clock", because("an adapter has one clock; nothing else is visible")],
    ["Methods that take a lease | Returns null if the lease", "a lease that was lost changes nothing"],
    ["Leases webhooks", "at most the free places"],
    [
      "An active webhook has something",
      "is claimed if its tree has events after its cursor",
      "events wait in the feed while the window is full"
    ],
    ["While its endpoint is held", "a hold stops all deliveries"],
    ["Every webhook has something", because("the case of `addTest` in the suite of WebhookRepository")],
    ["have nothing to deliver", "has nothing to deliver"],
    ["Trees take turns", "trees take turns"],
    ["Renews a lease | Last, returns", "returns at most `limit` deliveries"],
    ["Then stores the events", "`advance` stores them as deliveries"],
    ["An event that is PENDING | An event with another", "keeps an event that is PENDING"],
    ["Stores nothing if", "`advance` stores nothing if"],
    ["Stores the outcomes", "`settle` stores the outcomes"],
    ["If the batch stops | Otherwise returns null", "`settle` stops an active webhook"],
    ["the window is full until", "events wait in the feed while the window is full"],
    ["Deletes deliveries that ended | prune: Returns the number", "`prune` keeps deliveries"]
  ],
  HostTransactions: [
    ["Runs the code of a host", "commits every call"],
    ["needs this port", because("a fact about `openLastro`")],
    ["Runs a callback", "resolves with the value of the callback"],
    ["`current` returns `flow` | Returns the `flow`", "returns the flow of the innermost"],
    ["Runs a statement | The parameters", because("only SQL adapters have it: the tests of `tx.query`")],
    ["StatementFailed | StatementRefused", because("only SQL adapters have it: the tests of `tx.query`")],
    ["Returns units of work | units of one client", because("only SQL adapters have it: the tests of `within`")],
    ["of a unit that fails | The host commits", because("only SQL adapters have it: the tests of `within`")],
    ["A unit dies with", because("only SQL adapters have it: the tests of `within`")]
  ]
}
