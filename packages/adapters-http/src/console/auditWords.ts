import { type Language } from "../errors/Language.ts"

/** The texts of audited actions in English and Portuguese. Each follows the name of the actor. */
const actions: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  "application.accept": ["accepted an offer", "aceitou uma oferta"],
  "application.cancel": ["cancelled the application", "cancelou a solicitação"],
  "application.cancel_job": ["ended a job of the application", "encerrou um trabalho da solicitação"],
  "application.contract": ["changed the contract", "mudou o contrato"],
  "application.create": ["opened the application", "abriu a solicitação"],
  "application.expiry": ["let the contract expire", "deixou o contrato vencer"],
  "application.kyc": ["changed the customer's data", "mudou os dados do cliente"],
  "application.kyc_read": ["read the customer's data", "leu os dados do cliente"],
  "application.quote": ["answered with offers or a refusal", "respondeu com ofertas ou uma recusa"],
  "application.read_personal_data": ["read personal data", "leu dados pessoais"],
  "application.requote": ["asked for new offers", "pediu novas ofertas"],
  "application.retry_job": ["started a job again", "reiniciou um trabalho"],
  "application.submission": ["received the contract", "recebeu o contrato"],
  "application.update": ["changed the application", "mudou a solicitação"],
  "client.create": ["created an API client", "criou um cliente de API"],
  "client.revoke": ["revoked an API client", "revogou um cliente de API"],
  "client.rotate": ["replaced the secret of an API client", "trocou o segredo de um cliente de API"],
  "commission.adjust": ["adjusted the commissions of a partner", "ajustou as comissões de um parceiro"],
  "commission.close": ["closed the commissions of a month", "fechou as comissões de um mês"],
  "commission.payout": ["recorded a payout of commissions", "registrou um pagamento de comissões"],
  "commission_contract.accepted": ["recorded a contract", "registrou um contrato"],
  "commission_contract.ended": ["ended a contract without a payment", "encerrou um contrato sem pagamento"],
  "commission_contract.paid": ["recorded the payment of a contract", "registrou o pagamento de um contrato"],
  "commission_contract.reversed": ["reversed the commission of a contract", "estornou a comissão de um contrato"],
  "commission_statement.compare": [
    "compared a statement of the lender with the contracts",
    "comparou um extrato da instituição com os contratos"
  ],
  "commission_plan.create": ["wrote a commission plan", "escreveu um plano de comissões"],
  "partner.activate": ["activated the partner", "ativou o parceiro"],
  "partner.create": ["created the partner", "criou o parceiro"],
  "partner.deactivate": ["deactivated the partner", "desativou o parceiro"],
  "partner.delete": ["deleted the partner", "excluiu o parceiro"],
  "partner.update": ["changed the partner", "mudou o parceiro"],
  "privacy.anonymise": ["anonymised personal data", "anonimizou dados pessoais"],
  "privacy.erase": ["erased personal data", "apagou dados pessoais"],
  "privacy.export": ["exported personal data", "exportou dados pessoais"],
  "proposal.signature_link": ["asked for a new signature link", "pediu um novo link de assinatura"],
  "proposal.withdrawal": ["requested the withdrawal from the contract", "pediu a desistência do contrato"],
  "session.reuse": ["used an old refresh token: the session was ended", "usou um token antigo: a sessão foi encerrada"],
  "session.revoke": ["signed out", "saiu"],
  "session.start": ["signed in", "entrou"],
  "user.create": ["created the user", "criou o usuário"],
  "user.delete": ["deleted the user", "excluiu o usuário"],
  "user.password": ["changed a password", "trocou uma senha"],
  "user.recover": ["gave the user a new temporary password", "deu ao usuário uma nova senha temporária"],
  "routing.delete": ["removed the routing of a partner", "removeu o roteamento de um parceiro"],
  "routing.update": ["changed the routing of a partner", "mudou o roteamento de um parceiro"],
  "user.update": ["changed the user", "mudou o usuário"],
  "webhook.create": ["created a webhook", "criou um webhook"],
  "webhook.delete": ["deleted a webhook", "excluiu um webhook"],
  "webhook.disable": ["disabled a webhook", "desativou um webhook"],
  "webhook.pause": ["paused a webhook", "pausou um webhook"],
  "webhook.redeliver": ["asked to deliver an event again", "pediu para entregar um evento de novo"],
  "webhook.replay": ["asked to deliver events again", "pediu para entregar eventos de novo"],
  "webhook.rotate_secret": ["replaced the secret of a webhook", "trocou o segredo de um webhook"],
  "webhook.test": ["tested a webhook", "testou um webhook"],
  "webhook.update": ["changed a webhook", "mudou um webhook"]
}

/** Actors that are neither a user nor an API client. */
const actors: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  lastro: ["Lastro", "Lastro"],
  lender: ["The lender", "A instituição"],
  operator: ["The operator", "O operador do sistema"]
}

const textOf = (texts: readonly [en: string, pt: string], language: Language): string =>
  language === "en" ? texts[0] : texts[1]

/** Returns the text of an action, or its name if it has no text. */
export const actionText = (action: string, language: Language): string => {
  const texts = actions[action]
  return texts === undefined ? action : textOf(texts, language)
}

/** Returns the name of an actor that is neither a user nor an API client. Otherwise undefined. */
export const systemActor = (actor: string, language: Language): string | undefined => {
  const texts = actors[actor]
  return texts === undefined ? undefined : textOf(texts, language)
}
