import { createServer, type IncomingMessage } from "node:http"

interface FakeLoan {
  readonly id: string
  readonly cpf: string
  readonly amount: number
  status: string
  payment: number
}

/** The statuses of a loan in order, by the last two digits of the CPF. */
const courses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "01": ["to_sign", "refused"],
  "02": ["to_sign", "cancelled"],
  "03": ["to_sign", "at_caixa", "paying", "payment_refused"]
}

const usualCourse = ["to_sign", "at_caixa", "paying", "paid"]

const refusals: Readonly<Record<string, string>> = { "10": "NO_AUTHORIZATION", "11": "NO_BALANCE" }

const readJson = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text === "" ? {} : JSON.parse(text)
}

const reasons: Readonly<Record<string, { readonly code: string; readonly text: string }>> = {
  refused: { code: "KYC_REJECTED", text: "Cadastro recusado." },
  cancelled: { code: "SIGNATURE_EXPIRED", text: "Prazo para assinatura vencido." },
  payment_refused: { code: "DISBURSEMENT_FAILED", text: "Conta inválida." }
}

/** Serves the API of the bank on a local port. `advance` moves every loan one step. */
export const startFakeBank = async () => {
  const loans = new Map<string, FakeLoan>()
  /** The ids of loans that were cancelled before their creation. */
  const barred = new Set<string>()
  let throttled = 0
  let failure: { readonly status: number; readonly text: string } | null = null

  const bodyOf = ({ amount, id, payment, status }: FakeLoan) => ({
    id,
    status,
    payment,
    sign_at: status === "to_sign" ? `https://bank.example/sign/${id}` : null,
    reason: reasons[status] ?? null,
    paid_amount: status === "paid" ? amount : null,
    paid_at: status === "paid" ? "2026-12-01T12:00:00-03:00" : null
  })

  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body?: object]> => {
    const body = await readJson(request)
    const [, kind = "", name = "", payments, attempt] = decodeURIComponent(request.url ?? "").split("/")
    if (kind === "balances") {
      const digits = String(body.cpf).slice(-2)
      const code = refusals[digits]
      if (digits === "12") return [503, {}]
      if (digits === "13" && throttled++ === 0) return [429, {}]
      return code === undefined
        ? [200, { balance: digits === "14" ? 420 : 2_855.65 }]
        : [422, { code, text: "Operação não permitida." }]
    }
    const loan = loans.get(name)
    if (request.method === "PUT" && payments === undefined) {
      if (loan !== undefined) return [200, bodyOf(loan)]
      if (barred.has(name)) return [409, {}]
      if (body.cep === "99999999") return [400, { invalid: ["cep"] }]
      const created = { id: name, cpf: String(body.cpf), amount: Number(body.amount), status: "to_sign", payment: 1 }
      loans.set(name, created)
      return [201, bodyOf(created)]
    }
    if (request.method === "DELETE" && loan === undefined) {
      barred.add(name)
      return [204]
    }
    if (loan === undefined) return [404, {}]
    if (request.method === "DELETE" && loan.status !== "paid") loan.status = "cancelled"
    if (request.method === "PUT" && Number(attempt) > loan.payment) {
      loan.payment = Number(attempt)
      loan.status = "paying"
    }
    return [200, bodyOf(loan)]
  }

  const server = createServer((request, response) => {
    if (failure !== null) {
      response.writeHead(failure.status).end(failure.text)
      failure = null
      return
    }
    void answer(request).then(([status, body]) => {
      response.writeHead(status, status === 429 ? { "retry-after": "1" } : {})
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    advance: () => {
      for (const loan of loans.values()) {
        const course = loan.payment > 1 ? usualCourse : courses[loan.cpf.slice(-2)] ?? usualCourse
        loan.status = course[course.indexOf(loan.status) + 1] ?? loan.status
      }
    },
    /** Answers the next call with this status and text. */
    failNext: (status: number, text: string) => {
      failure = { status, text }
    },
    throttleAgain: () => {
      throttled = 0
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
