import { backOffice } from "./app.ts"
import { openPostgresLastro } from "./lastro.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) throw new Error("Set DATABASE_URL to a PostgreSQL database: postgres://user:password@host/name")

const lastro = await openPostgresLastro({ url, node: process.env["NODE_NAME"] ?? "backoffice-1" })
const installed = await lastro.bootstrap({ client_id: "head-office" })
if (installed._tag === "Failure") throw installed.failure
if (installed.success !== null) console.log("Initialized an empty database:", installed.success)

// This header replaces the sign-in of your service.
const app = backOffice(lastro, (request) => {
  const client = request.headers["x-signed-in"]
  return typeof client === "string" ? client : undefined
})
app.addHook("onClose", () => lastro.close())
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void app.close())

console.log(await app.listen({ port: Number(process.env["PORT"] ?? 3001) }))
