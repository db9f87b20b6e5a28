import { ssoAttempts, ssoConnections } from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'

const DOMAIN_BODY = { domain: 'prise.fr' }

export const SSO_BODIES: Record<string, unknown> = {
  'PATCH /api/sso/connections/:id': { name: 'Prise', issuer: 'https://prise.fr', clientId: 'x', version: 1 },
  'POST /api/sso/connections/:id/domains': DOMAIN_BODY,
  'POST /api/sso/connections/:id/domains/prove': DOMAIN_BODY,
  'POST /api/sso/connections/:id/domains/remove': DOMAIN_BODY,
  'POST /api/sso/metadata': { xml: '<a/>' },
  'POST /api/sso/connections/:id/switch': { on: false },
  'POST /api/sso/connections/:id/enforce': { on: false },
}

const createConnectionMaker =
  (name: string): ParamsMaker =>
  async ({ db }, { companyId }) => {
    const [row] = await db.insert(ssoConnections).values({ companyId, name, kind: 'oidc' }).returning()
    return { id: row?.id }
  }

const createTrialMaker =
  (name: string): ParamsMaker =>
  async (server, owner) => {
    const { id: connectionId } = (await createConnectionMaker(name)(server, owner)) as { id: string } // made above
    const hashes = { stateHash: Buffer.from(crypto.randomUUID()), browserHash: Buffer.from('x') }
    const [row] = await server.db
      .insert(ssoAttempts)
      .values({
        companyId: owner.companyId,
        connectionId,
        ...hashes,
        sealed: '',
        testerId: owner.id,
        expiresAt: new Date(),
      })
      .returning()
    return { id: row?.id }
  }

export const ssoMakers = (secret: string): [RegExp, ParamsMaker][] => [
  [/^\/api\/sso\/connections\/:id/, createConnectionMaker(secret)],
  [/^\/api\/sso\/trials\/:id/, createTrialMaker(secret)],
]
