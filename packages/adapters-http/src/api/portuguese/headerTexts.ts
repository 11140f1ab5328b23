/** Texts of headers and of the records of the system in Portuguese, by the English text. */
export const headerTexts: Readonly<Record<string, string>> = {
  "The server is healthy": "O servidor está saudável",
  "Always `ok`; an unhealthy server returns an error status":
    "Sempre `ok`; um servidor com problemas retorna um status de erro",
  "Readiness only, absent if there is none: the alarms of this process. An alarm ends a day after its cause was last seen. UNTRUSTED_PROXY: a request was forwarded by a peer that is not a trusted proxy. LENDER_LEFT:CODE: the installation no longer has the lender with this code, and the jobs of this lender wait":
    "Só na prontidão, ausente se não há: os alarmes deste processo. Um alarme termina um dia depois da última ocorrência da causa. UNTRUSTED_PROXY: uma requisição foi encaminhada por um par que não é um proxy confiável. LENDER_LEFT:CODE: a instalação não tem mais a instituição com este código, e as tarefas dela esperam",
  "Public keys that verify access tokens (RFC 7517 §5)": "Chaves públicas que verificam tokens de acesso (RFC 7517 §5)",
  "Key type": "Tipo da chave",
  "Curve": "Curva",
  "X coordinate, base64url": "Coordenada X, base64url",
  "Y coordinate, base64url": "Coordenada Y, base64url",
  "Key id (`kid` in the header of a token)": "Id da chave (`kid` no cabeçalho de um token)",
  "Signature algorithm": "Algoritmo de assinatura",
  "Key use: signatures": "Uso da chave: assinaturas",
  "Public key that verifies access tokens": "Chave pública que verifica tokens de acesso",
  "All active keys": "Todas as chaves ativas",
  "OAuth 2 authorization server metadata (RFC 8414)": "Metadados do servidor de autorização OAuth 2 (RFC 8414)",
  "Issuer of the tokens (`iss`)": "Emissor dos tokens (`iss`)",
  "Token endpoint": "Endpoint de tokens",
  "Revocation endpoint": "Endpoint de revogação",
  "Public keys": "Chaves públicas",
  "All permissions": "Todas as permissões",
  "Empty: there is no authorization endpoint": "Vazio: não há endpoint de autorização",
  "Supported grants": "Tipos de concessão suportados",
  "Client authentication methods": "Métodos de autenticação do cliente",
  "Client authentication methods. None is needed for a token of a user":
    "Métodos de autenticação do cliente. Nenhum é necessário para um token de usuário",
  "Preferred language of messages of errors and rejections: `en` or `pt-BR`. Default: `en`.":
    "Idioma preferido das mensagens de erros e recusas: `en` ou `pt-BR`. Padrão: `en`.",
  "The `ETag` you last read. The response is 304 without a body while the record is unchanged.":
    "O último `ETag` que você leu. A resposta é 304 sem corpo enquanto o registro não muda.",
  "Request id. The response repeats it. Logs contain the id itself only if it is a UUID, a ULID or a trace id of 32 hexadecimal digits, otherwise a hash of it. If the id is missing or invalid, the server generates one.":
    "Id da requisição. A resposta o repete. Os logs só contêm o próprio id se ele for um UUID, um ULID ou um trace id de 32 dígitos hexadecimais; senão, um hash dele. Se o id está ausente ou inválido, o servidor gera um.",
  "The `event_id`. A repeated delivery has the same id: process each id once.":
    "O `event_id`. Uma entrega repetida tem o mesmo id: processe cada id uma vez.",
  "The time of the attempt, in seconds since 1970. Refuse a delivery older than five minutes.":
    "O instante da tentativa, em segundos desde 1970. Recuse uma entrega com mais de cinco minutos.",
  "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in Base64, for each live secret. Signatures are separated by a space.":
    "`v1,` e o HMAC-SHA256 de `id.timestamp.body` em Base64, para cada segredo válido. As assinaturas são separadas por um espaço.",
  "Methods of the path": "Métodos do caminho",
  "Caching rules (RFC 9111)": "Regras de cache (RFC 9111)",
  "Language of the messages: `en` or `pt-BR`": "Idioma das mensagens: `en` ou `pt-BR`",
  "Strong entity tag of the record, for `If-Match` and `If-None-Match` (RFC 9110 §8.8.3)":
    "ETag forte do registro, para `If-Match` e `If-None-Match` (RFC 9110 §8.8.3)",
  "`true` if the response is a replay, otherwise absent": "`true` se a resposta é uma repetição; senão, ausente",
  "Path of the new record": "Caminho do novo registro",
  "Remaining requests (`r`) and seconds until the limit resets (`t`); absent if limits are off":
    "Requisições restantes (`r`) e segundos até o limite se renovar (`t`); ausente se os limites estão desligados",
  "Limit: at most `q` requests in a window of `w` seconds; absent if limits are off":
    "Limite: no máximo `q` requisições em uma janela de `w` segundos; ausente se os limites estão desligados",
  "Seconds to wait before a retry": "Segundos de espera antes de repetir",
  "Request headers that the response depends on": "Cabeçalhos da requisição dos quais a resposta depende",
  "Authentication scheme (RFC 6750). The token operation sends it only in reply to HTTP Basic.":
    "Esquema de autenticação (RFC 6750). A operação de token só o envia em resposta a HTTP Basic.",
  "Request id: the id that the caller sent, if valid, otherwise a generated one":
    "Id da requisição: o id que quem chama enviou, se for válido; senão, um id gerado",
  "The access token of `POST /api/v1/oauth/token`, a signed JWT (RFC 9068). Permissions are checked on every request, so a token can lose permissions before it expires.":
    "O token de acesso de `POST /api/v1/oauth/token`, um JWT assinado (RFC 9068). As permissões são verificadas em cada requisição, então um token pode perder permissões antes de expirar.",
  "Requests an access token for an API client (with its secret) or for a user (with a password).":
    "Pede um token de acesso para um cliente da API (com o segredo) ou para um usuário (com a senha)."
}
