import { backOffice } from "./app.ts"
import { lastroOver } from "./lastro.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) throw new Error("DATABASE_URL names the PostgreSQL database, postgres://user:password@host/name")

const lastro = await lastroOver({ url, node: process.env["NODE_NAME"] ?? "backoffice-1" })
const installed = await lastro.bootstrap({ client_id: "head-office" })
if (installed._tag === "Failure") throw installed.failure
if (installed.success !== null) console.log("A fresh database:", installed.success)

// This header stands for the sign-in that your service has already.
const app = backOffice(lastro, (request) => {
  const client = request.headers["x-signed-in"]
  return typeof client === "string" ? client : undefined
})
app.addHook("onClose", () => lastro.close())
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void app.close())

console.log(await app.listen({ port: Number(process.env["PORT"] ?? 3001) }))
