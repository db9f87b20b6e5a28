import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@voisol/contract/endpoint'
import { desc, eq } from 'drizzle-orm'
import { siteCompany } from '../src/core/site-company.ts'
import {
  apiKeys,
  bulkRuns,
  companyCopies,
  consents,
  curveImports,
  distributorFiles,
  documents,
  files,
  incidents,
  notifications,
  passkeys,
  projects,
  redirects,
  roles,
  syncTasks,
  trustedInstallations,
} from '../src/db/schema/index.ts'
import { keepAnswers } from '../src/features/distributor/enedis/answers.ts'
import { addCredential } from '../src/features/distributor/enedis/credentials.ts'
import { appendAudit } from '../src/http/audit.ts'
import { newToken } from '../src/secrets.ts'
import { analyticsMakers } from './access-analytics.ts'
import { exportMakers } from './access-exports.ts'
import { eventMakers } from './access-makers-events.ts'
import { moneyMakers } from './access-makers-money.ts'
import { relationshipMakers } from './access-makers-relationship.ts'
import { reportMakers } from './access-makers-reports.ts'
import { ssoMakers } from './access-sso.ts'
import type { Server } from './client.ts'
import { makeApiKey, makeSession, type makeUser } from './factories.ts'
import { makeKey, makeRun } from './factories-allocations.ts'
import { auditRecord } from './factories-audit.ts'
import { makeBooking, makeRequest } from './factories-bookings.ts'
import { storeContent, storeImage } from './factories-content.ts'
import { makeOperation } from './factories-operations.ts'
import { makeParticipant, makeParticipation, makePoint } from './factories-participants.ts'

export type Owner = Awaited<ReturnType<typeof makeUser>>
export type Params = Record<string, unknown>
export type Make = (server: Server, owner: Owner) => Params | Promise<Params>

export const SECRET = 'Secret du voisin'

const session: Make = async (server, owner) => {
  await makeSession(server.db, owner.id, owner.companyId)
  const { rows } = await server.deps.db.$client.query(
    'select id from sessions where user_id = $1 order by created_at',
    [owner.id],
  )
  return { id: rows.at(-1)?.id }
}

const companyCopy: Make = async ({ db }, { companyId }) => {
  const values = { companyId, kind: 'export', state: 'done', name: `${SECRET}.zip`, askedBy: SECRET }
  const [row] = await db.insert(companyCopies).values(values).returning()
  return { id: row?.id }
}

const trustedInstallation: Make = async ({ db }) => {
  const publicKey = randomBytes(32).toString('base64')
  const [row] = await db.insert(trustedInstallations).values({ name: SECRET, publicKey, addedBy: SECRET }).returning()
  return { id: row?.id }
}

const incident: Make = async ({ db }) => {
  const values = { kind: 'incident', title: SECRET, parts: ['mail'], state: 'identified', startsAt: new Date() }
  const [row] = await db.insert(incidents).values(values).returning()
  return { id: row?.id }
}

const passkey: Make = async ({ db }, { id: userId }) => {
  const key = { credentialId: newToken(), publicKey: Buffer.alloc(77), counter: 0, transports: [] }
  const [row] = await db
    .insert(passkeys)
    .values({ userId, ...key, name: SECRET })
    .returning()
  return { id: row?.id }
}

const notification: Make = async ({ db }, { id: userId, companyId }) => {
  const text = { category: 'account', type: 'info', priority: 'normal', title: 'Bienvenue', message: SECRET }
  const [row] = await db
    .insert(notifications)
    .values({ companyId, userId, ...text, eventKey: newToken() })
    .returning()
  return { id: row?.id }
}

const role: Make = async ({ db }, { companyId }) => {
  const [row] = await db.insert(roles).values({ companyId, name: SECRET, permissions: [] }).returning()
  return { id: row?.id }
}

const apiKey: Make = async ({ db }, owner) => {
  await makeApiKey(db, owner, { permissions: [] })
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.companyId, owner.companyId))
    .orderBy(desc(apiKeys.createdAt))
  return { id: row?.id }
}

const auditEntry: Make = async ({ db, deps }, { companyId }) => {
  await appendAudit(db, deps.secrets, { ...auditRecord(companyId, 1), target: SECRET })
  return { id: 1 }
}

const operation: Make = async ({ db }, { companyId }) => ({
  id: (await makeOperation(db, { companyId, name: SECRET })).id,
})
const operationOf = async (server: Server, owner: Owner) => String((await operation(server, owner)).id)

const point: Make = async ({ db }, { companyId }) => ({
  id: (await makePoint(db, { companyId, label: SECRET })).id,
  day: '2026-03-10',
})

const consent: Make = async ({ db }, { companyId }) => {
  const { id: participantId } = await makeParticipant(db, { companyId, name: SECRET })
  const given = { purpose: 'collection', textVersion: '2026-01', method: 'paper', givenAt: new Date() }
  const [row] = await db
    .insert(consents)
    .values({ companyId, participantId, ...given, expiresOn: '2027-06-01', recordedBy: SECRET })
    .returning()
  return { id: row?.id }
}

const file = async ({ db, deps }: Server, companyId: number) => {
  await deps.files.put(`${companyId}/${'x'.repeat(64)}`, Buffer.from('x'), 'text/csv')
  const [row] = await db
    .insert(files)
    .values({ companyId, name: SECRET, mediaType: 'text/csv', size: 1, sha256: 'x'.repeat(64) })
    .returning()
  return row?.id ?? ''
}

const document: Make = async (server, owner) => {
  const { companyId } = owner
  const ownerId = await operationOf(server, owner)
  const held = { companyId, ownerKind: 'operation', ownerId, fileId: await file(server, companyId) }
  const [row] = await server.db
    .insert(documents)
    .values({ ...held, label: SECRET, addedBy: SECRET })
    .returning()
  return { id: row?.id }
}

const curveImport: Make = async (server, { id: createdBy, companyId }) => {
  const fileId = await file(server, companyId)
  const [row] = await server.db
    .insert(curveImports)
    .values({ companyId, fileId, name: SECRET, status: 'ready', createdBy })
    .returning()
  return { id: row?.id }
}

const bulkRun: Make = async ({ db }, { id: createdBy, companyId }) => {
  const about = { status: 'done', dryRun: true, action: { kind: 'invite' }, participantIds: [], seal: '' }
  const [row] = await db
    .insert(bulkRuns)
    .values({ companyId, createdBy, ...about, message: SECRET })
    .returning()
  return { id: row?.id }
}

const project: Make = async ({ db }, { companyId }) => {
  const prices = { localPrice: 1200, gridPrice: 2016, surplusPrice: 400, investmentPerKwc: 120_000 }
  const [row] = await db
    .insert(projects)
    .values({ companyId, name: SECRET, kind: 'other', status: 'prospect', ...prices })
    .returning()
  return { id: row?.id }
}

const credential: Make = async ({ db, deps }, { companyId }) => {
  const keys = { clientId: SECRET, clientSecret: SECRET }
  const place = { companyId, operationId: null, environment: 'production', backend: 'holder' } as const
  return { id: (await addCredential(db, deps.secrets, { ...place, ...keys }))?.id }
}

const answer: Make = async ({ db }, { companyId }) => {
  const hashes = await keepAnswers(db, companyId, [{ requestId: 'x', body: JSON.stringify(SECRET) }])
  return { sha256: hashes.get('x') }
}

const distributorFile: Make = async (server, { companyId }) => {
  // A content is one file of a company: each has its own.
  const sha256 = `x${newToken()}`
  await server.deps.files.put(`${companyId}/${sha256}`, Buffer.from('x'), 'text/csv')
  const fileId = await file(server, companyId)
  const about = { name: SECRET, sha256, status: 'quarantined', size: 1, source: 'upload' }
  const [row] = await server.db
    .insert(distributorFiles)
    .values({ companyId, fileId, ...about, receivedAt: new Date() })
    .returning()
  return { id: row?.id }
}

const redirect: Make = async ({ db }) => {
  const [row] = await db
    .insert(redirects)
    .values({ companyId: await siteCompany(db), from: `/${newToken()}`, to: '/' })
    .returning()
  return { id: row?.id }
}

const syncTask: Make = async (server, owner) => {
  const { companyId } = owner
  const operationId = await operationOf(server, owner)
  const keys = { clientId: SECRET, clientSecret: SECRET }
  const place = { companyId, operationId, environment: 'production', backend: 'holder' } as const
  const credentialId = (await addCredential(server.db, server.deps.secrets, { ...place, ...keys }))?.id ?? ''
  const asked = { kind: 'load-curve', trigger: 'manual', status: 'waiting', from: '2026-09-01', to: '2026-09-08' }
  const [row] = await server.db
    .insert(syncTasks)
    .values({ companyId, credentialId, operationId, ...asked, points: 1, message: SECRET })
    .returning()
  return { id: row?.id }
}

/** The ids of something that belongs to `owner`, by the path that names it. A new kind of path needs its row. */
const MAKERS: [RegExp, Make][] = [
  ...analyticsMakers(SECRET),
  ...eventMakers(SECRET),
  ...exportMakers(SECRET),
  ...reportMakers({ file, operationOf, secret: SECRET }),
  ...moneyMakers({ file, operationOf, secret: SECRET }),
  ...ssoMakers(SECRET),
  ...relationshipMakers({ file, operationOf, secret: SECRET }),
  [/^\/api\/users\/:id/, (_, { id }) => ({ id })],
  [/^\/api\/roles\/:id/, role],
  [/^\/api\/(?:api-keys|gateway\/keys)\/:id/, apiKey],
  [/^\/api\/audit\/:id/, auditEntry],
  [/^\/api\/companies\/:companyId/, (_, { companyId }) => ({ companyId })],
  [/^\/api\/notifications\/:id/, notification],
  [/^\/api\/auth\/sessions\/:id/, session],
  [/^\/api\/auth\/passkeys\/:id/, passkey],
  [/^\/api\/auth\/invitations\/:token/, () => ({ token: newToken() })],
  [/^\/api\/acc-operations\/:id/, operation],
  [/^\/api\/participants\/bulk\/:id/, bulkRun],
  [
    /^\/api\/participants\/:id/,
    async ({ db }, { companyId }) => ({ id: (await makeParticipant(db, { companyId, name: SECRET })).id }),
  ],
  [/^\/api\/points\/:id/, point],
  [
    /^\/api\/participations\/:id/,
    async (server, owner) => {
      const { companyId } = owner
      const operationId = await operationOf(server, owner)
      return { id: (await makeParticipation(server.db, { companyId, operationId })).id }
    },
  ],
  [/^\/api\/consents\/:id/, consent],
  [
    /^\/api\/keys\/:id/,
    async (server, owner) => {
      const { companyId } = owner
      return { id: (await makeKey(server.db, { companyId, operationId: await operationOf(server, owner) })).id }
    },
  ],
  [
    /^\/api\/allocation-runs\/:id/,
    async (server, owner) => {
      const { companyId } = owner
      const run = await makeRun(server.db, { companyId, operationId: await operationOf(server, owner) })
      const { id: producerId } = await makePoint(server.db, { companyId, direction: 'production' })
      return { id: run.id, day: '2025-01-10', producerId }
    },
  ],
  [/^\/api\/curve-imports\/:id/, curveImport],
  [/^\/api\/projects\/:id/, project],
  [/^\/api\/documents\/:id/, document],
  [/^\/api\/backups\/:id/, companyCopy],
  [/^\/api\/installation\/trusted-installations\/:id/, trustedInstallation],
  [/^\/api\/installation\/incidents\/:id/, incident],
  [/^\/api\/legal-documents\/:name/, () => ({ name: 'sous-traitants' })],
  [/^\/api\/installation\/backups\/:name/, () => ({ name: 'voisol-2026-05-19-001702' })],
  [/^\/api\/distributor-files\/:id/, distributorFile],
  [/^\/api\/enedis\/credentials\/:id/, credential],
  [/^\/api\/sync\/tasks\/:id/, syncTask],
  [/^\/api\/enedis\/answers\/:sha256/, answer],
  [/^\/api\/enedis\/agreements\/:acc/, () => ({ acc: 'ACC00000537' })],
  [/^\/api\/bookings\/:id/, async ({ db }) => ({ id: (await makeBooking(db)).id })],
  [/^\/api\/requests\/:id/, async ({ db }) => ({ id: (await makeRequest(db)).id })],
  [/^\/api\/(white-papers|webinars)\/:slug/, () => ({ slug: 'absent' })],
  [/^\/api\/(cms\/contents\/:id|content\/:kind)/, storeContent],
  [/^\/api\/(cms\/images|site-images)\/:id/, storeImage],
  [/^\/api\/seo\/redirects\/:id/, redirect],
]

export async function madeAt(server: Server, path: string, owner: Owner): Promise<Params> {
  const make = MAKERS.find(([known]) => known.test(path))?.[1]
  if (!make) throw new Error(`${path} has no maker in MAKERS`)
  return make(server, owner)
}

export const paramsFor = async (server: Server, e: Endpoint, owner: Owner): Promise<Params> =>
  e.params ? madeAt(server, e.path, owner) : {}
