import { NestFactory } from "@nestjs/core"
import { AppModule } from "./AppModule.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) throw new Error("Set DATABASE_URL to a PostgreSQL database: postgres://user:password@host/name")

const app = await NestFactory.create(AppModule.over(url))
app.enableShutdownHooks()
await app.listen(Number(process.env["PORT"] ?? 3003), "127.0.0.1")
