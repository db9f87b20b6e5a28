/** What the distributor allows one client. */
export const QUOTAS = { second: 5, hour: 10_000 } as const

let kept = true
/** A process has one configuration; a call is counted far below where it is known. */
export const setQuotas = (value: boolean) => {
  kept = value
}
/** False: calls to the stand-in are counted, never held back. */
export const quotasKept = () => kept
