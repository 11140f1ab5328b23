/** What holds for every operation; the introduction of the API description, in Markdown. */
export const overview = `
Partners form a hierarchy. A caller, a user or an API client, sees and acts on the subtree of its own partner.

**Format.** JSON in UTF-8 with snake_case names. Ids are UUIDs; one that is malformed is answered like one that is
unknown. Instants are ISO 8601 in UTC with milliseconds; days are YYYY-MM-DD in America/Sao_Paulo. Amounts are reais with
at most two decimals, rates and CET percent: 1.8 is 1.8 %. CPF, CNPJ, phone and CEP are answered without punctuation and
accepted with it. A field that is not documented is refused (422, \`UNKNOWN_FIELD\`); an undocumented query parameter is
ignored.

**A loan.** \`POST /api/v1/fgts/applications\` has an application quoted. Its slim status says with \`next_action\` what
to do: \`WAIT\` (ask with \`?wait=30\` and, as \`If-None-Match\`, the \`ETag\` of the status you know: the answer
comes as soon as there is another; without the tag what changed just before you asked is not news, and you wait the whole
time), \`SUBMIT_KYC\`, \`ACCEPT_OFFER\`, \`SIGN\`, \`FIX_DISBURSEMENT\`, \`REQUOTE\`, or \`NONE\`. The accepted offer
is a proposal, which is followed until the customer is paid. What was answered with 2xx is kept, and carried on after a crash. Callers without
\`kyc:read\` see CPF, PIX keys and accounts masked.

**Errors.** \`code\` is for programs and never changes; \`message\` is for people, in English or, where
\`Accept-Language\` prefers it, in Portuguese. All problems of a request are reported at once in \`details\`, which never
repeat a rejected value. A path that does not exist is 404 \`NOT_FOUND\` in an \`ApiErrorResponse\`; a method that a path
does not have is 405 with \`Allow\`. A body is at most 256 KiB.

**Every response** carries \`X-Request-Id\`, the caller's own where it sent a fit one. The same id is in
\`error.request_id\` and in the server's log.

**Concurrency.** A record carries a strong \`ETag\`. \`If-None-Match\` makes reading it cheap (304), \`If-Match\` makes a
change conditional (412).

**Idempotency.** A \`POST\` that creates, quotes, accepts or submits takes an \`Idempotency-Key\`. The same request with
the same key is carried out once and answered alike for 24 hours, with \`Idempotency-Replayed: true\`; another request
with the same key is refused. Only success binds a key.

**Lists** take \`page\`, \`size\` and \`sort\`, and answer what they applied.

**Limits.** Requests are limited per caller, the token operations per address: 429 with \`Retry-After\`. 503 carries
\`Retry-After\` too; both are safe to repeat after it.
`.trim()
