/**
 * Shifts the wall clock of this process by ORDEAL_CLOCK_SKEW_MS milliseconds. Load it with `node --import`. Monotonic
 * clocks and timers are not affected, as with a real clock that is wrong by a constant.
 */
const skewMs = Number(process.env["ORDEAL_CLOCK_SKEW_MS"] ?? 0)

const RealDate = Date
const now = (): number => RealDate.now() + skewMs

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args: ReadonlyArray<unknown>, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  get: (target, name, receiver) => name === "now" ? now : Reflect.get(target, name, receiver) as unknown
})

const { timeOrigin } = performance
Object.defineProperty(performance, "timeOrigin", { value: timeOrigin + skewMs })
