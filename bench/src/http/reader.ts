/** The user of the server over the in-memory ports. */
export const reader = { email: "reader@lastro.test", password: "a password for measuring" }
