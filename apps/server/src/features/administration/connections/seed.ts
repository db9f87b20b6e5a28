import { LOCAL_SIMULATOR } from '../../../adapters/connections/weather.ts'
import { getConnectionSealContext } from '../../../core/connection-runs.ts'
import type { Db } from '../../../db/client.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Secrets } from '../../../secrets.ts'
import { getNextConnectionRun } from './schedule.ts'

/** Connects the demo company to the weather simulator without a test, since the simulator may not be listening yet. */
export async function seedWeather(tx: Db, secrets: Secrets, { companyId, userId: makerId }: Actor): Promise<void> {
  const id = crypto.randomUUID()
  const settings = secrets.seal(
    JSON.stringify({ baseUrl: LOCAL_SIMULATOR, key: '' }),
    getConnectionSealContext({ companyId, id }),
  )
  const schedule = 'six-hours'
  const own = { companyId, id, makerId, kind: 'weather', name: 'Météo de démonstration', settings, schedule }
  await tx
    .insert(connections)
    .values({ ...own, state: 'active', nextRunAt: getNextConnectionRun(schedule, id, new Date()) })
}
