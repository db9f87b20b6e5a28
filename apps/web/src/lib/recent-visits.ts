import { readStorage, removeFromStorage, toStorageKey, writeStorage } from './storage.ts'
import { sessionStore } from './stores.ts'

export type Visit = { title: string; detail: string; to: string }
type StoredVisits = { who: string; visits: Visit[] }

const RECENT_KEY = toStorageKey('recent')
const MAX_RECENT_VISITS = 8

/** What one person opened in one company: nobody else's, on a browser that several use. */
const getVisitOwner = () => {
  const { user } = sessionStore.read()
  return user ? `${user.id} ${user.companyId} ${user.space}` : null
}

const isVisit = (value: unknown): value is Visit =>
  typeof value === 'object' &&
  value !== null &&
  ['title', 'detail', 'to'].every((name) => typeof Reflect.get(value, name) === 'string') &&
  String(Reflect.get(value, 'to')).startsWith('/')

function readStoredVisits(): StoredVisits | null {
  try {
    const stored: unknown = JSON.parse(readStorage(RECENT_KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('visits' in stored) || !('who' in stored)) return null
    return Array.isArray(stored.visits) ? { who: String(stored.who), visits: stored.visits.filter(isVisit) } : null
  } catch {
    return null
  }
}

/** The last first. */
export function getRecentVisits(): Visit[] {
  const stored = readStoredVisits()
  return stored && stored.who === getVisitOwner() ? stored.visits : []
}

export function rememberVisit(visit: Visit) {
  const visitOwner = getVisitOwner()
  if (visitOwner === null) return
  const visits = [visit, ...getRecentVisits().filter(({ to }) => to !== visit.to)].slice(0, MAX_RECENT_VISITS)
  writeStorage(RECENT_KEY, JSON.stringify({ who: visitOwner, visits } satisfies StoredVisits))
}

export const forgetVisits = () => removeFromStorage(RECENT_KEY)
