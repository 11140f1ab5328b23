/** Texts of the records of partners and tokens in Portuguese, by the English text. */
export const partnerFields: Readonly<Record<string, string>> = {
  "Identity and contact data": "Dados de identificação e contato",
  "PIX key. Merged field by field; null removes it.": "Chave Pix. Mesclada campo a campo; null a remove.",
  "District of the city": "Bairro",
  "District of the city; null if there is none": "Bairro; null se não há",
  "Complement": "Complemento",
  "Apartment, suite or similar; null if there is none": "Apartamento, sala ou similar; null se não há",
  "Postal address. Merged field by field; null removes it.": "Endereço. Mesclado campo a campo; null o remove.",
  "Check digit of the account; null if it has none": "Dígito verificador da conta; null se não há",
  "Bank account. Merged field by field; null removes it.": "Conta bancária. Mesclada campo a campo; null a remove.",
  "Request body that changes a partner. Only the fields present change.":
    "Corpo da requisição que altera um parceiro. Só os campos presentes mudam.",
  "The new partner, with the fields of `PartnerDetail`": "O novo parceiro, com os campos de `PartnerDetail`",
  "Request body that creates a partner": "Corpo da requisição que cria um parceiro",
  "An account at a Brazilian bank": "Uma conta em um banco brasileiro",
  "A postal address in Brazil": "Um endereço no Brasil",
  "Identity and contact data of a new partner": "Dados de identificação e contato de um novo parceiro",
  "Error envelope of partners, users and groups": "Envelope de erro de parceiros, usuários e grupos",
  "A partner in a list": "Um parceiro em uma lista",
  "Error code (RFC 6749 §5.2)": "Código de erro (RFC 6749 §5.2)",
  "Message for people, in English": "Mensagem para pessoas, em inglês",
  "URL of a page about the error": "URL de uma página sobre o erro",
  "Error of a token operation (RFC 6749 §5.2)": "Erro de uma operação de token (RFC 6749 §5.2)",
  "Signed JWT (RFC 9068) for `Authorization: Bearer`": "JWT assinado (RFC 9068) para `Authorization: Bearer`",
  "Always `Bearer`": "Sempre `Bearer`",
  "Seconds until the access token expires": "Segundos até o token de acesso expirar",
  "Continues the session. Valid for one use within 30 days. Absent for the grant type `client_credentials`.":
    "Continua a sessão. Vale para um uso, em até 30 dias. Ausente para o tipo `client_credentials`.",
  "Permissions of the token, separated by spaces": "Permissões do token, separadas por espaços",
  "Grant type": "Tipo de concessão (grant)",
  "Required for the grant type `client_credentials`, unless sent as HTTP Basic. Optional for other grants.":
    "Obrigatório para o tipo `client_credentials`, se não for enviado como HTTP Basic. Opcional para os outros tipos.",
  "Required for the grant type `client_credentials`, unless sent as HTTP Basic. Verified whenever it is sent.":
    "Obrigatório para o tipo `client_credentials`, se não for enviado como HTTP Basic. Verificado sempre que for enviado.",
  "The user's e-mail address. Required for the grant type `password`.":
    "O e-mail do usuário. Obrigatório para o tipo `password`.",
  "The user's password. Required for the grant type `password`.":
    "A senha do usuário. Obrigatória para o tipo `password`.",
  "The latest refresh token. Required for the grant type `refresh_token`.":
    "O refresh token mais recente. Obrigatório para o tipo `refresh_token`.",
  "Permissions separated by spaces. Default: all permissions of the caller's group.":
    "Permissões separadas por espaços. Padrão: todas as permissões do grupo de quem chama.",
  "Token request (RFC 6749 §4.3, §4.4, §6). Unknown parameters are ignored.":
    "Requisição de token (RFC 6749 §4.3, §4.4, §6). Parâmetros desconhecidos são ignorados.",
  "Error envelope of origination, proposals, system operations and unknown paths":
    "Envelope de erro de originação, propostas, operações do sistema e caminhos desconhecidos"
}
