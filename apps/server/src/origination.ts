import { layerHttpLender } from "@lastro/adapters-http"
import { WorkRunner } from "@lastro/adapters-sql"
import { layerSandboxLender, layerStatusWatch, Lender } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { SettingRefused } from "./settings/readers.ts"
import { type DatabaseSetting, type LenderSetting, type Settings } from "./settings/Settings.ts"

const refuseUrl = Effect.fail(
  new SettingRefused({
    variable: "LASTRO_LENDER_URL",
    problem: "has to be an https URL, or http in a private network, without user, password, query or fragment"
  })
)

const lender = (setting: LenderSetting) =>
  setting.kind === "sandbox"
    ? layerSandboxLender({ stepMs: setting.step_ms })
    : Layer.catch(layerHttpLender({ url: setting.url, token: setting.token }), () => Layer.effect(Lender, refuseUrl))

const runner = (setting: DatabaseSetting, node: string) =>
  setting.kind === "postgres" ? WorkRunner.layerPostgres({ node }) : WorkRunner.layerPglite()

/** What originates loans: the durable work of this node, the lender it asks, and the place where callers wait for it. */
export const origination = ({ database, lender: setting, node }: Settings) =>
  runner(database, node).pipe(
    Layer.provideMerge(layerStatusWatch()),
    Layer.provide(lender(setting))
  )
