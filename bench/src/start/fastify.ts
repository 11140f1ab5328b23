import Fastify from "fastify"
import { Pool } from "pg"

/** A minimal server with Fastify and `pg`: one list, no authentication. */
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 10 })

const app = Fastify({ logger: true })

app.get("/health/ready", async () => {
  await pool.query("select 1")
  return { status: "ok" }
})

app.get("/api/v1/users", async () => {
  const { rows } = await pool.query(
    "select id, name, email, phone, status, created_at, count(*) over () as total from app_user order by created_at desc limit 20"
  )
  return { content: rows }
})

process.once("SIGTERM", () => void app.close().then(() => pool.end()))

await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) })
