import { layerHttpLender } from "@lastro/adapters-http"
import { layerSandboxLender, Lender } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { SettingRefused } from "./settings/readers.ts"
import { type LenderSetting } from "./settings/Settings.ts"

const refuseUrl = Effect.fail(
  new SettingRefused({
    variable: "LASTRO_LENDER_URL",
    problem: "has to be an https URL, or http in a private network, without user, password, query or fragment"
  })
)

/** The lender that the operator chose. */
export const lender = (setting: LenderSetting) =>
  setting.kind === "sandbox"
    ? layerSandboxLender({ stepMs: setting.step_ms })
    : Layer.catch(layerHttpLender({ url: setting.url, token: setting.token }), () => Layer.effect(Lender, refuseUrl))
