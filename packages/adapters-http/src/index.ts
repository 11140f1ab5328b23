export * from "./api.ts"
export { staticPage } from "./docs/staticPage.ts"
export { describeProblem } from "./errors/messagesEn.ts"
export {
  DocumentAddressRefused,
  type DocumentSourceOptions,
  type FolderDocumentsOptions,
  layerDocumentSource,
  layerFolderDocuments,
  layerWebDocuments,
  type WebDocumentsOptions
} from "./kycDocuments/DocumentSource.ts"
export { LenderUrlRefused } from "./lender/lenderAddress.ts"
export { type Resolve } from "./lender/lenderTransport.ts"
export * from "./lender/protocol/Lender.ts"
export * from "./lender/protocol/LenderApi.ts"
export { type BreakerOptions } from "./lender/protocol/lenderCalls.ts"
export { lenderOpenApi } from "./lender/protocol/lenderOpenApi.ts"
export * from "./limits/RateLimit.ts"
export { ApiRoutes, type HandlerServices, layerRoutes } from "./mount/ApiRoutes.ts"
export { type ApiPorts, layer, layerDocuments, serveRoutes } from "./mount/layer.ts"
export { mountApi, type MountedApi, type RequestOrigin } from "./mount/mountApi.ts"
export { type MountOptions } from "./mount/openMount.ts"
export { type AdmissionOptions, openGate, type RequestGate } from "./mount/RequestGate.ts"
export { type DocumentForm, type OpenDocument } from "./mount/servedDocuments.ts"
export { type ServingOptions } from "./mount/ServingOptions.ts"
export { layerReadiness, Readiness } from "./operations/Readiness.ts"
export * from "./pipeline/answerClientErrors.ts"
export {
  defectOf,
  type DefectSummary,
  describeDefect,
  type SafeToLog,
  type Transient
} from "./pipeline/describeDefect.ts"
export { LogCauses } from "./pipeline/handleRequest.ts"
export { refusePipelining } from "./pipeline/refuseRequest.ts"
export { OptionRefused, parseIssuer } from "./security/parseIssuer.ts"
export { version } from "./version/version.ts"
