import { DocumentSource, Lender, type LenderRequirements, LenderUnsupported } from "@lastro/domain/lender"
import { Data, Duration, Effect, Layer, Redacted, type Result } from "effect"
import { isAddressAllowed, type LenderUrlRefused, parseLenderUrl } from "../lenderAddress.ts"
import { makeLenderTransport } from "../lenderTransport.ts"
import { receive } from "./callback.ts"
import { cancel, readContract } from "./exits.ts"
import { makeQitechCalls } from "./qitechCalls.ts"
import { memoryInbox } from "./QitechInbox.ts"
import { type QitechLenderOptions } from "./QitechOptions.ts"
import { quoteOnce } from "./quote.ts"
import { refund } from "./refund.ts"
import { resubmit } from "./resubmit.ts"
import { readPrivateKey, readPublicKey } from "./signing.ts"
import { submit } from "./submit.ts"
import { makeUploadMemory } from "./upload.ts"

/** A key is not an EC P-521 key in PEM. */
export class QitechKeyRefused extends Data.TaggedError("QitechKeyRefused")<{ readonly key: "PRIVATE" | "PUBLIC" }> {}

const requirementsOf = ({ throttle }: QitechLenderOptions): LenderRequirements => ({
  name: "qitech",
  kyc_fields: ["profession", "spouse_name", "documents"],
  disbursement_methods: ["PIX", "BANK_TRANSFER"],
  throttle: throttle ?? { requests_per_second: 1, max_in_flight: 4 }
})

const readKey = <A>(read: Result.Result<A, void>, key: QitechKeyRefused["key"]) =>
  Effect.mapError(Effect.fromResult(read), () => new QitechKeyRefused({ key }))

/**
 * Connects to QI Tech. The adapter follows QI Tech's public documentation, and was tested only with a simulator of that
 * documentation: read `docs/lenders-qitech.md` first. Each method makes a few calls without retries; the caller
 * retries. Logs, spans and errors contain keys of debts, statuses and error codes, but no personal data and no secrets.
 */
export const layerQitechLender = (
  options: QitechLenderOptions
): Layer.Layer<Lender, LenderUrlRefused | QitechKeyRefused, DocumentSource> =>
  Layer.effect(
    Lender,
    Effect.gen(function*() {
      const { allowPrivateNetwork = false, apiKey, bankTransfer = "pix", resolve, tables, timeout } = options
      const url = yield* Effect.fromResult(parseLenderUrl(options.url, allowPrivateNetwork))
      const privateKey = yield* readKey(readPrivateKey(Redacted.value(options.privateKey)), "PRIVATE")
      const publicKey = yield* readKey(readPublicKey(options.publicKey), "PUBLIC")
      const client = yield* makeLenderTransport({
        mayConnect: (address) => isAddressAllowed(url.protocol === "https:", allowPrivateNetwork, address),
        ...(resolve === undefined ? {} : { resolve })
      })
      const { send, withheld } = yield* makeQitechCalls({
        client,
        url,
        privateKey,
        apiKey: () => Redacted.value(apiKey),
        timeout: timeout ?? "25 seconds"
      })
      const documents = yield* DocumentSource
      const inbox = options.inbox ?? memoryInbox()
      const fine = options.fine ?? { contract_fine_rate: 0.02, monthly_rate: 0.01 }
      const refunds = options.refunds ?? true
      const hasFees = tables.some(({ fee }) => fee.kind !== "none")
      const parts = { send, inbox, fine, tables, bankTransfer, hasFees, refunds, uploads: makeUploadMemory() }
      const maxAgeMs = Duration.toMillis(Duration.fromInputUnsafe(options.callbackMaxAge ?? "30 minutes"))
      return Lender.of({
        requirements: requirementsOf(options),
        quote: (request) => quoteOnce(parts, request),
        submit: (submission) => Effect.provideService(submit(parts, submission), DocumentSource, documents),
        contract: (reference) => readContract(parts, reference),
        resubmit: (resubmission) => resubmit(parts, resubmission),
        withheld,
        exits: Effect.succeed({ cancel: true, refund: refunds, signature_link: false }),
        cancel: (cancellation) => cancel(parts, cancellation),
        refund: (request) => refunds ? refund(parts, request) : Effect.fail(new LenderUnsupported()),
        signatureLink: () => Effect.fail(new LenderUnsupported()),
        callback: (callback) => receive({ publicKey, inbox, maxAgeMs, path: options.callbackPath }, callback)
      })
    })
  )
