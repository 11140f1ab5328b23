import { type PeerConfig } from "./PeerConfig.ts"

/** The configuration of this process. */
export const config: PeerConfig = JSON.parse(process.env["PEER"] ?? "")
