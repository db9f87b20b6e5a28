import type { KeyProblem } from '@voisol/contract/keys'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { checkKey, type KeyProblem as Found, type Key } from '@voisol/energy/keys'
import type { Step } from '@voisol/energy/series'
import { and, eq, max, min } from 'drizzle-orm'
import type { z } from 'zod'
import { engineKey, keepPoints, needsCurves, readCurves } from '../../../core/engine-key.ts'
import type { KeyVersion } from '../../../core/key-versions.ts'
import { type Member, nameOf, type Span, type SubPeriod, subPeriods } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { keyCoefficients } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'

export type Problem = z.infer<typeof KeyProblem>

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const whenOf = ({ from, to }: Span) =>
  to === null ? ` À partir du ${frenchDay(from)}.` : ` Du ${frenchDay(from)} au ${frenchDay(to)} exclu.`

/** Coefficients may come file by file after the key is adopted; shares are all there from the start. */
function severityOf(key: Key, { code }: Found): Problem['severity'] {
  if (key.method === 'simple') return code === 'empty' || code === 'missing-point' ? 'warning' : 'refused'
  if (key.method === 'complete') return code === 'missing-point' ? 'warning' : 'refused'
  return 'refused'
}

function sentence(key: Key, found: Found): string {
  if (key.method === 'simple' && found.code === 'empty')
    return 'Aucun coefficient n’a été importé : la clé par défaut, au prorata des consommations, s’applique.'
  if (key.method === 'complete' && found.code === 'missing-point')
    return `${found.message} La règle par défaut, au prorata des consommations, s’applique à sa production.`
  if (found.code === 'missing-point') return `${found.message} Écrivez 0 pour ne rien lui attribuer.`
  return found.message
}

/** A problem that lasts is said once, for the first days it is met. */
function collect(found: { part: SubPeriod; key: Key; problem: Found }[], several: boolean, names: Map<string, string>) {
  const seen = new Map<string, Problem>()
  for (const { part, key, problem } of found) {
    const id = `${problem.code} ${problem.pointId ?? (problem.code === 'empty' ? '' : problem.message)}`
    if (seen.has(id)) continue
    const plain = sentence(key, problem).replace(UUID, (id) => names.get(id) ?? id)
    const when = several && problem.code !== 'empty' ? whenOf(part) : ''
    seen.set(id, { severity: severityOf(key, problem), message: `${plain}${when}` })
  }
  return [...seen.values()]
}

function strangers(key: KeyVersion, members: Member[], names: Map<string, string>): Problem[] {
  const known = { consumption: new Set<string>(), production: new Set<string>() }
  for (const { direction, pointId } of members) known[direction].add(pointId)
  const ids = [
    ...key.shares.filter(({ pointId }) => !known.consumption.has(pointId)).map(({ pointId }) => pointId),
    ...key.shares.flatMap(({ producerId }) => (producerId && !known.production.has(producerId) ? [producerId] : [])),
  ]
  return [...new Set(ids)].map((id) => ({
    severity: 'refused',
    message: `Le point ${names.get(id) ?? id} ne participe pas à l’opération tant que cette version est en vigueur.`,
  }))
}

type Facts = { members: Member[]; span: Span; step: Step; names: Map<string, string> }

/** What keeps a version from being used, checked again for every stretch between two entries or exits. */
export async function problemsOf(db: Db, key: KeyVersion, facts: Facts): Promise<Problem[]> {
  const { members, span, step } = facts
  const names = new Map([...facts.names, ...members.map((member) => [member.pointId, nameOf(member)] as const)])
  if (key.method === 'default' || key.method === 'equal') return []
  const parts = subPeriods(members, span).filter(({ consumers }) => consumers.length > 0)
  if (!parts.length)
    return [{ severity: 'refused', message: 'Aucun consommateur ne participe à l’opération à partir de cette date.' }]
  const found: { part: SubPeriod; key: Key; problem: Found }[] = []
  for (const part of parts)
    for await (const whole of keysWithin(db, key, part, step)) {
      const own = keepPoints(whole, part.consumers, part.producers)
      const problems = checkKey(own, part.consumers, part.producers)
      const empty = key.method === 'simple' && problems.some(({ code }) => code === 'empty')
      for (const problem of problems)
        if (!empty || problem.code !== 'missing-point') found.push({ part, key: own, problem })
    }
  return [...strangers(key, members, names), ...collect(found, parts.length > 1, names)]
}

/** Once without curves, or month by month over the days that have some. */
async function* keysWithin(db: Db, key: KeyVersion, part: Span, step: Step): AsyncGenerator<Key> {
  const days = needsCurves(key) ? await curveDays(db, key) : undefined
  const first = days && days.from > part.from ? days.from : part.from
  const last = days && (part.to === null || days.to < part.to) ? days.to : part.to
  if (!days || last === null || first >= last) {
    // Files come month after month: days that none speaks of yet are no problem of the key.
    if (!days || key.shares.length > 0) yield engineKey(key, [])
    return
  }
  for (let month = monthOf(first); month < last; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    const within = { from: month > first ? month : first, to: next < last ? next : last }
    yield engineKey(key, await readCurves(db, key, within, step))
  }
}

export async function curveDays(db: Db, key: KeyVersion): Promise<{ from: string; to: string } | undefined> {
  const day = keyCoefficients.day
  const [row] = await db
    .select({ from: min(day), last: max(day) })
    .from(keyCoefficients)
    .where(and(eq(keyCoefficients.companyId, key.companyId), eq(keyCoefficients.keyId, key.id)))
  if (!row?.from || !row.last) return undefined
  return { from: row.from, to: Temporal.PlainDate.from(row.last).add({ days: 1 }).toString() }
}
