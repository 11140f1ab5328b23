import { type Messages } from "./Messages.ts"

/** The types that problems name, in words. */
const types: Readonly<Record<string, string>> = { integer: "um número inteiro" }

/** The messages in Brazilian Portuguese. */
export const messagesPtBr: Messages = {
  errors: {
    MALFORMED_REQUEST: "A requisição não é um HTTP/1.1 bem formado.",
    MALFORMED_JSON: "O corpo não é um JSON bem formado em UTF-8.",
    UNAUTHENTICATED: "É necessário um token de acesso válido.",
    OUTSIDE_HIERARCHY: "O registro está fora da sua hierarquia.",
    PERMISSION_DENIED: "O seu grupo não permite esta operação.",
    PASSWORD_CHANGE_REQUIRED: "Escolha primeiro uma senha própria.",
    NOT_FOUND: "Este registro ou caminho não existe.",
    METHOD_NOT_ALLOWED: "Este caminho não tem este método.",
    REQUEST_TIMEOUT: "A requisição não chegou a tempo.",
    EMAIL_TAKEN: "Este e-mail já está em uso.",
    DOCUMENT_TAKEN: "Já existe um parceiro com este documento.",
    PARTNER_HAS_DEPENDENTS: "O parceiro ainda tem filhos, usuários ou solicitações em andamento.",
    SELF_DELETE: "Ninguém pode excluir a si mesmo nem o próprio parceiro.",
    QUOTE_IN_PROGRESS: "Há uma simulação em andamento.",
    APPLICATION_NOT_QUOTABLE: "A solicitação não pode ser simulada no estado atual.",
    OFFER_NOT_AVAILABLE: "A oferta não está mais disponível.",
    KYC_INCOMPLETE: "Faltam dados do cliente.",
    KYC_LOCKED: "Os dados do cliente não podem mais ser alterados.",
    IDEMPOTENCY_IN_FLIGHT: "A primeira requisição com esta Idempotency-Key ainda está em execução.",
    PRECONDITION_FAILED: "O registro mudou desde a sua leitura.",
    PAYLOAD_TOO_LARGE: "O corpo é grande demais ou tem níveis demais.",
    UNSUPPORTED_MEDIA_TYPE: "O corpo precisa ser application/json em UTF-8, sem codificação de conteúdo.",
    EXPECTATION_FAILED: "Esta expectativa não pode ser atendida.",
    VALIDATION_FAILED: "A requisição viola pelo menos uma regra; veja os detalhes.",
    IDEMPOTENCY_KEY_REUSED: "Esta Idempotency-Key já foi usada em outra requisição.",
    RATE_LIMITED: "Requisições demais; tente novamente mais tarde.",
    HEADERS_TOO_LARGE: "Os cabeçalhos são grandes demais.",
    INTERNAL_ERROR: "Ocorreu um erro do nosso lado.",
    SERVICE_UNAVAILABLE: "O serviço está indisponível no momento; tente novamente mais tarde."
  },
  fields: {
    REQUIRED: () => "Este campo é obrigatório.",
    NOT_NULLABLE: () => "Este campo não pode ser nulo.",
    INVALID_TYPE: ({ expected }) =>
      expected === undefined ? "O valor é do tipo errado." : `O valor precisa ser ${types[expected] ?? expected}.`,
    INVALID_FORMAT: ({ decimals }) =>
      decimals === undefined
        ? "O valor não está no formato esperado."
        : `O valor pode ter no máximo ${decimals} casas decimais.`,
    INVALID_CHECK_DIGIT: () => "Os dígitos verificadores não conferem.",
    TOO_SHORT: ({ min }) =>
      min === undefined ? "O valor é curto demais." : `O valor precisa de pelo menos ${min} caracteres.`,
    TOO_LONG: ({ max }) =>
      max === undefined ? "O valor é longo demais." : `O valor pode ter no máximo ${max} caracteres.`,
    OUT_OF_RANGE: ({ max, min }) =>
      min === undefined
        ? max === undefined ? "O valor está fora do intervalo permitido." : `O valor pode ser no máximo ${max}.`
        : max === undefined
        ? `O valor precisa ser no mínimo ${min}.`
        : `O valor precisa ser de ${min} a ${max}.`,
    UNKNOWN_VALUE: ({ allowed }) =>
      allowed === undefined ? "O valor não é conhecido." : `O valor precisa ser um destes: ${allowed}.`,
    UNKNOWN_FIELD: () => "Este campo não existe.",
    IMMUTABLE: () => "Este campo não pode ser alterado.",
    CYCLE: () => "Um parceiro não pode ficar abaixo de si mesmo.",
    OUTSIDE_HIERARCHY: () => "O registro está fora da sua hierarquia.",
    NOT_FOUND: () => "Este registro não existe.",
    MISMATCH: () => "O valor não confere.",
    EXPIRED: () => "O prazo expirou.",
    SUPERSEDED: () => "É preciso usar uma mais nova.",
    DECLINED: () => "Outra foi aceita.",
    HAS_CHILDREN: ({ count }) => `Parceiros abaixo dele: ${count}.`,
    HAS_USERS: ({ count }) => `Usuários dele: ${count}.`,
    HAS_APPLICATIONS: ({ count }) => `Solicitações em andamento: ${count}.`
  }
}
