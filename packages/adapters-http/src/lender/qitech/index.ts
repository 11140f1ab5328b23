export { layerQitechLender, QitechKeyRefused } from "./Lender.ts"
export { type QitechInbox } from "./QitechInbox.ts"
export { type QitechFine, type QitechLenderOptions, type QitechTable } from "./QitechOptions.ts"
