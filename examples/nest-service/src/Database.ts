import { layerSecurity, layerTokens } from "@lastro/adapters-http/security"
import { layerPostgresNode } from "@lastro/adapters-sql"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { type Lastro, openLastro } from "@lastro/domain/promises"
import { Layer } from "effect"
import pg from "pg"

/** The tables of the shop. The tables of Lastro are in a separate schema. */
const createTables = `
  create table if not exists employee (
    employee_id text primary key, role text not null, partner_id uuid not null, session text not null unique);
  create table if not exists shop_order (
    order_id text primary key, application_id uuid not null, total numeric not null)`

/** The connections of the shop, and Lastro in the same database. */
export class Database {
  private constructor(readonly pool: pg.Pool, readonly lastro: Lastro) {}

  static async open(url: string): Promise<Database> {
    const lastro = await openLastro(
      layerTokens({ issuer: "https://shop.example" }).pipe(
        Layer.provideMerge(layerPostgresNode({ url, schema: "lastro" })),
        Layer.provideMerge(layerSandboxLender({ stepMs: 100 })),
        Layer.provideMerge(layerSecurity())
      )
    )
    const pool = new pg.Pool({ connectionString: url })
    await pool.query(createTables)
    return new Database(pool, lastro)
  }

  /** Waits for the calls in progress, and closes all connections. */
  async close(): Promise<void> {
    await this.lastro.close()
    await this.pool.end()
  }
}
