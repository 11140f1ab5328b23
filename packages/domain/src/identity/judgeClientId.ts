import { Data, Result } from "effect"
import { ClientIdTaken, passwordClientId } from "./ApiClient.ts"

/** The client id does not have 1 to 64 characters of `[A-Za-z0-9._-]`. */
export class ClientIdMalformed extends Data.TaggedError("ClientIdMalformed") {}

/**
 * A client id has 1 to 64 characters of `[A-Za-z0-9._-]`. `lastro` is reserved for tokens issued for passwords.
 * @rule CLIENT-01
 */
export const judgeClientId = (client_id: string): Result.Result<string, ClientIdMalformed | ClientIdTaken> =>
  client_id === passwordClientId
    ? Result.fail(new ClientIdTaken())
    : /^[A-Za-z0-9._-]{1,64}$/.test(client_id)
    ? Result.succeed(client_id)
    : Result.fail(new ClientIdMalformed())
