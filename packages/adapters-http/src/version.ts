/** The version of Lastro: of its packages, its server and its API. `pnpm release` sets it. */
export const version = "0.1.0"
