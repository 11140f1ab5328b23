import { because, type Proof } from "../portSentences.ts"

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
  AuditTrail: [
    ["Reads the audit entries", "returns every field"],
    ["a port of its own", because("the reason for the port")],
    ["In that case", because("a consequence for the host")],
    ["Returns a page", "match all filters", "each entry exactly once"],
    ["Only entries of partners", "of the partners in scope", "deleted partners"],
    ["Entries of the same time", "orders entries by time and then by id"],
    ["Fails with ReadBudgetExceeded", "refuses a read over its budget"],
    ["Default: unlimited", "match all filters"]
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
    ["Do not call it", because("a rule for the caller")]
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
