import { DatabaseSync } from "node:sqlite"

/** Stores each event once. The primary key of the table is the `webhook-id`. */
export class Inbox {
  readonly #database: DatabaseSync

  /** Opens the database in a file, or in memory with `:memory:`. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec("create table if not exists event (id text primary key, body text not null) strict")
  }

  /** Runs `work` and stores the event, in one transaction. Does nothing if the event is already stored. */
  once(id: string, body: string, work: () => void): void {
    this.#database.exec("begin immediate")
    try {
      const insert = this.#database.prepare("insert into event (id, body) values (?, ?) on conflict do nothing")
      if (insert.run(id, body).changes === 1) work()
      this.#database.exec("commit")
    } catch (error) {
      this.#database.exec("rollback")
      throw error
    }
  }

  close(): void {
    this.#database.close()
  }
}
