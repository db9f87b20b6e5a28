import { STAND_IN } from '../../../adapters/connections/weather.ts'
import { placeOfConnection } from '../../../core/connection-runs.ts'
import type { Db } from '../../../db/client.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Secrets } from '../../../secrets.ts'
import { nextRun } from './schedule.ts'

/** The weather stand-in of a demonstration, as if somebody had connected it: it may not listen yet, so that it is not tried. */
export async function seedWeather(tx: Db, secrets: Secrets, { companyId, userId: makerId }: Actor): Promise<void> {
  const id = crypto.randomUUID()
  const settings = secrets.seal(JSON.stringify({ baseUrl: STAND_IN, key: '' }), placeOfConnection({ companyId, id }))
  const schedule = 'six-hours'
  const own = { companyId, id, makerId, kind: 'weather', name: 'Météo de démonstration', settings, schedule }
  await tx.insert(connections).values({ ...own, state: 'active', nextRunAt: nextRun(schedule, id, new Date()) })
}
