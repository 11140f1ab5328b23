import { because, inBatches, type Proof } from "../portSentences.ts"

/** The proofs of the ports of transactions, audit, events and generators. */
export const storageProofs: Readonly<Record<string, ReadonlyArray<Proof>>> = {
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
  Installation: [
    ["Checks whether", "is true before the first partner"],
    ["Returns whether", "is true before the first partner", "after every partner was removed"],
    ["Inside a transaction", "blocks concurrent readers"],
    ["If two nodes start", "only one of several starting nodes"]
  ],
  UnitOfWork: [
    ["Runs several writes", "commits all writes"],
    ["Runs an effect in", "commits all writes"],
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
    ["For the operator", because("a rule for the caller")],
    ["Streams the entries before", "`exportBefore` streams"],
    ["exportBefore: Entries of the same time", "`exportBefore` streams"],
    ["Reads in pieces", because("a test of the audit reads an export of several pieces")],
    ["Deletes up to `limit`", "`deleteBefore` deletes the oldest"],
    ["deleteBefore: Returns their number", "`deleteBefore` deletes the oldest"],
    ["The totals of all lists", "and totals stay exact"]
  ],
  AuditTrail: [
    ["Reads the audit entries", "returns every field"],
    ["a port of its own", because("the reason for the port")],
    ["In that case", because("a consequence for the host")],
    ["Returns a page", "match all filters", "each entry exactly once"],
    ["Only entries of partners", "of the partners in scope", "deleted partners"],
    ["Entries of the same time", "orders entries by time and then by id"],
    ["Fails with ReadBudgetExceeded", "refuses a read over its budget"],
    ["Default: unlimited", "match all filters"],
    ["With `after`", "a walk returns each entry in scope"],
    ["Streams all records", "`exportAll` streams all entries"],
    ["Each pull reads", inBatches]
  ],
  EventLog: [
    ["Stores events", "an event is read as it was appended"],
    ["Appends events", "those of a rolled-back one do not exist"],
    ["Records who is above", "as of the time when they happened"],
    ["do not wait for each other", "an event that commits late"],
    ["Reads the events", "as of the time when they happened"],
    ["never misses and never repeats", "reads every event once", "an event that commits late"],
    ["keep their order", "keep their order"],
    ["A sequence never changes", "in the same order"],
    ["Fails with {@link EventsExpired}", "`read` fails with EventsExpired"],
    ["Do not call it", because("a rule for the caller")],
    ["last: Returns the sequence", "`last` returns the sequence of the newest committed event of the tree"],
    ["Completes when a tree has", "`arrival` completes at once"],
    ["Can also complete without", because("no promise: the caller reads again")],
    ["it holds no database connection", because("only SQL adapters have connections: the tests of the feed's `wait`")],
    ["Deletes up to `limit`", "in pieces", "old events that nobody has read"],
    ["Returns their number", "`deleteBefore` deletes the old events"],
    ["are not used again", "`read` fails with EventsExpired"]
  ],
  CursorSeal: [
    ["so that nobody can read", "`seal` shows no part", "was not sealed, or that was changed"],
    ["The sort values in a cursor", because("the reason for the port")],
    ["Encrypts a text", "the text that was sealed in the same context"],
    ["The same key is used", because("the key is in the database, which all processes share")],
    ["Returns the text that was sealed", "the text that was sealed in the same context"],
    ["Returns none for any other text", "none in another context", "was not sealed, or that was changed"]
  ],
  PersonalDataHasher: [
    ["Hashes personal data", "`hash` is deterministic"],
    ["Equal texts", "`hash` is deterministic"],
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
    ["at least 192 random bits", "32 to 128 characters"],
    ["Its characters", "32 to 128 characters"]
  ],
  SubscriptionStore: [
    ["Stores how far", "EVENT-07 events are handled in order"],
    ["Stores a subscription", "`open` stores a cursor once"],
    ["Returns the stored cursor", "`open` stores a cursor once"],
    ["Does not wait", "`open` does not wait"],
    ["Leases a subscription", "one holder at a time has the lease"],
    ["Returns none if", "another holder gets the lease after its end", "no other holder gets the lease"],
    ["renews its own lease", "can renew it"],
    ["Moves the cursor", "`move` is part of the surrounding transaction"],
    ["Fails with {@link SubscriptionLost}", "`move` changes nothing for another holder"],
    ["Another move waits", "and a move waits"],
    ["Ends the lease", "after `release` at once"],
    ["Ignores a lease", "one holder at a time has the lease"]
  ],
  WebhookRepository: [
    ["Stores webhooks", "in order, and their number"],
    ["Writes join", "writes roll back with the surrounding transaction"],
    ["the workers are woken", because("only SQL adapters have workers: the tests of the webhook worker")],
    ["Finds a webhook by id", "return records of the caller's partner"],
    ["is readable only through", because("a type: only `judgeFound` reads it")],
    ["like `find`, and locks", "return records of the caller's partner"],
    ["Returns a page of the webhooks", "`list` returns the webhooks in scope"],
    ["list: Fails with ReadBudgetExceeded", "fail with ReadBudgetExceeded"],
    ["list: Default", "`list` returns the webhooks in scope"],
    ["list: With `after`", "a walk returns each webhook"],
    ["of every partner", "`listAll` returns the webhooks of every tree"],
    ["Returns the partner of a webhook", "`findOwner` returns"],
    ["Counts the webhooks", "`count` counts the webhooks"],
    ["so that the count stays valid", "stays valid until the transaction ends"],
    ["Saves all fields except", "`update` saves all fields except"],
    ["Replaces the secret", "`setSecret` keeps"],
    ["becomes the previous one", "`setSecret` keeps"],
    ["An older one", "and only that one"],
    ["Deletes the webhook", "`remove` deletes"],
    ["Begins the deliveries", "`restart` begins every delivery"],
    ["Ends a hold", "and ends a hold"],
    ["Changes the sequence", "`moveCursor` changes the cursor"],
    ["`change` gets", "`moveCursor` changes the cursor"],
    ["Returns a page of the deliveries", "`listDeliveries` returns the deliveries"],
    ["listDeliveries: Fails with ReadBudgetExceeded", "fail with ReadBudgetExceeded"],
    ["listDeliveries: Default", "`listDeliveries` returns the deliveries"],
    ["listDeliveries: With `after`", "a walk returns each webhook and each delivery"],
    ["Finds a delivery", "`redeliver` begins a delivery anew"],
    ["Stores a test", "`addTest` stores a test"],
    ["Begins a delivery anew", "`redeliver` begins a delivery anew"]
  ],
  WebhookQueue: [
    ["The deliveries that are due", because("it says what the port is")],
    ["Several nodes share", "two nodes never hold the same webhook"],
    ["one clock", because("an adapter has one clock; nothing else is visible")],
    ["Methods that take a lease", "a lease that was lost changes nothing"],
    ["Leases webhooks", "at most the free places"],
    [
      "An active webhook has something",
      "is claimed if its tree has events after its cursor",
      "events wait in the feed while the window is full",
      "a hold stops all deliveries"
    ],
    ["Every webhook has something", because("the case of `addTest` in the suite of WebhookRepository")],
    ["have nothing to deliver", "has nothing to deliver"],
    ["Trees take turns", "trees take turns"],
    ["Two nodes never", "two nodes never hold the same webhook"],
    ["Renews a lease, and returns", "returns at most `limit` deliveries"],
    ["Null if the lease", "a lease that was lost changes nothing"],
    ["Before that, stores", "`advance` stores them as deliveries"],
    ["An event that is PENDING", "keeps an event that is PENDING"],
    ["Stores nothing if", "`advance` stores nothing if"],
    ["Stores the outcomes", "`settle` stores the outcomes"],
    ["If the batch stops", "`settle` stops an active webhook"],
    ["Ends a lease", "two nodes never hold the same webhook"],
    ["the window is full until", "events wait in the feed while the window is full"],
    ["Deletes deliveries that ended", "`prune` keeps deliveries"],
    ["prune: Returns the number", "`prune` keeps deliveries"]
  ],
  HostTransactions: [
    ["Runs the code of a host", "commits every call"],
    ["needs this port", because("a fact about `openLastro`")],
    ["Runs a callback", "resolves with the value of the callback"],
    ["`current` returns `flow`", "returns the flow of the innermost"],
    ["Returns the `flow`", "returns the flow of the innermost"],
    ["Runs a statement", because("only SQL adapters have it: the tests of `tx.query`")],
    ["The parameters", because("only SQL adapters have it: the tests of `tx.query`")],
    ["StatementFailed", because("only SQL adapters have it: the tests of `tx.query`")],
    ["StatementRefused", because("only SQL adapters have it: the tests of `tx.query`")],
    ["Returns units of work", because("only SQL adapters have it: the tests of `within`")],
    ["units of one client", because("only SQL adapters have it: the tests of `within`")],
    ["of a unit that fails", because("only SQL adapters have it: the tests of `within`")],
    ["The host commits", because("only SQL adapters have it: the tests of `within`")],
    ["A unit dies with", because("only SQL adapters have it: the tests of `within`")]
  ]
}
