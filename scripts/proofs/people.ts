import { because, type Proof } from "../portSentences.ts"

/** The proofs of the ports of partners, users and identity. */
export const peopleProofs: Readonly<Record<string, ReadonlyArray<Proof>>> = {
  PartnerRepository: [
    ["Stores partners | Inserts a partner", "return the partner with every field"],
    ["Never returns deleted | Marks the partner as deleted", "`remove` hides the partner"],
    ["Finds a partner by id", "return records of the caller's partner"],
    ["Finds a partner like", "`findForUpdate` locks the partner"],
    ["Fails if another partner", "fails with DocumentTaken", "exactly one succeeds"],
    ["Inserts the root", "partners under different roots"],
    ["Saves all fields", "`update` saves every field"],
    ["A new partner can use", "can be used again"],
    ["Counts the dependents", "`dependents` counts"]
  ],
  PartnerTree: [
    ["Returns whether a partner is in", "`contains` and `list` return exactly the partner of the scope"],
    ["in the scope of their ancestors", "`contains` and `list` include a removed partner"],
    [
      "Returns the ids of the partners",
      "`list` returns at most `limit` ids",
      "`contains` and `list` include a removed"
    ],
    ["The partner trees", because("it says what the port is")],
    ["A deleted partner keeps its place", "a removed partner stays in the tree"],
    ["`find` never returns", "returns nothing for a removed partner"],
    ["Locks the tree", "`lock` in exclusive mode blocks", "a lock is released"],
    ["A `shared` lock | An `exclusive` lock", "shared locks on a tree", "`lock` in exclusive mode blocks"],
    ["Only calls that are started | Requires the exclusive lock", because("a rule for the caller")],
    ["An adapter can therefore", because("a permission for the adapter")],
    ["fails with Busy", "fails with Busy"],
    ["Finds a partner by id", "returns records of the caller's partner"],
    ["Finds the place", "returns the root of the tree of a partner"],
    ["Returns the current state", "`findPlace`: `partners_active`", "nothing for an unknown or removed"],
    ["Returns whether `id`", "`isWithin` is true"],
    ["Moves a partner", "`move` moves a partner with its whole subtree"]
  ],
  UserRepository: [
    ["Stores users | Inserts a user", "return the user with every field"],
    ["Never returns deleted | Marks the user as deleted", "`remove` hides the user"],
    ["Finds a user by id", "return records of the caller's partner"],
    ["Finds a user like", "`findForUpdate` locks the user"],
    ["insert: Fails if another user", "`insert` fails with EmailTaken", "exactly one succeeds"],
    ["Saves all fields", "`update` saves every field"],
    ["`owner` is the partner of `after`", "including the user's partner"],
    ["update: Fails if another user", "`update` fails with EmailTaken"],
    ["Replaces the password", "`setPassword` replaces the hash"],
    ["issued before the replacement", because("`credentials_version` is a case of PrincipalRepository")],
    ["Returns the stored hash", "`passwordHash` returns"],
    ["A new user can use", "can be used again"]
  ],
  PrincipalRepository: [
    ["The session of a client has ended", because("the case of `endSession` in the suite of ApiClientRepository")],
    ["Reads principals", "return the current state of a user", "return the current state of a client"],
    ["Never returns deleted", "removed users are not found", "principals of a removed partner"],
    ["Finds the user with this id", "return the current state", "nothing for an unknown id"],
    ["`session` is the family | The session has ended | A spent token", "`session_ended`"],
    ["Finds a principal like | Returns both results", "`findWhile` returns"],
    ["with this e-mail address", "`findByEmail` ignores case"],
    ["findByClientId: Finds the client", "distinguish the letter case"]
  ],
  ApiClientRepository: [
    ["Ends the session of an access token", "`endSession` ends this session"],
    ["The session is forgotten", because("after the token has expired, nothing is visible")],
    ["Stores API clients | Returns the API clients of every", "`insert` stores a client"],
    ["Returns a page of the API clients | Default: unlimited", "`list`, a walk and `exportAll` return the clients"],
    ["With `after` | Streams all records", "`list`, a walk and `exportAll` return the clients"],
    ["Never returns the clients", "of a deleted partner"],
    ["Fails with ReadBudgetExceeded", "than the budget"],
    ["Finds a client and locks", "locks the client"],
    ["Replaces the secret and", "`setSecret` replaces"],
    ["The replaced secret", "`setSecret` with a time"],
    ["An older secret", "and only that one"],
    ["Without `previous_valid_until`", "which revokes all tokens"],
    ["Replaces the hash of an unchanged", "`replaceHash` replaces", "is not the verified one"],
    ["Access tokens stay valid", "so that tokens stay valid"],
    ["Revokes the client | Its access tokens", "after `revoke`"]
  ],
  RefreshTokenRepository: [
    ["Stores refresh tokens", "returns the record as inserted"],
    ["Finds the record", "`findForUpdate` locks the token"],
    ["Marks a token", "`spend` marks only this token"],
    ["of a session (family)", "`revokeFamily` revokes"],
    ["Locks the sessions | other transactions wait in `lockUser`", "`lockUser` makes `revokeUser` wait"],
    ["of a user", "`revokeUser` revokes"]
  ],
  LoginAttempts: [
    ["Stores failed sign-ins", "`failures` returns the failures of the username"],
    ["case-folded", because("the use case folds the username")],
    ["Returns the newest failures", "newest 50", "last five", "at or after `since`"],
    ["even if a surrounding", "survives its rollback"],
    ["Deletes the failures", "`clear` deletes only"]
  ],
  PasswordHasher: [
    ["Hashes passwords | Returns whether the secret", "`verify` accepts the hashed secret"],
    ["slow to compute", "computes as much"],
    ["Adapters limit | If these rules refuse", "fail with Busy"],
    ["with a new salt", "a new salt each time"],
    ["Returns a fast hash | If it matches a fast hash", "`verify` accepts a generated secret"],
    ["Only for secrets", because("a rule for the caller")],
    ["If it does not match", "computes as much", "when there is no hash"]
  ],
  CommonPasswords: [
    ["Recognizes", "for a common password"],
    ["in any letter case", "in any letter case"],
    ["folded text", "`isWord` returns true"]
  ],
  TokenSigner: [
    ["Signs and verifies", "`verify` returns the claims"],
    ["issued now", "a token expires"],
    ["Verifies the signature", "every altered token"]
  ],
  SigningKeyRepository: [
    ["Locks the stored keys", "`lock` blocks every other `lock`"],
    ["Stores signing keys | Returns every stored key | Adds a key", "`all` returns every key"],
    ["With `onlyIfEmpty`", "exactly one stores its key", "stores nothing if any key exists"],
    ["Stops a key", "`retire` sets"],
    ["Deletes a key", "`remove` deletes"]
  ]
}
