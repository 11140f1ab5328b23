/** The user that signs in to the server with the in-memory ports. */
export const reader = { email: "reader@lastro.test", password: "a password for measuring" }
