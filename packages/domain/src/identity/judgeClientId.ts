import { Data, Result } from "effect"
import { ClientIdTaken, passwordClientId } from "./ApiClient.ts"

/** A client id that is not 1 to 64 characters of `[A-Za-z0-9._-]`. */
export class ClientIdMalformed extends Data.TaggedError("ClientIdMalformed") {}

/**
 * A client id has 1 to 64 characters of `[A-Za-z0-9._-]` and is not `lastro`, which marks tokens given for passwords.
 * @rule CLIENT-01
 */
export const judgeClientId = (client_id: string): Result.Result<string, ClientIdMalformed | ClientIdTaken> =>
  client_id === passwordClientId
    ? Result.fail(new ClientIdTaken())
    : /^[A-Za-z0-9._-]{1,64}$/.test(client_id)
    ? Result.succeed(client_id)
    : Result.fail(new ClientIdMalformed())
