import { textSchema } from "../input/Text.ts"

/** Names of people and companies: 2 to 120 characters after trimming and Unicode NFC. */
export const Name = textSchema({
  min: 2,
  max: 120,
  description: "Name, 2 to 120 characters",
  examples: ["Maria da Conceição"]
})
