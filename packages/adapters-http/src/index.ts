export * from "./api.ts"
export { type DocumentSourceOptions, layerDocumentSource } from "./documents/documentSource.ts"
export { type FolderDocumentsOptions, layerFolderDocuments } from "./documents/folderDocuments.ts"
export { DocumentAddressRefused, layerWebDocuments, type WebDocumentsOptions } from "./documents/webDocuments.ts"
export * from "./lender/Lender.ts"
export { LenderUrlRefused } from "./lender/lenderAddress.ts"
export * from "./lender/LenderApi.ts"
export { type BreakerOptions } from "./lender/lenderCalls.ts"
export { lenderOpenApi } from "./lender/lenderOpenApi.ts"
export { type Resolve } from "./lender/lenderTransport.ts"
export * from "./limits/RateLimit.ts"
export { ApiRoutes, type HandlerServices, layerRoutes } from "./mount/ApiRoutes.ts"
export { type ApiPorts, layer, layerDocuments, serveRoutes } from "./mount/layer.ts"
export { mountApi, type MountedApi, type RequestOrigin } from "./mount/mountApi.ts"
export { type MountOptions } from "./mount/openMount.ts"
export { type AdmissionOptions, openGate, type RequestGate } from "./mount/RequestGate.ts"
export { type DocumentForm, type OpenDocument, type ServingOptions } from "./mount/ServingOptions.ts"
export * from "./pipeline/answerClientErrors.ts"
export {
  defectOf,
  type DefectSummary,
  describeDefect,
  type SafeToLog,
  type Transient
} from "./pipeline/describeDefect.ts"
export { LogCauses } from "./pipeline/handleRequest.ts"
export { OptionRefused, parseIssuer } from "./security/parseIssuer.ts"
export * from "./system/Readiness.ts"
export { version } from "./version/version.ts"
