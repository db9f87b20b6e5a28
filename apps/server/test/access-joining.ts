import { applications } from '../src/db/schema/index.ts'
import type { Owner, ParamsMaker } from './access-makers.ts'
import type { TestServer } from './client.ts'

type JoiningMakerTools = { operationOf: (server: TestServer, owner: Owner) => Promise<string>; secret: string }

const HASH = 'a'.repeat(64)
const DEPARTURE_QUERY = { kind: 'leave', on: '2027-03-01' }
export const JOINING_BODIES = {
  'PUT /api/acc-operations/:id/joining': {
    slug: 'prise',
    isOpen: true,
    presentation: 'Prise',
    conditions: '',
    agreement: 'Prise',
    noticeDays: 30,
    version: 0,
  },
  'POST /api/applications/:id/accept': { on: '2027-03-01', version: 1 },
  'POST /api/applications/:id/refuse': { reason: 'Une raison assez longue.', version: 1 },
  'POST /api/participations/:id/departure': { ...DEPARTURE_QUERY, name: 'Prise', hash: HASH },
  'POST /api/applications/:id/withdrawal': { version: 1 },
}
export const JOINING_QUERIES = {
  'GET /api/participations/:id/departure': DEPARTURE_QUERY,
}

/** An application to join, or to leave by the participant. */
export function joiningMakers({ operationOf, secret }: JoiningMakerTools): [RegExp, ParamsMaker][] {
  const makeApplication: ParamsMaker = async (server, owner) => {
    const operationId = await operationOf(server, owner)
    const { companyId, id: userId } = owner
    const who = { name: secret, email: 'prise@exemple.fr', prm: '19000000000001', kind: 'leave', state: 'waiting' }
    const [row] = await server.db
      .insert(applications)
      .values({ companyId, operationId, userId, ...who })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/applications\/:id/, makeApplication],
    [/^\/api\/join\/:slug/, () => ({ slug: 'prise' })],
  ]
}
