import { messagesEn } from "../../errors/messagesEn.ts"
import { messagesPtBr } from "../../errors/messagesPtBr.ts"
import { type Api } from "../Api.ts"
import { isJsonObject, type JsonObject } from "../openapi/JsonObject.ts"
import { openApi, type OpenApiDocument } from "../openapi/openApi.ts"
import { applicationFields } from "./applicationFields.ts"
import { commissionFields } from "./commissionFields.ts"
import { commissionTexts } from "./commissionTexts.ts"
import { errorTexts } from "./errorTexts.ts"
import { eventFields } from "./eventFields.ts"
import { eventTexts } from "./eventTexts.ts"
import { headerTexts } from "./headerTexts.ts"
import { kycFields } from "./kycFields.ts"
import { loanTexts } from "./loanTexts.ts"
import { overviewPtBr } from "./overviewPtBr.ts"
import { parameterTexts } from "./parameterTexts.ts"
import { partnerFields } from "./partnerFields.ts"
import { type OperationText, peopleTexts } from "./peopleTexts.ts"
import { proposalFields } from "./proposalFields.ts"
import { userFields } from "./userFields.ts"

const operationTexts: Readonly<Record<string, OperationText>> = {
  ...peopleTexts,
  ...loanTexts,
  ...commissionTexts,
  ...eventTexts
}

const tagTexts: Readonly<Record<keyof (typeof Api)["groups"], string>> = {
  token: "Tokens OAuth 2 (RFC 6749, RFC 7009). Os erros seguem a RFC 6749 §5.2.",
  partners: "Os parceiros formam uma hierarquia. Quem chama tem acesso à subárvore do próprio parceiro.",
  users: "Um usuário pertence a um parceiro e a um grupo. O grupo define as permissões.",
  clients: "Um cliente da API é um programa que chama a API em nome de um parceiro. O grupo dele define as permissões.",
  groups: "Grupos são conjuntos fixos de permissões.",
  lenders: "As instituições da instalação, cada uma com um código.",
  fgts:
    "Originação com FGTS. Uma solicitação pede um empréstimo com garantia do saque-aniversário do FGTS de um cliente. Uma " +
    "cotação contém ofertas. Aceitar uma oferta cria uma proposta.",
  proposals: "Propostas são contratos criados ao aceitar ofertas, acompanhados até o pagamento ao cliente.",
  commissions:
    "A instituição paga uma comissão à raiz. Cada parceiro repassa uma parte ao parceiro abaixo dele. As partes são fixadas quando " +
    "uma oferta é aceita.",
  audit:
    "A auditoria tem um registro de cada mudança, de cada acesso, de cada leitura de um cadastro (KYC) e de cada exportação ou " +
    "eliminação de dados pessoais.",
  events:
    "Cada mudança de um parceiro, usuário, cliente da API, solicitação ou proposta acrescenta um evento. Os eventos não contêm " +
    "dados pessoais.",
  webhooks:
    "Um webhook entrega os eventos de um parceiro e dos parceiros abaixo dele a um endpoint, pelo menos uma vez, assinados " +
    "conforme o Standard Webhooks 1.0. O corpo é um `Event`.",
  callbacks: "Callbacks da instituição. Sem token: a instituição assina os callbacks.",
  system: "Saúde e descoberta. Sem token."
}

const otherTexts: Readonly<Record<string, string>> = {
  "This server": "Este servidor",
  "API client": "Cliente da API",
  User: "Usuário",
  "Continued session": "Sessão continuada",
  "Session of a user": "Sessão de um usuário",
  "Token of an API client": "Token de um cliente da API",
  "Partner hierarchies and FGTS loan origination": "Hierarquias de parceiros e antecipação do saque-aniversário do FGTS"
}

const texts: Readonly<Record<string, string>> = {
  ...applicationFields,
  ...commissionFields,
  ...errorTexts,
  ...eventFields,
  ...headerTexts,
  ...kycFields,
  ...otherTexts,
  ...parameterTexts,
  ...partnerFields,
  ...proposalFields,
  ...userFields
}

/** The error messages in examples, by the English message. */
const messages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(messagesEn.errors).map(([code, message]) => [message, Reflect.get(messagesPtBr.errors, code)])
)

/** Matches a line that starts with a code. Captures the code, and the text after it. */
const codeFirst = /^((?:- )?`[A-Za-z_]+`: )(.*)$/

const deliveryOf = /^Delivers an event of the type (.+)$/

const translateLine = (line: string): string => {
  const [, code = "", text = line] = codeFirst.exec(line) ?? []
  const [, type] = deliveryOf.exec(text) ?? []
  return `${code}${type === undefined ? texts[text] ?? text : `Entrega um evento do tipo ${type}`}`
}

const translateText = (text: string): string => text.split("\n").map(translateLine).join("\n")

/** Returns whether a key contains a text for people. Not for use inside examples. */
const isText = (key: string): boolean => key === "description" || key === "summary"

/** The place of a value in the document. The keys of an object of `names` are field names, and not keywords. */
type Place = "any" | "names" | "example"

const placeIn = (place: Place, key: string): Place => {
  if (place === "example" || place === "any" && (key === "example" || key === "value")) return "example"
  return key === "properties" ? "names" : "any"
}

const translate = (value: unknown, place: Place): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => translate(item, place))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (place === "example" && key === "message" && typeof inner === "string") return [key, messages[inner] ?? inner]
      if (place === "any" && isText(key) && typeof inner === "string") return [key, translateText(inner)]
      return [key, translate(inner, placeIn(place, key))]
    })
  )
}

const translateOperation = (operation: JsonObject): JsonObject => ({
  ...operation,
  ...operationTexts[String(operation["operationId"])]
})

const translatePath = (item: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      isJsonObject(operation) ? translateOperation(operation) : operation
    ])
  )

/** Generates the OpenAPI document in Portuguese. A text without a translation stays in English. */
export const openApiPtBr = (basePath = ""): OpenApiDocument => {
  const document = openApi(basePath)
  const translated = translate(document, "any") as OpenApiDocument
  const { info, paths, tags } = translated
  return {
    ...translated,
    // The viewer shows its own texts in this language.
    info: { ...Object(info), description: overviewPtBr, "x-locale": "pt" },
    tags: Array.isArray(tags)
      ? tags.map((tag: JsonObject) => ({ ...tag, description: Reflect.get(tagTexts, String(tag["name"])) }))
      : tags,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, translatePath(item)]))
  }
}
