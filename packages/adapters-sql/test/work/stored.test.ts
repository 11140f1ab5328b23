import { assert, it } from "@effect/vitest"
import { latestQuote } from "@lastro/domain/fgts"
import { type ProposalId, type QuoteId } from "@lastro/domain/id"
import { DurableWork } from "@lastro/domain/origination"
import { currentTimestamp } from "@lastro/domain/time"
import { layerScriptedLender, storeApplication, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { waitUntil } from "../coordination.ts"
import { awaitQuote } from "./fixtures.ts"
import { pgliteNode } from "./nodes.ts"

const quote_id = "0195f3a0-0000-7000-8000-000000000001" as QuoteId
const proposal_id = "0195f3a0-0000-7000-8000-000000000002" as ProposalId

/** Reads the engine's rows of ended jobs, without the columns that differ between runs. */
const readRows = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    select message_id, shard_id, entity_type, entity_id, tag, message.payload, headers, reply.payload as reply
    from lastro_work_messages message join lastro_work_replies reply on reply.request_id = message.id
    order by message_id`)

it.layer(pgliteNode("memory", layerScriptedLender), { excludeTestServices: true, timeout: "1 minute" })(
  "the stored format of durable jobs",
  (it) => {
    it.effect("is unchanged, so that a job that runs during an update resumes after it", () =>
      Effect.gen(function*() {
        const work = yield* DurableWork
        const application = yield* storeApplication(yield* storeRootPartner(), {
          at: yield* currentTimestamp,
          quote_id
        })
        yield* work.startQuote(latestQuote(application).quote_id)
        yield* work.startContract(proposal_id, 2)
        yield* waitUntil("both jobs have ended", Effect.map(readRows, ({ length }) => length === 2))
        const ended = `{"_tag":"Success","value":{"_tag":"Complete","exit":{"_tag":"Success","value":null}}}`
        const [contract, quote] = ["9a9228ffd513132059b35e4ada04e1f7", "8eb79a62804083beac9edbace7fd4386"]
        assert.deepStrictEqual(yield* readRows, [
          {
            message_id: `Workflow/Contract/${contract}/run/`,
            shard_id: "default:14",
            entity_type: "Workflow/Contract",
            entity_id: contract,
            tag: "run",
            payload: `{"proposal_id":"${proposal_id}","attempt":2}`,
            headers: "{}",
            reply: ended
          },
          {
            message_id: `Workflow/Quote/${quote}/run/`,
            shard_id: "default:47",
            entity_type: "Workflow/Quote",
            entity_id: quote,
            tag: "run",
            payload: `{"quote_id":"${quote_id}"}`,
            headers: "{}",
            reply: ended
          }
        ])
      }))
  }
)

it.layer(pgliteNode("memory", layerScriptedLender), { excludeTestServices: true, timeout: "1 minute" })(
  "jobs stored by 0.1.0",
  (it) => {
    it.effect("are executed, including one that was inside the step that jobs had in that version", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const application = yield* storeApplication(yield* storeRootPartner(), {
          at: yield* currentTimestamp,
          quote_id
        })
        const entity = "8eb79a62804083beac9edbace7fd4386"
        const step = `{"name":"RunQuote","attempt":1,"withTransaction":false}`
        const stored = (id: number, tag: string, key: string, payload: string) => ({
          id,
          request_id: id,
          message_id: `Workflow/Quote/${entity}/${tag}/${key}`,
          shard_id: "default:47",
          entity_type: "Workflow/Quote",
          entity_id: entity,
          kind: 0,
          tag,
          payload,
          headers: "{}"
        })
        yield* sql`insert into lastro_work_messages ${
          sql.insert([
            stored(1, "run", "", `{"quote_id":"${quote_id}"}`),
            stored(2, "activity", "RunQuote/1", step)
          ])
        }`
        yield* awaitQuote(application)
        yield* waitUntil("both messages have replies", Effect.map(readRows, ({ length }) => length === 2))
      }))
  }
)
