/** A text whose accents are combining characters (Unicode form NFD). An adapter that normalizes text changes it. */
export const decomposedText = "Joa\u0303o D'A\u0301vila \u212b"
