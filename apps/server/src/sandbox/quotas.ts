import { type Answer, quotaReached, Refusal, refuse, throttled, type Voice } from './answers.ts'
import { nowOf } from './clock.ts'
import type { Store } from './store.ts'

type Window = { second: number; calls: number; hour: number; perHour: number }

/** Those of the distributor. */
const USUAL = { second: 5, hour: 10_000 }

/** Counts by the clock of the machine, so that a set clock neither frees nor blocks anybody. */
export function createQuotas(store: Store, lifted: boolean) {
  const windows = new Map<string, Window>()
  const most = { second: 0, hour: 0 }
  const limitsNow = () => (store.state.quotas === undefined ? (lifted ? null : USUAL) : store.state.quotas)

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
    /** The refusal, or null where the call may pass. */
    take(client: string, voice: Voice): Answer | null {
      const reached = over(client)
      if (!reached) return null
      const at = nowOf(store) + reached.wait
      if (voice === 'old') return quotaReached(reached.quota, at)
      if (voice === 'gateway') return throttled(at)
      const headers = { 'retry-after': String(Math.ceil(reached.wait / 1000)) }
      return refuse('new', new Refusal(429, 'SGT429', 'SLA dépassé', headers))
    },
  }
}
export type Quotas = ReturnType<typeof createQuotas>
