/** What the names of the engine's tables begin with, and what its locks are told apart by: part of what is stored. */
export const prefix = "lastro_work"
