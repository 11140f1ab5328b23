import { sealFound } from "@lastro/domain/hierarchy"
import { PartnerTree } from "@lastro/domain/ports"
import { PartnerId } from "@lastro/domain/values"
import { Effect, Layer, Option, Schema } from "effect"
import { Database } from "./Database.ts"
import { liesWithin, subtree } from "./scope.ts"
import { update } from "./write.ts"

const find = `select ${liesWithin("partner.id")} as inside from partner where id = ? and deleted_at is null`
const within = `select ${liesWithin("?")} as inside`
const list = `${subtree} select id from inside limit ?`
const place = `
  with recursive above (id) as (
    select ?
    union all
    select parent_id from partner join above using (id) where parent_id is not null
  )
  select root_id, (select count(*) from partner join above using (id) where status = 'inactive') as inactive
  from partner where id = ? and deleted_at is null`

const decodeId = Schema.decodeUnknownSync(PartnerId)

export const layer: Layer.Layer<PartnerTree, never, Database> = Layer.effect(
  PartnerTree,
  Effect.map(Database, ({ run }) =>
    PartnerTree.of({
      // Transactions run one at a time, so each transaction has an exclusive lock on every tree.
      lock: () => Effect.void,
      find: (scope, id) =>
        run((database) => {
          const row = database.prepare(find).get(scope.partner_id, id)
          return row === undefined ? Option.none() : Option.some(sealFound(id, row["inside"] === 1))
        }),
      findPlace: (id) =>
        run((database) => {
          const row = database.prepare(place).get(id, id)
          if (row === undefined) return Option.none()
          return Option.some({
            partner_id: id,
            root_id: decodeId(row["root_id"]),
            partners_active: row["inactive"] === 0
          })
        }),
      contains: (scope, id) => run((database) => database.prepare(within).get(id, scope.partner_id)?.["inside"] === 1),
      list: (scope, limit) =>
        run((database) => database.prepare(list).all(scope.partner_id, limit).map((row) => decodeId(row["id"]))),
      isWithin: (top, id) =>
        run((database) => database.prepare(within).get(id.record, top.record.partner_id)?.["inside"] === 1),
      move: (partner, parent) =>
        Effect.asVoid(
          run((database) => update(database, "partner", partner.record.partner_id, { parent_id: parent.record }))
        )
    }))
)
