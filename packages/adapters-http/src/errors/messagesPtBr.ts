import { type TextFormat } from "@lastro/domain/input"
import { type Messages } from "./messagesEn.ts"

/** The Portuguese names of the types that messages mention. */
const types: Readonly<Record<string, string>> = {
  boolean: "true ou false",
  integer: "um número inteiro",
  list: "uma lista",
  number: "um número",
  object: "um objeto",
  text: "um texto"
}

/** The Portuguese names of the formats. */
const formats: Readonly<Record<TextFormat, string>> = {
  "+ and 3 to 16 digits": "+ e 3 a 16 dígitos",
  "1 to 100 letters, digits and . : _ -": "1 a 100 letras, dígitos e . : _ -",
  "a duration above zero, such as `10 seconds`": "uma duração acima de zero, como `10 seconds`",
  "1 to 255 visible ASCII characters": "1 a 255 caracteres ASCII visíveis",
  "10 digits and letters": "10 dígitos e letras",
  "3 or 8 digits": "3 ou 8 dígitos",
  "8 digits": "8 dígitos",
  "CNPJ, 14 characters": "CNPJ, 14 caracteres",
  "CPF, 11 digits": "CPF, 11 dígitos",
  "IPv4 or IPv6 address": "endereço IPv4 ou IPv6",
  "SHA-256, 64 lower-case hexadecimal digits": "SHA-256, 64 dígitos hexadecimais minúsculos",
  "absolute URL such as https://example.com/path, without user, password and fragment":
    "URL absoluta, como https://example.com/caminho, sem usuário, senha e fragmento",
  "UTF-8": "UTF-8",
  "UUID": "UUID",
  "UUID or slug of a group": "UUID ou slug de um grupo",
  "Unicode text without NUL": "texto Unicode sem NUL",
  "YYYY-MM": "AAAA-MM",
  "YYYY-MM-DD": "AAAA-MM-DD",
  "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ": "AAAA-MM-DD ou AAAA-MM-DDThh:mm:ssZ",
  "YYYY-MM-DDThh:mm:ssZ": "AAAA-MM-DDThh:mm:ssZ",
  "`oldest`, `newest` or a sequence": "`oldest`, `newest` ou uma sequência",
  "a digit or X": "um dígito ou X",
  "amount such as 1234.56": "valor como 1234.56",
  "area code and 8 or 9 digits": "DDD e 8 ou 9 dígitos",
  "digits": "dígitos",
  "digits and letters": "dígitos e letras",
  "four cells, quoted by RFC 4180": "quatro células, com aspas conforme a RFC 4180",
  "name@domain": "nome@domínio",
  "name@domain in ASCII": "nome@domínio em ASCII",
  "percent-encoded UTF-8": "UTF-8 com codificação por porcentagem",
  "reference,paid_amount,commission_amount,paid_at": "reference,paid_amount,commission_amount,paid_at",
  "text in the format of the new type": "texto no formato do novo tipo",
  "text with a letter or digit": "texto com uma letra ou um dígito",
  "text without control characters and brackets": "texto sem caracteres de controle e colchetes",
  "visible ASCII characters, no CPF": "caracteres ASCII visíveis, sem CPF",
  "cursor of a page with the same filters and sort": "cursor de uma página com os mesmos filtros e a mesma ordem",
  "visible text": "texto visível"
}

/** The messages in Brazilian Portuguese. */
export const messagesPtBr: Messages = {
  errors: {
    MALFORMED_REQUEST: "A requisição não é um HTTP/1.1 válido.",
    MALFORMED_JSON: "O corpo da requisição não é um JSON válido em UTF-8.",
    UNAUTHENTICATED: "Token de acesso ausente ou inválido. Envie um token Bearer válido no cabeçalho Authorization.",
    CALLBACK_REFUSED: "A assinatura ou o segredo do callback está incorreto, ou o callback é antigo demais.",
    OUTSIDE_HIERARCHY: "Este registro está fora da sua hierarquia.",
    PERMISSION_DENIED: "Você não tem permissão para esta operação.",
    PASSWORD_CHANGE_REQUIRED: "Altere sua senha antes de continuar.",
    NOT_FOUND: "O registro ou caminho não existe.",
    METHOD_NOT_ALLOWED: "Este caminho não aceita este método. Consulte o cabeçalho Allow.",
    REQUEST_TIMEOUT: "A requisição não chegou a tempo. Envie-a novamente.",
    EMAIL_TAKEN: "Este e-mail já está em uso.",
    DOCUMENT_TAKEN: "Já existe um parceiro com este documento.",
    PARTNER_HAS_DEPENDENTS:
      "O parceiro ainda tem subparceiros, usuários, solicitações em andamento ou comissões a pagar. Consulte os detalhes.",
    NOTHING_TO_PAY: "As comissões fechadas deste parceiro não somam mais que 0. Antes, feche um período.",
    LAST_ADMINISTRATOR:
      "Este usuário é o último administrador ativo do seu parceiro. Antes, torne outro usuário administrador.",
    OWN_PARTNER: "Você não pode fazer esta mudança no próprio parceiro. Um parceiro acima dele ou o operador pode.",
    SELF_DELETE: "Você não pode excluir o próprio usuário nem o próprio parceiro.",
    NO_LENDER:
      "Nenhuma instituição recebe novas cotações deste parceiro agora. Mude o roteamento do parceiro, ou de um parceiro acima dele.",
    QUOTE_IN_PROGRESS: "Já existe uma cotação em andamento. Aguarde a conclusão.",
    APPLICATION_NOT_QUOTABLE:
      "O status atual da solicitação não permite uma nova cotação. Se a recusa tem `retry_at`, aguarde até esse horário.",
    APPLICATION_NOT_CANCELLABLE:
      "O status atual da solicitação não permite o cancelamento. Para encerrar um contrato pago, desista da proposta.",
    PROPOSAL_NOT_WITHDRAWABLE: "O status atual da proposta não permite a desistência.",
    SIGNATURE_NOT_PENDING: "O contrato não aguarda assinatura. Consulte o status atual da proposta.",
    OFFER_NOT_AVAILABLE: "A oferta não está mais disponível. Consulte os detalhes.",
    KYC_INCOMPLETE: "Faltam dados obrigatórios do KYC. Consulte os detalhes.",
    KYC_LOCKED: "Os dados do KYC não podem mais ser alterados.",
    EARLIER_SECRET_VALID:
      "Um segredo anterior deste cliente de API ainda é válido, e esta troca o encerraria. Troque quando ele tiver " +
      "terminado, ou envie `overlap_hours` 0 para encerrar todos os segredos antigos imediatamente.",
    TOO_MANY_WEBHOOKS: "Este parceiro tem 20 webhooks, o máximo. Exclua um antes.",
    IDEMPOTENCY_IN_FLIGHT:
      "Outra requisição com esta Idempotency-Key ainda está em andamento. Tente novamente quando ela terminar.",
    EVENTS_EXPIRED:
      "Eventos depois desta sequência foram excluídos. Leia sem `after` para continuar a partir do evento mais antigo.",
    PRECONDITION_FAILED:
      "O registro foi alterado desde a sua última leitura. Consulte-o novamente e envie If-Match com o novo ETag.",
    PAYLOAD_TOO_LARGE: "O corpo da requisição é grande demais ou tem níveis de aninhamento demais.",
    UNSUPPORTED_MEDIA_TYPE: "Envie o corpo como application/json em UTF-8, sem Content-Encoding.",
    EXPECTATION_FAILED: "O servidor não aceita este cabeçalho Expect. Envie a requisição sem ele.",
    VALIDATION_FAILED: "A requisição é inválida. Consulte os detalhes.",
    IDEMPOTENCY_KEY_REUSED: "Esta Idempotency-Key já foi usada em uma requisição diferente. Use uma nova chave.",
    RATE_LIMITED: "Muitas requisições. Tente novamente após o tempo indicado no cabeçalho Retry-After.",
    HEADERS_TOO_LARGE: "Os cabeçalhos da requisição são grandes demais.",
    INTERNAL_ERROR: "Ocorreu um erro interno. Se persistir, informe o id da requisição ao suporte.",
    SERVICE_UNAVAILABLE: "O serviço está temporariamente indisponível. Tente novamente mais tarde.",
    OUTCOME_UNKNOWN:
      "A alteração pode ou não ter sido feita. Consulte o registro ou repita a requisição com a mesma Idempotency-Key."
  },
  reasons: {
    LENDER_CANNOT_CANCEL:
      "A instituição já tem o contrato e não o cancela por esta API. Peça o cancelamento à instituição; o status " +
      "será atualizado.",
    LENDER_MAY_HAVE_CONTRACT:
      "A instituição pode ter o contrato: falta a resposta dela ao envio, e ela não cancela por esta API. O envio é " +
      "repetido até a resposta, sem prazo. Tente de novo mais tarde ou pergunte à instituição.",
    FIELDS_LOCKED: "Alguns dos campos do KYC enviados não podem mais ser alterados. Veja os detalhes.",
    SEND_CSV: "Envie o corpo como text/csv em UTF-8, sem Content-Encoding.",
    TOO_MANY_EXPORTS: "Há exportações demais em andamento. Tente de novo quando uma delas terminar.",
    NOT_PAID: "A situação do contrato não é PAID. Para encerrar um contrato antes do pagamento, cancele a solicitação.",
    TOO_LATE:
      "O cliente podia desistir até o sétimo dia após o pagamento. Pergunte à instituição como quitar o contrato " +
      "antecipadamente.",
    LENDER_CANNOT_REFUND:
      "A instituição não oferece devolução por esta API. Peça a devolução à instituição; o status será atualizado.",
    LENDER_HAS_NO_LINKS:
      "A instituição não oferece novos links de assinatura por esta API. Use o link atual ou peça um novo à " +
      "instituição."
  },
  fields: {
    REQUIRED: () => "Este campo é obrigatório.",
    NOT_NULLABLE: () => "Este campo não pode ser nulo.",
    INVALID_TYPE: ({ expected }) =>
      expected === undefined ? "O tipo do valor é inválido." : `O valor deve ser ${types[expected] ?? expected}.`,
    INVALID_FORMAT: ({ decimals, expected }) => {
      if (expected !== undefined) return `O formato esperado é: ${formats[expected as TextFormat] ?? expected}.`
      return decimals === undefined
        ? "O formato do valor é inválido."
        : `O valor pode ter no máximo ${decimals} casas decimais.`
    },
    INVALID_CHECK_DIGIT: () => "Os dígitos verificadores estão incorretos.",
    TOO_SHORT: ({ min, min_items }) => {
      if (min_items !== undefined) return "A lista deve ter pelo menos um item."
      if (min === undefined) return "O valor é curto demais."
      return min === 1 ? "O valor não pode ficar vazio." : `O valor deve ter no mínimo ${min} caracteres.`
    },
    TOO_LONG: ({ max, max_items, max_keys }) => {
      if (max_items !== undefined) return `A lista pode ter no máximo ${max_items} itens.`
      if (max_keys !== undefined) return `O valor pode ter no máximo ${max_keys} chaves.`
      if (max === undefined) return "O valor é longo demais."
      return `O valor pode ter no máximo ${max} caracteres.`
    },
    OUT_OF_RANGE: ({ below, max, min, min_age, not, not_before }) => {
      if (min_age !== undefined) return `O cliente deve ter pelo menos ${min_age} anos.`
      if (min === undefined) {
        if (not !== undefined) return `O valor não pode ser ${not}.`
        if (not_before !== undefined) return `O valor não pode ser anterior a ${not_before}.`
        if (below !== undefined) return `O valor deve ser menor que ${below}.`
        return max === undefined ? "O valor está fora do intervalo permitido." : `O valor deve ser no máximo ${max}.`
      }
      return max === undefined
        ? `O valor deve ser no mínimo ${min}.`
        : `O valor deve estar entre ${min} e ${max}.`
    },
    GUESSABLE: ({ reason }) => {
      if (reason === "COMMON") {
        return "Esta senha é muito comum: é usada com frequência, é uma sequência ou é uma palavra com números. Escolha " +
          "várias palavras sem relação entre si."
      }
      return reason === "REPEATED"
        ? "A senha não pode ser um caractere ou texto repetido. Escolha várias palavras sem relação entre si."
        : "A senha não pode ser formada pelo nome ou e-mail do usuário, nem conter o CPF. Isso vale também para " +
          "texto invertido ou com números no lugar de letras."
    },
    UNKNOWN_VALUE: ({ allowed }) =>
      allowed === undefined ? "O valor não é reconhecido." : `O valor deve ser um destes: ${allowed}.`,
    UNKNOWN_FIELD: () => "Este campo não existe.",
    DUPLICATE: () => "Este item está repetido. Envie-o uma só vez.",
    IMMUTABLE: () => "Este campo não pode ser alterado.",
    CYCLE: () => "Um parceiro não pode ser movido para dentro da própria hierarquia.",
    OUTSIDE_HIERARCHY: () => "Este registro está fora da sua hierarquia.",
    NOT_FOUND: () => "Este registro não existe.",
    MISMATCH: ({ sign_of }) =>
      sign_of === undefined
        ? "O valor não confere com o cadastrado."
        : `O valor deve ter o mesmo sinal de ${sign_of}.`,
    EXPIRED: () => "A oferta expirou. Solicite uma nova cotação.",
    SUPERSEDED: ({ reason }) =>
      reason === "UNCHANGED"
        ? "A nova senha deve ser diferente da atual."
        : "Uma cotação mais nova substituiu esta oferta. Aceite uma oferta da última cotação.",
    DECLINED: () => "Outra oferta foi aceita, ou a solicitação foi cancelada.",
    EXISTING_CONTRACT: () =>
      "Outro contrato deste cliente compromete o próximo saque anual, ou um dos saques desta oferta.",
    POLICY_CHANGED: () =>
      "As regras em vigor hoje não permitem esta oferta. Solicite uma nova cotação. Se as ofertas dela também forem " +
      "recusadas, consulte um parceiro acima do seu.",
    LENDER_STOPPED: () =>
      "A instituição desta oferta não aceita contratos agora. Escolha outra oferta ou solicite uma nova cotação.",
    NOT_ALLOWED: () => "Esta instituição não é permitida aqui. Envie um código do roteamento efetivo.",
    HTTPS_REQUIRED: () => "O endereço deve começar com https://.",
    ADDRESS_FORBIDDEN: () => "Não é possível enviar eventos a este endereço. Escolha um endereço público.",
    HAS_CHILDREN: ({ count }) =>
      count === 1 ? "Este parceiro ainda tem 1 subparceiro." : `Este parceiro ainda tem ${count} subparceiros.`,
    HAS_USERS: ({ count }) =>
      count === 1 ? "Este parceiro ainda tem 1 usuário." : `Este parceiro ainda tem ${count} usuários.`,
    HAS_APPLICATIONS: ({ count }) =>
      count === 1
        ? "Este parceiro ainda tem 1 solicitação em andamento."
        : `Este parceiro ainda tem ${count} solicitações em andamento.`,
    HAS_COMMISSIONS: () => "Este parceiro tem comissões a pagar, ou participa de um contrato em andamento."
  },
  countUnlisted: (count) =>
    count === 1 ? "Mais 1 problema não está listado." : `Mais ${count} problemas não estão listados.`
}
