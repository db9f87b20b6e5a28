import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@voisol/contract/endpoint'
import { desc, eq } from 'drizzle-orm'
import { loadSiteOwnerId } from '../src/core/site-owner.ts'
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
import { archiveAnswers } from '../src/features/enedis/credentials/answer-archive.ts'
import { insertCredential } from '../src/features/enedis/credentials/credentials.ts'
import { appendAudit } from '../src/http/audit.ts'
import { generateToken } from '../src/secrets.ts'
import { analyticsMakers, eventMakers, exportMakers, reportMakers } from './access-analytics.ts'
import { moneyMakers } from './access-money.ts'
import { relationshipMakers } from './access-relationship.ts'
import { ssoMakers } from './access-sso.ts'
import type { TestServer } from './client.ts'
import { makeApiKey, makeSession, type makeUser } from './factories.ts'
import { buildAuditRecord } from './factories-audit.ts'
import { makeKey, makeOperation, makeParticipant, makeParticipation, makePoint, makeRun } from './factories-energy.ts'
import { insertPublishedContent, makeBooking, makeImage, makeRequest } from './factories-site.ts'

export type Owner = Awaited<ReturnType<typeof makeUser>>
export type PathParams = Record<string, unknown>
export type ParamsMaker = (server: TestServer, owner: Owner) => PathParams | Promise<PathParams>

export const SECRET = 'Secret du voisin'

const session: ParamsMaker = async (server, owner) => {
  await makeSession(server.db, owner.id, owner.companyId)
  const { rows } = await server.deps.db.$client.query(
    'select id from sessions where user_id = $1 order by created_at',
    [owner.id],
  )
  return { id: rows.at(-1)?.id }
}

const companyCopy: ParamsMaker = async ({ db }, { companyId }) => {
  const values = { companyId, kind: 'export', state: 'done', name: `${SECRET}.zip`, askedBy: SECRET }
  const [row] = await db.insert(companyCopies).values(values).returning()
  return { id: row?.id }
}

const trustedInstallation: ParamsMaker = async ({ db }) => {
  const publicKey = randomBytes(32).toString('base64')
  const [row] = await db.insert(trustedInstallations).values({ name: SECRET, publicKey, addedBy: SECRET }).returning()
  return { id: row?.id }
}

const incident: ParamsMaker = async ({ db }) => {
  const values = { kind: 'incident', title: SECRET, parts: ['mail'], state: 'identified', startsAt: new Date() }
  const [row] = await db.insert(incidents).values(values).returning()
  return { id: row?.id }
}

const passkey: ParamsMaker = async ({ db }, { id: userId }) => {
  const key = { credentialId: generateToken(), publicKey: Buffer.alloc(77), counter: 0, transports: [] }
  const [row] = await db
    .insert(passkeys)
    .values({ userId, ...key, name: SECRET })
    .returning()
  return { id: row?.id }
}

const notification: ParamsMaker = async ({ db }, { id: userId, companyId }) => {
  const text = { category: 'account', type: 'info', priority: 'normal', title: 'Bienvenue', message: SECRET }
  const [row] = await db
    .insert(notifications)
    .values({ companyId, userId, ...text, eventKey: generateToken() })
    .returning()
  return { id: row?.id }
}

const role: ParamsMaker = async ({ db }, { companyId }) => {
  const [row] = await db.insert(roles).values({ companyId, name: SECRET, permissions: [] }).returning()
  return { id: row?.id }
}

const apiKey: ParamsMaker = async ({ db }, owner) => {
  await makeApiKey(db, owner, { permissions: [] })
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.companyId, owner.companyId))
    .orderBy(desc(apiKeys.createdAt))
  return { id: row?.id }
}

const auditEntry: ParamsMaker = async ({ db, deps }, { companyId }) => {
  await appendAudit(db, deps.secrets, { ...buildAuditRecord(companyId, 1), target: SECRET })
  return { id: 1 }
}

const operation: ParamsMaker = async ({ db }, { companyId }) => ({
  id: (await makeOperation(db, { companyId, name: SECRET })).id,
})
const makeOperationId = async (server: TestServer, owner: Owner) => String((await operation(server, owner)).id)

const point: ParamsMaker = async ({ db }, { companyId }) => ({
  id: (await makePoint(db, { companyId, label: SECRET })).id,
  day: '2026-03-10',
})

const consent: ParamsMaker = async ({ db }, { companyId }) => {
  const { id: participantId } = await makeParticipant(db, { companyId, name: SECRET })
  const given = { purpose: 'collection', textVersion: '2026-01', method: 'paper', givenAt: new Date() }
  const [row] = await db
    .insert(consents)
    .values({ companyId, participantId, ...given, expiresOn: '2027-06-01', recordedBy: SECRET })
    .returning()
  return { id: row?.id }
}

const makeFile = async ({ db, deps }: TestServer, companyId: number) => {
  await deps.files.put(`${companyId}/${'x'.repeat(64)}`, Buffer.from('x'), 'text/csv')
  const [row] = await db
    .insert(files)
    .values({ companyId, name: SECRET, mediaType: 'text/csv', size: 1, sha256: 'x'.repeat(64) })
    .returning()
  return row?.id ?? ''
}

const document: ParamsMaker = async (server, owner) => {
  const { companyId } = owner
  const ownerId = await makeOperationId(server, owner)
  const documentFields = { companyId, ownerKind: 'operation', ownerId, fileId: await makeFile(server, companyId) }
  const [row] = await server.db
    .insert(documents)
    .values({ ...documentFields, label: SECRET, addedBy: SECRET })
    .returning()
  return { id: row?.id }
}

const curveImport: ParamsMaker = async (server, { id: createdBy, companyId }) => {
  const fileId = await makeFile(server, companyId)
  const [row] = await server.db
    .insert(curveImports)
    .values({ companyId, fileId, name: SECRET, status: 'ready', createdBy })
    .returning()
  return { id: row?.id }
}

const bulkRun: ParamsMaker = async ({ db }, { id: createdBy, companyId }) => {
  const about = { status: 'done', dryRun: true, action: { kind: 'invite' }, participantIds: [], seal: '' }
  const [row] = await db
    .insert(bulkRuns)
    .values({ companyId, createdBy, ...about, message: SECRET })
    .returning()
  return { id: row?.id }
}

const project: ParamsMaker = async ({ db }, { companyId }) => {
  const prices = { localPrice: 1200, gridPrice: 2016, surplusPrice: 400, investmentPerKwc: 120_000 }
  const [row] = await db
    .insert(projects)
    .values({ companyId, name: SECRET, kind: 'other', status: 'prospect', ...prices })
    .returning()
  return { id: row?.id }
}

const credential: ParamsMaker = async ({ db, deps }, { companyId }) => {
  const keys = { clientId: SECRET, clientSecret: SECRET }
  const place = { companyId, operationId: null, environment: 'production', backend: 'holder' } as const
  return { id: (await insertCredential(db, deps.secrets, { ...place, ...keys }))?.id }
}

const answer: ParamsMaker = async ({ db }, { companyId }) => {
  const hashes = await archiveAnswers(db, companyId, [{ requestId: 'x', body: JSON.stringify(SECRET) }])
  return { sha256: hashes.get('x') }
}

const distributorFile: ParamsMaker = async (server, { companyId }) => {
  // A content exists once per company: each needs its own.
  const sha256 = `x${generateToken()}`
  await server.deps.files.put(`${companyId}/${sha256}`, Buffer.from('x'), 'text/csv')
  const fileId = await makeFile(server, companyId)
  const about = { name: SECRET, sha256, status: 'quarantined', size: 1, source: 'upload' }
  const [row] = await server.db
    .insert(distributorFiles)
    .values({ companyId, fileId, ...about, receivedAt: new Date() })
    .returning()
  return { id: row?.id }
}

const redirect: ParamsMaker = async ({ db }) => {
  const [row] = await db
    .insert(redirects)
    .values({ companyId: await loadSiteOwnerId(db), from: `/${generateToken()}`, to: '/' })
    .returning()
  return { id: row?.id }
}

const syncTask: ParamsMaker = async (server, owner) => {
  const { companyId } = owner
  const operationId = await makeOperationId(server, owner)
  const keys = { clientId: SECRET, clientSecret: SECRET }
  const place = { companyId, operationId, environment: 'production', backend: 'holder' } as const
  const credentialId = (await insertCredential(server.db, server.deps.secrets, { ...place, ...keys }))?.id ?? ''
  const taskFields = { kind: 'load-curve', trigger: 'manual', status: 'waiting', from: '2026-09-01', to: '2026-09-08' }
  const [row] = await server.db
    .insert(syncTasks)
    .values({ companyId, credentialId, operationId, ...taskFields, points: 1, message: SECRET })
    .returning()
  return { id: row?.id }
}

/** The ids of an object that belongs to `owner`, by the path that names it. A new kind of path needs a row. */
const PARAMS_MAKERS: [RegExp, ParamsMaker][] = [
  ...analyticsMakers(SECRET),
  ...eventMakers(SECRET),
  ...exportMakers(SECRET),
  ...reportMakers({ file: makeFile, operationOf: makeOperationId, secret: SECRET }),
  ...moneyMakers({ file: makeFile, operationOf: makeOperationId, secret: SECRET }),
  ...ssoMakers(SECRET),
  ...relationshipMakers({ file: makeFile, operationOf: makeOperationId, secret: SECRET }),
  [/^\/api\/users\/:id/, (_, { id }) => ({ id })],
  [/^\/api\/roles\/:id/, role],
  [/^\/api\/(?:api-keys|gateway\/keys)\/:id/, apiKey],
  [/^\/api\/audit\/:id/, auditEntry],
  [/^\/api\/companies\/:companyId/, (_, { companyId }) => ({ companyId })],
  [/^\/api\/notifications\/:id/, notification],
  [/^\/api\/auth\/sessions\/:id/, session],
  [/^\/api\/auth\/passkeys\/:id/, passkey],
  [/^\/api\/auth\/invitations\/:token/, () => ({ token: generateToken() })],
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
      const operationId = await makeOperationId(server, owner)
      return { id: (await makeParticipation(server.db, { companyId, operationId })).id }
    },
  ],
  [/^\/api\/consents\/:id/, consent],
  [
    /^\/api\/keys\/:id/,
    async (server, owner) => {
      const { companyId } = owner
      return { id: (await makeKey(server.db, { companyId, operationId: await makeOperationId(server, owner) })).id }
    },
  ],
  [
    /^\/api\/allocation-runs\/:id/,
    async (server, owner) => {
      const { companyId } = owner
      const run = await makeRun(server.db, { companyId, operationId: await makeOperationId(server, owner) })
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
  [/^\/api\/(cms\/contents\/:id|content\/:kind)/, insertPublishedContent],
  [/^\/api\/(cms\/images|site-images)\/:id/, makeImage],
  [/^\/api\/seo\/redirects\/:id/, redirect],
]

export async function makeParamsForPath(server: TestServer, path: string, owner: Owner): Promise<PathParams> {
  const make = PARAMS_MAKERS.find(([known]) => known.test(path))?.[1]
  if (!make) throw new Error(`${path} has no maker in MAKERS`)
  return make(server, owner)
}

export const makeEndpointParams = async (server: TestServer, e: Endpoint, owner: Owner): Promise<PathParams> =>
  e.params ? makeParamsForPath(server, e.path, owner) : {}
