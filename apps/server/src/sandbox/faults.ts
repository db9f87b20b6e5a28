import { getSimulatorNow } from './clock.ts'
import type { CountedFault } from './schemas.ts'
import type { SimulatorStore } from './store.ts'

export type FaultContext = { path: string; prm: string; signIn: boolean }

function isConcerned(fault: CountedFault, { path, prm, signIn }: FaultContext, now: number): boolean {
  if (fault.times !== undefined && fault.used >= fault.times) return false
  if (fault.prm !== undefined && fault.prm !== prm) return false
  if (fault.path === undefined ? signIn : !path.includes(fault.path)) return false
  if (fault.from !== undefined && now < Date.parse(fault.from)) return false
  return fault.to === undefined || now < Date.parse(fault.to)
}

/** The first fault that applies; every matching fault counts the call. */
export function takeNextFault(store: SimulatorStore, called: FaultContext): CountedFault | undefined {
  if (!store.state.faults.length) return undefined
  const now = getSimulatorNow(store)
  let found: CountedFault | undefined
  for (const fault of store.state.faults) {
    if (found || !isConcerned(fault, called, now)) continue
    fault.seen++
    if (fault.every !== undefined && fault.seen % fault.every !== 0) continue
    fault.used++
    found = fault
  }
  store.saveSoon()
  return found
}
