import {
  createQuotaResponse,
  createThrottledResponse,
  type RefusalStyle,
  SimulatedRefusal,
  type SimulatorResponse,
  toRefusalResponse,
} from './answers.ts'
import { getSimulatorNow } from './clock.ts'
import type { SimulatorStore } from './store.ts'

type QuotaCountWindow = { second: number; calls: number; hour: number; perHour: number }

/** Limits of the distributor. */
const USUAL_LIMITS = { second: 5, hour: 10_000 }

/** Uses the machine's clock, so that setting the simulator's neither frees nor blocks a client. */
export function createSimulatorQuotas(store: SimulatorStore, lifted: boolean) {
  const windows = new Map<string, QuotaCountWindow>()
  const most = { second: 0, hour: 0 }
  const limitsNow = () => (store.state.quotas === undefined ? (lifted ? null : USUAL_LIMITS) : store.state.quotas)

  function over(client: string): { quota: 'Q3' | 'Q4'; wait: number } | null {
    const limits = limitsNow()
    const now = Date.now()
    const [second, hour] = [Math.floor(now / 1000), Math.floor(now / 3_600_000)]
    const window = windows.get(client) ?? { second, calls: 0, hour, perHour: 0 }
    windows.set(client, window)
    if (window.second !== second) Object.assign(window, { second, calls: 0 })
    if (window.hour !== hour) Object.assign(window, { hour, perHour: 0 })
    if (limits && window.perHour >= limits.hour) return { quota: 'Q4', wait: (hour + 1) * 3_600_000 - now }
    if (limits && window.calls >= limits.second) return { quota: 'Q3', wait: (second + 1) * 1000 - now }
    window.calls++
    window.perHour++
    most.second = Math.max(most.second, window.calls)
    most.hour = Math.max(most.hour, window.perHour)
    return null
  }

  return {
    most,
    limits: limitsNow,
    forget: () => windows.clear(),
    /** The refusal, or null if the call is allowed. */
    take(client: string, voice: RefusalStyle): SimulatorResponse | null {
      const reached = over(client)
      if (!reached) return null
      const at = getSimulatorNow(store) + reached.wait
      if (voice === 'old') return createQuotaResponse(reached.quota, at)
      if (voice === 'gateway') return createThrottledResponse(at)
      const headers = { 'retry-after': String(Math.ceil(reached.wait / 1000)) }
      return toRefusalResponse('new', new SimulatedRefusal(429, 'SGT429', 'SLA dépassé', headers))
    },
  }
}
export type SimulatorQuotas = ReturnType<typeof createSimulatorQuotas>
