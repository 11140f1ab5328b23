/** The version of Lastro: of its packages, its server and its API. `pnpm raise-version` sets it. */
export const version = "0.1.0"
