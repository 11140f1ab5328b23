import { CommissionStatements, HostContracts, type StatedContract, type StatementKey } from "@lastro/domain/commission"
import { centavos } from "@lastro/domain/values"
import { Effect, Layer, Option } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, put } from "./MemoryState.ts"

const nameOf = ({ digest, lender, period, root_id }: StatementKey): string =>
  JSON.stringify([root_id, lender, period, digest])

/** In-memory `CommissionStatements`. */
export const layerCommissionStatements = Layer.effect(
  CommissionStatements,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    CommissionStatements.of({
      contracts: ({ first, last, lender, references, root_id }, limit) =>
        Effect.map(state, ({ entries }) => {
          const wanted = new Set<string | null>(references)
          const contracts = new Map<string, StatedContract>()
          for (const { amount, happened_on, kind, paid_amount, proposal_id, reference, viewers, ...entry } of entries) {
            const in_period = happened_on >= first && happened_on <= last
            if (kind === "ADJUSTMENT" || entry.lender !== lender || viewers.at(-1) !== root_id) continue
            if (!in_period && !wanted.has(reference)) continue
            const key = `${proposal_id} ${kind}`
            const sum = centavos((contracts.get(key)?.commission_amount ?? 0) + amount)
            contracts.set(key, { reference, kind, paid_amount, commission_amount: sum, in_period })
          }
          return Array.from(contracts.values()).slice(0, limit)
        }),
      find: (key) => Effect.map(state, ({ statements }) => Option.fromUndefinedOr(statements.get(nameOf(key)))),
      store: Effect.fnUntraced(function*(key, result) {
        const stored = (yield* state).statements.get(nameOf(key))
        if (stored !== undefined) return stored
        yield* update((now) => put(now, "statements", nameOf(key), result))
        return result
      })
    }))
)

/** In-memory `HostContracts`. Units of work run one at a time, so no contract is locked. */
export const layerHostContracts = Layer.effect(
  HostContracts,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    HostContracts.of({
      insert: ({ record }, contract) =>
        Effect.flatMap(state, ({ hostContracts }) =>
          hostContracts.has(contract.contract_id)
            ? Effect.succeed(false)
            : Effect.as(
              update((now) => put(now, "hostContracts", contract.contract_id, { ...contract, partner_id: record })),
              true
            )),
      findForUpdate: (id) => Effect.map(state, ({ hostContracts }) => Option.fromUndefinedOr(hostContracts.get(id))),
      setStatus: (id, status) =>
        update((now) => alter(now, "hostContracts", id, (contract) => ({ ...contract, status })))
    }))
)
