import { type NameIn } from "../Api.ts"

/** The texts of an operation in Portuguese. */
export interface OperationText {
  readonly summary: string
  readonly description: string
}

/** The operations of tokens, partners, users, API clients, groups, the audit and the system in Portuguese. */
export const peopleTexts: Readonly<
  Record<NameIn<"token" | "partners" | "users" | "clients" | "groups" | "audit" | "system">, OperationText>
> = {
  issueToken: {
    summary: "Emitir um token de acesso",
    description: "Emite um token de acesso. Envie os campos de um tipo de concessão (grant):\n\n" +
      "- `client_credentials`: `client_id` e `client_secret` de um cliente da API, no corpo ou como HTTP Basic.\n" +
      "- `password`: `username` (e-mail) e `password` de um usuário.\n" +
      "- `refresh_token`: `refresh_token` da última resposta.\n\n" +
      "Credenciais de cliente enviadas com `password` ou `refresh_token` também são verificadas. Um refresh token vale " +
      "para um uso, em até 30 dias. Cada resposta contém o próximo. Usar um refresh token já usado encerra a sessão, exceto " +
      "se o mesmo cliente repetir a requisição em até 10 s: ele recebe o mesmo refresh token de novo.\n\n" +
      "`scope` pode restringir as permissões do grupo de quem chama, mas não ampliá-las. Parâmetros desconhecidos são " +
      "ignorados (RFC 6749 §3.2). Depois de cinco tentativas malsucedidas em 15 minutos com o mesmo usuário e endereço, a " +
      "resposta é 429 até que passem os 15 minutos. Se houver verificações de senha demais na fila, a resposta é 503."
  },
  revokeToken: {
    summary: "Revogar um token",
    description:
      "Revoga um refresh token ou um token de acesso e, com ele, todos os tokens da sessão (RFC 7009). Todos os servidores " +
      "recusam esses tokens a partir da próxima requisição. A resposta é a mesma para um token desconhecido, expirado ou " +
      "revogado. Um token de acesso de um cliente da API só é revogado com as credenciais desse cliente, no corpo ou como " +
      "HTTP Basic."
  },
  listPartners: {
    summary: "Listar parceiros",
    description:
      "Retorna uma página dos parceiros na subárvore de quem chama, incluindo o próprio. Os filtros se combinam com E. " +
      "Exige `partners:read`."
  },
  createPartner: {
    summary: "Criar um parceiro",
    description:
      "Cria um parceiro abaixo do parceiro de quem chama, ou abaixo de `parent_uuid` na subárvore dele. O documento é " +
      "único sob uma mesma raiz. Exige `partners:write`."
  },
  getPartner: {
    summary: "Consultar um parceiro",
    description: "Retorna um parceiro na subárvore de quem chama. Exige `partners:read`."
  },
  updatePartner: {
    summary: "Alterar um parceiro",
    description:
      "Altera os campos que o corpo contém (JSON Merge Patch, RFC 7396, dentro de `partner`, `pix`, `address`, " +
      "`bank_account` e `metadata`). `null` limpa um grupo, um campo anulável ou uma chave de `metadata`. Um grupo mesclado é " +
      "validado por inteiro. `type` e `document_number` são imutáveis: você pode enviar o valor gravado, mas qualquer outro " +
      "é recusado. Um novo `parent_uuid` move o parceiro com a subárvore; você não pode mover o próprio parceiro. `status` " +
      "ativa ou desativa um parceiro abaixo do seu. A alteração é atômica. Uma alteração sem efeito retorna 200 com o mesmo " +
      "`ETag`. Exige `partners:write`."
  },
  deletePartner: {
    summary: "Excluir um parceiro",
    description:
      "Exclui um parceiro sem filhos, sem usuários e sem solicitações em andamento. O registro é mantido para auditoria, mas " +
      "não é mais retornado. O documento pode ser reutilizado. Exige `partners:write`."
  },
  getRouting: {
    summary: "Consultar o roteamento de um parceiro",
    description:
      "Retorna o roteamento de um parceiro na subárvore de quem chama: as instituições que as cotações dele consultam, em ordem " +
      "de preferência. Um parceiro sem roteamento tem o do ancestral mais próximo. Sem nenhum roteamento, as cotações consultam " +
      "todas as instituições ao mesmo tempo. Exige `partners:read`."
  },
  putRouting: {
    summary: "Definir o roteamento de um parceiro",
    description:
      "Substitui o roteamento de um parceiro abaixo do de quem chama, ou da raiz de quem chama. Um roteamento só restringe o do " +
      "parceiro acima: uma instituição que um ancestral retira sai também abaixo dele na hora. O roteamento vale quando uma " +
      "instituição é consultada: ofertas anteriores ainda podem ser aceitas, e os contratos continuam. Exige `partners:write`."
  },
  deleteRouting: {
    summary: "Remover o roteamento de um parceiro",
    description:
      "Remove o roteamento de um parceiro abaixo do de quem chama, ou da raiz de quem chama. O parceiro passa a ter o roteamento do " +
      "ancestral mais próximo. Exige `partners:write`."
  },
  listUsers: {
    summary: "Listar usuários",
    description:
      "Retorna uma página dos usuários na subárvore de quem chama. Os filtros se combinam com E. `full_name` ordena por " +
      "`name`. Exige `users:read`."
  },
  createUser: {
    summary: "Criar um usuário",
    description:
      "Cria um usuário do parceiro de quem chama, ou de `partner_id` na subárvore dele. Sem `password`, a resposta contém uma " +
      "senha temporária, que não é retornada de novo. O usuário precisa trocar essa senha antes de qualquer outra ação. Você " +
      "não pode atribuir um grupo com permissões que não tem. Exige `users:write`."
  },
  getOwnUser: {
    summary: "Consultar quem chama",
    description:
      "Retorna o usuário ou o cliente da API do token de acesso. O registro de um cliente da API também tem as permissões do " +
      "token."
  },
  listClients: {
    summary: "Listar clientes da API",
    description:
      "Retorna uma página dos clientes da API na subárvore de quem chama, inclusive os revogados. Os filtros se combinam com " +
      "E. Exige `clients:write`."
  },
  createClient: {
    summary: "Criar um cliente da API",
    description:
      "Cria um cliente da API do parceiro de quem chama, ou de `partner_id` na subárvore dele. A resposta contém o segredo, que " +
      "não é retornado de novo. Você não pode atribuir um grupo com permissões que não tem. Exige `clients:write`."
  },
  getClient: {
    summary: "Consultar um cliente da API",
    description: "Retorna um cliente da API na subárvore de quem chama. Exige `clients:write`."
  },
  revokeClient: {
    summary: "Revogar um cliente da API",
    description:
      "Revoga um cliente da API para sempre. Os segredos e os tokens dele são recusados imediatamente. O registro permanece, com " +
      "o status `REVOKED`; revogar de novo responde 404. Um cliente não pode revogar a si mesmo. Você não pode revogar um " +
      "cliente com permissões que não tem. Exige `clients:write`."
  },
  rotateClientSecret: {
    summary: "Trocar o segredo de um cliente da API",
    description:
      "Troca o segredo e retorna o novo. Ele não é retornado de novo, nem em uma repetição. O segredo antigo e os tokens dele " +
      "continuam válidos por `overlap_hours`. Só dois segredos são válidos ao mesmo tempo: outra troca nesse período responde " +
      "409, a menos que `overlap_hours` seja 0. Você não pode trocar o segredo de um cliente com permissões que não tem. Exige " +
      "`clients:write`."
  },
  getUser: {
    summary: "Consultar um usuário",
    description: "Retorna um usuário na subárvore de quem chama. Exige `users:read`, exceto para o próprio registro."
  },
  updateUser: {
    summary: "Alterar um usuário",
    description:
      "Altera os campos que o corpo contém. `metadata` é mesclado chave a chave, e `null` remove uma chave. `cpf` é " +
      "imutável: você pode enviar o valor gravado, mas qualquer outro é recusado. Um usuário pode trocar a própria " +
      "`password` ou o próprio `email` se também enviar `current_password`. Só quem está acima de outro usuário pode definir a " +
      "senha dele, trocar o `email`, o `group_id` ou o `partner_id` dele, ou reativá-lo. Está acima quem tem um grupo com mais " +
      "permissões ou, entre dois administradores, quem tem o parceiro mais alto. Essa senha é temporária. Ninguém pode tirar o " +
      "papel do último administrador ativo do próprio parceiro. Uma nova senha encerra as sessões do usuário. Você não pode " +
      "alterar um usuário com permissões que não tem. A alteração é atômica. Exige `users:write`, exceto para a própria senha."
  },
  deleteUser: {
    summary: "Excluir um usuário",
    description:
      "Exclui um usuário na subárvore de quem chama. Você não pode excluir a si mesmo. Os tokens do usuário são revogados na " +
      "hora. O e-mail pode ser reutilizado. Exige `users:write`."
  },
  listGroups: {
    summary: "Listar grupos",
    description:
      "Retorna todos os grupos com as permissões. Os ids dos grupos são constantes. Qualquer um que chama pode listá-los."
  },
  listAudit: {
    summary: "Listar registros de auditoria",
    description:
      "Retorna uma página dos registros de auditoria sobre os dados dos parceiros na subárvore de quem chama, incluindo " +
      "parceiros excluídos. Os filtros se combinam com E. Dados pessoais em `before` e `after` são mascarados. Os registros " +
      "sobre uma pessoa cujos dados foram eliminados só têm ids, status e códigos. Exige `audit:read`."
  },
  getHealthLive: {
    summary: "O processo responde",
    description: "Retorna 200 enquanto o processo responde. Não verifica dependências."
  },
  getHealthReady: {
    summary: "O servidor está pronto",
    description:
      "Retorna 200 enquanto o banco de dados e o executor de tarefas respondem; senão, 503. Não encaminhe requisições a um " +
      "servidor que não está pronto."
  },
  getJwks: {
    summary: "Chaves públicas",
    description:
      "Retorna as chaves que verificam tokens de acesso. Uma chave nova é publicada antes de assinar. Uma chave antiga é " +
      "removida depois que o último token dela expira."
  },
  getAuthorizationServerMetadata: {
    summary: "Metadados do OAuth 2",
    description: "Retorna os metadados do servidor de autorização OAuth 2 (RFC 8414)."
  }
}
