import { text } from "../validation/Text.ts"

/** The name of a person or company: 2 to 120 characters after trimming and Unicode NFC. */
export const Name = text({ min: 2, max: 120, description: "2 to 120 characters", examples: ["Maria da Conceição"] })
