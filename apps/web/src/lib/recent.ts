import { sessionStore } from './session-store.ts'
import { ownKey, read, remove, write } from './storage.ts'

export type Visit = { title: string; detail: string; to: string }
type Kept = { who: string; visits: Visit[] }

const KEY = ownKey('recent')
const MOST = 8

/** What one person opened in one company: nobody else's, on a browser that several use. */
const owner = () => {
  const { user } = sessionStore.read()
  return user ? `${user.id} ${user.companyId} ${user.space}` : null
}

const isVisit = (value: unknown): value is Visit =>
  typeof value === 'object' &&
  value !== null &&
  ['title', 'detail', 'to'].every((name) => typeof Reflect.get(value, name) === 'string') &&
  String(Reflect.get(value, 'to')).startsWith('/')

function readKept(): Kept | null {
  try {
    const kept: unknown = JSON.parse(read(KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('visits' in kept) || !('who' in kept)) return null
    return Array.isArray(kept.visits) ? { who: String(kept.who), visits: kept.visits.filter(isVisit) } : null
  } catch {
    return null
  }
}

/** The last first. */
export function recentVisits(): Visit[] {
  const kept = readKept()
  return kept && kept.who === owner() ? kept.visits : []
}

export function rememberVisit(visit: Visit) {
  const who = owner()
  if (who === null) return
  const visits = [visit, ...recentVisits().filter(({ to }) => to !== visit.to)].slice(0, MOST)
  write(KEY, JSON.stringify({ who, visits } satisfies Kept))
}

export const forgetVisits = () => remove(KEY)
