export { makeConsole } from "./makeConsole.ts"
