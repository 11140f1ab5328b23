/** The introduction of the API document in Portuguese, in Markdown. */
export const overviewPtBr = `
Os parceiros formam uma hierarquia. Quem chama (um usuário ou um cliente da API) tem acesso à subárvore do próprio parceiro.

**Formato.** JSON em UTF-8, com nomes em snake_case. Os ids são UUIDs; um id malformado é tratado como desconhecido. Instantes
seguem a ISO 8601, em UTC, com milissegundos. Dias são YYYY-MM-DD em America/Sao_Paulo. Valores são em reais, com no máximo duas
casas decimais. Taxas e CET são percentuais: 1.8 é 1,8 %. CPF, CNPJ, telefone e CEP são retornados sem pontuação e aceitos com
ela. Um campo do corpo que não está documentado é recusado (422, \`UNKNOWN_FIELD\`), assim como um parâmetro de consulta não
documentado de um \`GET\` abaixo de \`/api/v1\`.

**Um empréstimo.** \`POST /api/v1/fgts/applications\` cria uma solicitação e pede uma cotação. Consulte o status dela;
\`next_action\` é o próximo passo: \`WAIT\`, \`SUBMIT_KYC\`, \`ACCEPT_OFFER\`, \`WAIT_FOR_SETTLEMENT\`, \`SIGN\`,
\`FIX_DISBURSEMENT\`, \`FIX_KYC\`, \`REQUOTE\`, \`RETRY_LATER\` ou \`NONE\`. Para esperar por uma mudança (long poll), envie
\`?wait=30\` e o último \`ETag\` como \`If-None-Match\`. Sem \`If-None-Match\`, uma requisição que chega logo depois de uma
mudança perde essa mudança e espera pela próxima. Aceitar uma oferta cria uma proposta, acompanhada até o pagamento ao cliente.
Toda mudança confirmada com 2xx é durável, e o trabalho que ela iniciou continua depois de uma queda. CPFs, chaves Pix e contas
são mascarados para quem não tem \`kyc:read\`.

**Erros.** \`code\` é estável: decida por ele no seu programa. \`message\` é para pessoas, em inglês ou em português
(\`Accept-Language\`). \`details\` lista todos os problemas da requisição e nunca contém um valor recusado. Um caminho
desconhecido é 404 \`NOT_FOUND\` em um \`ApiErrorResponse\`. Um método não suportado é 405 com \`Allow\`. O corpo pode ter no
máximo 256 KiB.

**Id da requisição.** Toda resposta tem \`X-Request-Id\`: o id que você enviou, se for válido; senão, um id gerado. Ele também
está em \`error.request_id\` e no log do servidor.

**Concorrência.** Os registros têm um \`ETag\` forte. Envie-o como \`If-None-Match\` para receber 304 se o registro não mudou, e
como \`If-Match\` para que uma mudança seja condicional (412).

**Idempotência.** Um \`POST\` que cria, cota, aceita ou submete recebe um \`Idempotency-Key\`. A mesma requisição com a mesma
chave é executada uma vez. A resposta é repetida por 24 horas com \`Idempotency-Replayed: true\`. Outra requisição com a mesma
chave é recusada. Só uma resposta de sucesso é guardada.

**Listas** recebem \`page\`, \`size\` e \`sort\`. A resposta contém os valores que foram aplicados.

**Limites.** As requisições são limitadas por quem chama, e as de token, pelo endereço do cliente. Acima do limite, a resposta é
429 com \`Retry-After\`. Um 503 também tem \`Retry-After\`. Depois desse tempo, você pode repetir a mesma requisição com segurança.
`.trim()
