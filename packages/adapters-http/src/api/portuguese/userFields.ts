/** Texts of the records of users, groups, partners and pages in Portuguese, by the English text. */
export const userFields: Readonly<Record<string, string>> = {
  "The refresh token or the access token": "O refresh token ou o token de acesso",
  "Accepted and ignored (RFC 7009 §2.1)": "Aceito e ignorado (RFC 7009 §2.1)",
  "Required for an access token of an API client, unless sent as HTTP Basic":
    "Obrigatório para um token de acesso de um cliente da API, se não for enviado como HTTP Basic",
  "Token to revoke": "Token a revogar",
  "Name, 2 to 120 characters": "Nome, de 2 a 120 caracteres",
  "E-mail address": "E-mail",
  "Phone number: area code and 8 or 9 digits": "Telefone: DDD e 8 ou 9 dígitos",
  "Status of the partner or user": "Status do parceiro ou do usuário",
  "When the record was created": "Quando o registro foi criado",
  "Fields that partners and users have in common": "Campos que parceiros e usuários têm em comum",
  "The group's id": "O id do grupo",
  "Message for people, in the language of `Accept-Language`": "Mensagem para pessoas, no idioma de `Accept-Language`",
  "The `X-Request-Id` of the response": "O `X-Request-Id` da resposta",
  "The problems of the request: at most 100, possibly none. `message` states how many more there are.":
    "Os problemas da requisição: no máximo 100, ou nenhum. `message` informa quantos mais existem.",
  "Error code, message and details": "Código do erro, mensagem e detalhes",
  "Path in the body (`address.uf`, `partners[1]`), or `query.NAME`, or `header.NAME`":
    "Caminho no corpo (`address.uf`, `partners[1]`), ou `query.NAME`, ou `header.NAME`",
  "Values that the message mentions: bounds, counts, allowed values":
    "Valores que a mensagem menciona: limites, quantidades, valores permitidos",
  "A problem with one field": "Um problema com um campo",
  "Code of a problem with a field. Codes are stable, so that programs can branch on them.":
    "Código de um problema com um campo. Os códigos são estáveis, para que programas decidam por eles.",
  "Stable error code, for clients to branch on": "Código de erro estável, para que programas decidam por ele",
  "The items of this page": "Os itens desta página",
  "The sort order that was applied": "A ordem aplicada",
  "The sorted field, as named in the request": "O campo ordenado, com o nome usado na requisição",
  "Ascending or descending": "Ascendente ou descendente",
  "A sort criterion that was applied": "Um critério de ordem aplicado",
  "Page number, from 0": "Número da página, a partir de 0",
  "Items on a full page": "Itens em uma página cheia",
  "Items on all pages": "Itens em todas as páginas",
  "Number of pages that are not empty": "Número de páginas que não são vazias",
  "The page number and size that were applied, and the totals of the list":
    "O número e o tamanho da página aplicados, e os totais da lista",
  "When the record last changed": "Quando o registro mudou pela última vez",
  "Increases with each change of the record": "Aumenta a cada mudança do registro",
  "Immutable: a patch may only repeat it": "Imutável: uma alteração só pode repeti-lo",
  "Status. An inactive user cannot sign in or use a token.":
    "Status. Um usuário inativo não pode entrar nem usar um token.",
  "The user's group, without its permissions": "O grupo do usuário, sem as permissões",
  "True until the user has replaced a temporary password": "True até o usuário trocar uma senha temporária",
  "The id of the user's partner": "O id do parceiro do usuário",
  "The user's partners: always one, the partner of `partner_id`":
    "Os parceiros do usuário: sempre um, o parceiro de `partner_id`",
  "A user with all its fields": "Um usuário com todos os campos",
  "A partner that a user belongs to": "Um parceiro ao qual um usuário pertence",
  "CPF. Immutable: a patch may only repeat it.": "CPF. Imutável: uma alteração só pode repeti-lo.",
  "The id or slug of the user's group. It must not have a permission that the caller lacks.":
    "O id ou o slug do grupo do usuário. Ele não pode ter uma permissão que quem chama não tem.",
  "The id of the user's partner, in the caller's subtree": "O id do parceiro do usuário, na subárvore de quem chama",
  "12 to 128 characters that are hard to guess: no common password, and not the user's name or e-mail address. A password set by another user is temporary.":
    "De 12 a 128 caracteres difíceis de adivinhar: nenhuma senha comum, nem o nome ou o e-mail do usuário. Uma senha definida por outro usuário é temporária.",
  "Required to change your own password or e-mail address":
    "Obrigatório para trocar a própria senha ou o próprio e-mail",
  "Request body that changes a user. Only the fields present change.":
    "Corpo da requisição que altera um usuário. Só os campos presentes mudam.",
  "The generated temporary password. It is returned only here.": "A senha temporária gerada. Ela só é retornada aqui.",
  "The new user: the fields of `UserDetail`, and the temporary password if one was generated":
    "O novo usuário: os campos de `UserDetail`, e a senha temporária, se foi gerada",
  "The id of the user's partner, in the caller's subtree. Default: the caller's own partner.":
    "O id do parceiro do usuário, na subárvore de quem chama. Padrão: o próprio parceiro de quem chama.",
  "12 to 128 characters that are hard to guess: no common password, and not the user's name or e-mail address. If absent, the response contains a generated temporary password.":
    "De 12 a 128 caracteres difíceis de adivinhar: nenhuma senha comum, nem o nome ou o e-mail do usuário. Se ausente, a resposta contém uma senha temporária gerada.",
  "Request body that creates a user": "Corpo da requisição que cria um usuário",
  "A user in a list": "Um usuário em uma lista",
  "Name for programs": "Nome para programas",
  "Name for people": "Nome para pessoas",
  "The permissions of its members; in the list of groups only": "As permissões dos membros; só na lista de grupos",
  "A group of users with the same permissions": "Um grupo de usuários com as mesmas permissões",
  "Status. While a partner is inactive, nobody in its subtree can sign in or use a token.":
    "Status. Enquanto um parceiro está inativo, ninguém na subárvore dele pode entrar nem usar um token.",
  "PIX key": "Chave Pix",
  "Postal address": "Endereço",
  "CPF (11 digits) of a natural person, CNPJ (14 characters) of a legal entity":
    "CPF (11 dígitos) de uma pessoa física, CNPJ (14 caracteres) de uma pessoa jurídica",
  "natural person, identified by CPF. `pj`: legal entity, identified by CNPJ.":
    "pessoa física, identificada pelo CPF. `pj`: pessoa jurídica, identificada pelo CNPJ.",
  "The parent partner's id; null for a root": "O id do parceiro pai; null para uma raiz",
  "Bank account": "Conta bancária",
  "A partner with all its fields. `metadata` is absent while it is empty.":
    "Um parceiro com todos os campos. `metadata` é ausente enquanto está vazio.",
  "The key, in the format of its type. CPF, CNPJ and phone accept the usual punctuation on input; a phone is stored in E.164 format, an e-mail address or EVP in lower case.":
    "A chave, no formato do tipo. CPF, CNPJ e telefone aceitam a pontuação usual na entrada; um telefone é gravado no formato E.164, e um e-mail ou EVP, em minúsculas.",
  "A PIX key and its type": "Uma chave Pix e o tipo dela",
  "natural person, identified by CPF. `pj`: legal entity, identified by CNPJ. Immutable: a patch may only repeat it.":
    "pessoa física, identificada pelo CPF. `pj`: pessoa jurídica, identificada pelo CNPJ. Imutável: uma alteração só pode repeti-lo.",
  "E-mail address, 3 to 254 characters": "E-mail, de 3 a 254 caracteres",
  "Phone number: area code and 8 or 9 digits. Punctuation and a leading +55 or 55 are accepted and removed.":
    "Telefone: DDD e 8 ou 9 dígitos. Pontuação e +55 ou 55 no início são aceitos e removidos.",
  "CPF of a natural person or CNPJ of a legal entity, check digits verified. Punctuation is accepted and removed. Immutable: a patch may only repeat it.":
    "CPF de uma pessoa física ou CNPJ de uma pessoa jurídica, com os dígitos verificadores conferidos. A pontuação é aceita e removida. Imutável: uma alteração só pode repeti-lo.",
  "The parent partner's id, in the caller's subtree. Default: the caller's own partner. In a patch, another id moves the partner with its subtree.":
    "O id do parceiro pai, na subárvore de quem chama. Padrão: o próprio parceiro de quem chama. Em uma alteração, outro id move o parceiro com a subárvore.",
  "While a partner is inactive, the users and API clients of its whole subtree cannot sign in or use a token. The status of your own partner is changed by a partner above it.":
    "Enquanto um parceiro está inativo, os usuários e os clientes da API de toda a subárvore dele não podem entrar nem usar um token. O status do seu próprio parceiro é alterado por um parceiro acima dele."
}
