import { Context } from "effect"

/** Whom access tokens name as their issuer, as `parseIssuer` writes it: an API is served over them at this URL and no other. */
export class Issuer extends Context.Service<Issuer, string>()("@lastro/adapters-http/tokens/Issuer") {}
