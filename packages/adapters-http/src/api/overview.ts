/** The introduction of the API document, in Markdown. It describes what all operations have in common. */
export const overview = `
Partners form a hierarchy. A caller (a user or an API client) has access to the subtree of its own partner.

**Format.** JSON in UTF-8 with snake_case names. Ids are UUIDs; a malformed id is treated as unknown. Instants are ISO 8601
in UTC with milliseconds. Days are YYYY-MM-DD in America/Sao_Paulo. Amounts are in reais with at most two decimals. Rates and
CET are percentages: 1.8 is 1.8 %. CPF, CNPJ, phone and CEP are returned without punctuation and accepted with it. An
undocumented body field is rejected (422, \`UNKNOWN_FIELD\`), and so is an undocumented query parameter of a \`GET\` below
\`/api/v1\`.

**A loan.** \`POST /api/v1/fgts/applications\` creates an application and requests a quote. Poll its status; \`next_action\`
is the next step: \`WAIT\`, \`SUBMIT_KYC\`, \`ACCEPT_OFFER\`, \`WAIT_FOR_SETTLEMENT\`, \`SIGN\`, \`FIX_DISBURSEMENT\`,
\`FIX_KYC\`, \`REQUOTE\`, \`RETRY_LATER\` or \`NONE\`. For a long poll, send \`?wait=30\` and the last \`ETag\` as
\`If-None-Match\`. Without \`If-None-Match\`, a request that arrives just after a change misses that change and waits for
the next one. Accepting an offer creates a proposal, which is tracked until the customer is paid. Every change confirmed with 2xx is durable, and its background work continues after a crash. CPFs, PIX
keys and accounts are masked for callers without \`kyc:read\`.

**Errors.** \`code\` is stable, for clients to branch on. \`message\` is for people, in English or Brazilian Portuguese
(\`Accept-Language\`). \`details\` lists all problems of the request and never contains a rejected value. An unknown path is 404
\`NOT_FOUND\` in an \`ApiErrorResponse\`. An unsupported method is 405 with \`Allow\`. The maximum body size is 256 KiB.

**Request id.** Every response has \`X-Request-Id\`: the id that you sent, if valid, otherwise a generated one. The id is also
in \`error.request_id\` and in the server's log.

**Concurrency.** Records have a strong \`ETag\`. Send it as \`If-None-Match\` to get 304 for an unchanged record, and as
\`If-Match\` to make a change conditional (412).

**Idempotency.** A \`POST\` that creates, quotes, accepts or submits takes an \`Idempotency-Key\`. The same request with the
same key is executed once. Its response is replayed for 24 hours with \`Idempotency-Replayed: true\`. A different request with
the same key is rejected. Only a successful response is stored.

**Lists** take \`page\`, \`size\` and \`sort\`. The response contains the values that were applied.
With \`Accept: text/csv\` or \`format=csv\`, the lists of partners, users, API clients, applications, proposals and audit
entries are a CSV file (RFC 4180) of all records that match, from one snapshot. Its columns are the fields of the JSON, joined
with \`_\`. With \`Accept-Language: pt-BR\`, it has semicolons and decimal commas. A text that begins with \`=\`, \`+\`, \`-\` or
\`@\` gets an apostrophe. Two exports of a partner tree run at a time; another one is 429. A file is complete only if the
response ends without an error.

**Limits.** Requests are rate-limited by caller, and token requests by client address. Above the limit, the response is 429
with \`Retry-After\`. A 503 also has \`Retry-After\`. After that time you can safely send the same request again.
`.trim()
