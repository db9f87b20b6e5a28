import type { Deps } from '../../../deps.ts'
import { RELEASE } from '../../../version.ts'
import { getAnnouncedDays, listPublicIncidents } from '../incidents/index.ts'
import {
  buildEmptyHistory,
  COMPONENT_LABELS,
  type ComponentName,
  loadStatusHistory,
  measureStatus,
  type ProbeState,
  type ProbeStates,
} from './status-samples.ts'

const CACHE_MS = 10_000

/** The page is public, so that the result is cached for ten seconds. */
function cacheResult<T>(work: () => Promise<T>) {
  let cached: { value: Promise<T>; until: number } | undefined
  return () => {
    if (!cached || cached.until < performance.now()) cached = { value: work(), until: performance.now() + CACHE_MS }
    return cached.value
  }
}

function getOverallState(states: ProbeStates): ProbeState {
  if (states.site === 'down' || states.database === 'down') return 'down'
  return Object.values(states).every((state) => state === 'operational') ? 'operational' : 'degraded'
}

async function loadStatus(deps: Deps) {
  const [measured, history, incidents] = await Promise.all([
    measureStatus(deps),
    loadStatusHistory(deps.db).catch(() => new Map<ComponentName, never>()),
    listPublicIncidents(deps.db).catch(() => []),
  ])
  // The site is up, since it answered this request.
  const states: ProbeStates = { site: 'operational', ...measured }
  const components = Object.entries(COMPONENT_LABELS).map(([key, label]) => {
    const name = key as ComponentName // Object.entries() widens the key type to string
    const announced = getAnnouncedDays(incidents, name)
    const days = (history.get(name) ?? buildEmptyHistory()).map((day) => ({
      ...day,
      maintenance: announced.has(day.date),
    }))
    return { name, label, state: states[name], days }
  })
  return {
    state: getOverallState(states),
    checkedAt: new Date().toISOString(),
    version: RELEASE,
    components,
    incidents,
  }
}

export const createStatusLoader = (deps: Deps) => cacheResult(() => loadStatus(deps))
