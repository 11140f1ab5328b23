/** Returns `/llms.txt` (llmstxt.org), a summary of the API for language models. Its links start with `basePath`. */
export const llmsText = (basePath: string): string =>
  `# Lastro

> An HTTP API for partner hierarchies and FGTS loan origination in Brazil (antecipação do saque-aniversário).

JSON with snake_case names. Paths below are relative to ${basePath === "" ? "this server" : basePath}.

## Sign-in

POST /api/v1/oauth/token with form fields. An API client sends grant_type=client_credentials, client_id and client_secret.
A user sends grant_type=password, username and password. Send the access_token of the response in every request:
Authorization: Bearer TOKEN. It expires after expires_in seconds.

## The steps of a loan

1. POST /api/v1/fgts/applications with the customer's cpf and birth_date. Send an Idempotency-Key with every POST.
2. GET /api/v1/fgts/applications/{id}/status?wait=30 with the last ETag as If-None-Match. Repeat while next_action is WAIT.
3. GET /api/v1/fgts/applications/{id} and choose an offer of quote.offers.
4. SUBMIT_KYC: POST /api/v1/fgts/applications/{id}/kyc. The response lists the fields that are still missing.
5. ACCEPT_OFFER: POST /api/v1/fgts/applications/{id}/offers/{offer_id}/accept.
6. SIGN: the customer opens the signature_url of GET /api/v1/proposals/{proposal_uuid}.
7. Poll the status until next_action is NONE. The proposal is then PAID, or the application has a rejection with its reason.

FIX_DISBURSEMENT and FIX_KYC: send corrected KYC fields. REQUOTE: POST /api/v1/fgts/applications/{id}/quotes.
RETRY_LATER: do the same from retry_at on. WAIT_FOR_SETTLEMENT: another contract of the customer must be settled first.
Branch on error.code, not on error.message. After 429 or 503, wait for Retry-After and repeat the request.

## Documents

- [OpenAPI 3.1, JSON](${basePath}/openapi.json): every operation, record and error. Add ?lang=pt-BR for Portuguese.
- [OpenAPI 3.1, YAML](${basePath}/openapi.yaml)
- [Interactive documentation](${basePath}/docs)
- [OAuth 2 metadata](${basePath}/.well-known/oauth-authorization-server)
`
