import { Context } from "effect"

/** The address that whoever hands a request over says it came from, where the request itself does not tell. */
export const Peer: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "@lastro/adapters-http/mount/Peer",
  { defaultValue: () => undefined }
)
