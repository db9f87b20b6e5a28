import type { Deps } from '../../../deps.ts'
import { VERSION } from '../../../version.ts'
import { announcedDays, publicIncidents } from '../incidents/incidents.ts'
import { COMPONENTS, type ComponentName, measure, type State, type States } from './probes.ts'
import { emptyHistory, readHistory } from './samples.ts'

export { measure } from './probes.ts'

const FRESH_MS = 10_000

/** Anybody may ask, so the answer is measured once for all who ask within ten seconds. */
function remember<T>(work: () => Promise<T>) {
  let kept: { value: Promise<T>; until: number } | undefined
  return () => {
    if (!kept || kept.until < performance.now()) kept = { value: work(), until: performance.now() + FRESH_MS }
    return kept.value
  }
}

function overall(states: States): State {
  if (states.site === 'down' || states.database === 'down') return 'down'
  return Object.values(states).every((state) => state === 'operational') ? 'operational' : 'degraded'
}

async function readStatus(deps: Deps) {
  const [measured, history, incidents] = await Promise.all([
    measure(deps),
    readHistory(deps.db).catch(() => new Map<ComponentName, never>()),
    publicIncidents(deps.db).catch(() => []),
  ])
  // Whoever reads this was answered by the site.
  const states: States = { site: 'operational', ...measured }
  const components = Object.entries(COMPONENTS).map(([key, label]) => {
    const name = key as ComponentName // entries() forgets the key type
    const announced = announcedDays(incidents, name)
    const days = (history.get(name) ?? emptyHistory()).map((day) => ({ ...day, maintenance: announced.has(day.date) }))
    return { name, label, state: states[name], days }
  })
  return { state: overall(states), checkedAt: new Date().toISOString(), version: VERSION, components, incidents }
}

export const createStatus = (deps: Deps) => remember(() => readStatus(deps))
