// Runs programs one after another in one process, which loads the packages once. A program starts when the event loop is
// empty. So a program that never ends blocks the run, and the last line of the output names it.
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

const programs = process.argv.slice(2)
let running = ""
let isImported = true

const startNext = (): void => {
  const problem = isImported ? process.exitCode ?? 0 : "a top-level await that never settles"
  if (problem !== 0) throw new Error(`${running} ended with ${problem}`)
  running = programs.shift() ?? ""
  if (running === "") return
  console.log(`running ${running}`)
  isImported = false
  void import(pathToFileURL(resolve(running)).href).then(() => {
    isImported = true
  })
  // Without work for the event loop, the process would end after this event.
  setImmediate(() => undefined)
}

process.on("beforeExit", startNext)
process.on("exit", () => {
  if (running === "") return
  console.error(`${running} ended the process`)
  process.exitCode ||= 1
})
startNext()
