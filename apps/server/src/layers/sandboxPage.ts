import { type OpenDocument, staticPage } from "@lastro/adapters-http"
import { defaultScenario, sandboxScenarios } from "@lastro/domain/adapters"
import { Effect } from "effect"

/** The path of the page that the signature links of the sandbox open. */
const path = "/sandbox/signature"

/**
 * Returns the URL of the page for a server with this issuer. Undefined if a signature link must not lead there: it
 * requires `https`, or `http` on this machine (FGTS-70).
 */
export const signaturePageUrl = (issuer: string): string | undefined => {
  const url = new URL(`${issuer.replace(/\/$/, "")}${path}`)
  if (url.protocol === "https:") return url.href
  if (/^(?:127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) url.hostname = "localhost"
  return url.hostname === "localhost" ? url.href : undefined
}

/** The outcomes of the sandbox in Brazilian Portuguese, by the last two digits of the CPF. */
export const outcomesPtBr: Readonly<Record<string, string>> = {
  "68": "contrato: IN_ANALYSIS por um passo, depois pago em segundos",
  "69": "contrato: PAID e, um passo depois, SETTLED pela instituição; o Lastro registra os dois na mesma consulta",
  "70": "cotação: PENDING na instituição por 2 s, depois três ofertas",
  "71": "a instituição limita as requisições por 2 s, depois três ofertas",
  "72": "envio: INVALID no campo address.number, até que o número da casa seja S/N",
  "73":
    "contrato: PAID e, um passo depois, REFUNDED pela instituição; o Lastro registra na consulta seguinte (10 minutos) ou após um callback",
  "74": "contrato: uma devolução não é paga no prazo, e o contrato volta a PAID",
  "75": "contrato: o cancelamento é recusado, porque o contrato foi pago nesse meio-tempo",
  "76": "contrato: PAID, com a mesma referência de todos os contratos deste final; o segundo é uma duplicata",
  "77": "cotação: PENDING na instituição por 60 s, ou até um callback; depois três ofertas",
  "78": "duas ofertas; a tabela plus não pode ser calculada e aparece em unpriced",
  "79": "duas parcelas: o saldo é de R$ 600, e a terceira ficaria abaixo do mínimo",
  "80": "contrato: REJECTED com o código KYC_REJECTED",
  "81": "BIRTH_DATE_MISMATCH: a data de nascimento difere da cadastrada",
  "82": "OPT_IN_WAITING_PERIOD: nova tentativa após 90 dias",
  "83": "EXISTING_CONTRACT: o período já está cedido em outra operação",
  "84": "saldo de R$ 150: BELOW_MINIMUM_INSTALLMENT",
  "85": "as ofertas expiram 2 s após o pedido da cotação",
  "86": "contrato: REJECTED com o código LENDER_POLICY",
  "87": "contrato: CANCELLED, porque o prazo da assinatura expirou",
  "88": "contrato: o primeiro pagamento falha, o seguinte funciona",
  "89": "NO_BALANCE: nova tentativa a partir do próximo dia 21",
  "90": "OPERATION_IN_PROGRESS; a segunda cotação funciona",
  "91": "NO_AUTHORIZATION; a segunda cotação funciona, como se o cliente tivesse autorizado",
  "92": "NOT_OPTED_IN: sem adesão ao saque-aniversário",
  "93": "BIRTHDAY_WINDOW: nova tentativa após 3 s; a segunda cotação funciona",
  "94": "OPT_OUT_IN_PROGRESS: retorno ao saque-rescisão em andamento",
  "95": "ACCOUNT_CHANGES_PENDING; a segunda cotação funciona",
  "96": "a instituição nunca responde: QUOTE_FAILED em 3 s",
  "97": "a instituição falha duas vezes, depois responde",
  "98": "a instituição responde após 5 s"
}

interface Texts {
  readonly lang: string
  readonly title: string
  readonly lead: string
  readonly next: string
  readonly steps: string
  readonly columns: readonly [ending: string, outcome: string]
  readonly other: string
  readonly usual: string
  readonly outcomeOf: (digits: string) => string | undefined
}

const en: Texts = {
  lang: "en",
  title: "Signature in the sandbox",
  lead: "This server uses the sandbox lender. There is nothing to sign, and no money moves.",
  next: "You can close this page. The contract moves on by itself, one step every second by default " +
    "(<code>LASTRO_SANDBOX_STEP_MS</code>): AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, PAID. Poll the status of " +
    "the application, or subscribe to its events, to see each step.",
  steps: "The last two digits of the customer’s CPF select the outcome.",
  columns: ["CPF ends in", "Outcome"],
  other: "any other",
  usual: defaultScenario.outcome,
  outcomeOf: (digits) => sandboxScenarios.get(digits)?.outcome
}

const ptBr: Texts = {
  lang: "pt-BR",
  title: "Assinatura no sandbox",
  lead: "Este servidor usa a instituição de testes (sandbox). Não há nada a assinar, e nenhum dinheiro é movimentado.",
  next: "Você pode fechar esta página. O contrato avança sozinho, um passo por segundo por padrão " +
    "(<code>LASTRO_SANDBOX_STEP_MS</code>): AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, PAID. Consulte o status da " +
    "solicitação, ou assine os eventos dela, para ver cada passo.",
  steps: "Os dois últimos dígitos do CPF do cliente selecionam o resultado.",
  columns: ["CPF termina em", "Resultado"],
  other: "qualquer outro",
  usual: "três ofertas; o contrato é pago em segundos",
  outcomeOf: (digits) => outcomesPtBr[digits]
}

const style = `table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent);overflow-wrap:anywhere}
th[scope=row]{white-space:nowrap}`

/** Returns the page. All texts are constants without characters that HTML would interpret. */
const page = ({ columns: [ending, outcome], lang, lead, next, other, outcomeOf, steps, title, usual }: Texts) => {
  const rows = [...[...sandboxScenarios.keys()].toSorted().map((digits) => [digits, outcomeOf(digits)]), [other, usual]]
    .map(([digits, text]) => `<tr><th scope="row">${digits}</th><td>${text}</td></tr>`)
  const main = `<p>${lead}</p>
<p>${next}</p>
<p>${steps}</p>
<table>
<thead><tr><th scope="col">${ending}</th><th scope="col">${outcome}</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`
  return staticPage({ lang, title, style, main })
}

const english = page(en)

/** The page that the signature links of the sandbox open. It is the same for every contract. */
export const sandboxPage: OpenDocument = {
  path,
  type: "text/html; charset=utf-8",
  text: Effect.succeed(english.html),
  textPtBr: Effect.succeed(page(ptBr).html),
  headers: { "cache-control": "no-cache", "x-robots-tag": "noindex", "content-security-policy": english.policy }
}
