import { connections as endpoints } from '@voisol/contract/connections'
import type { Permission } from '@voisol/contract/permissions'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { listJobStates, waitForJobs } from '../../../../test/jobs.ts'
import { startS3Simulator } from '../../../../test/s3.ts'
import { useServer } from '../../../../test/server.ts'
import { hasSshd, startSshd } from '../../../../test/sshd.ts'
import { apiKeys, connections } from '../../../db/schema/index.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'
import { connectionJobs } from './jobs.ts'
import { runConnection } from './run-connection.ts'

const server = useServer()
const open = createOutboundClient({ inner: true })
/** Runs while the connection test is waiting for its answer. */
let meanwhile: (() => Promise<unknown>) | undefined
let store: Awaited<ReturnType<typeof startS3Simulator>>
beforeAll(async () => {
  store = await startS3Simulator('un secret')
  server.deps.outside = {
    ...open,
    async fetch(...asked) {
      const now = meanwhile
      meanwhile = undefined
      await now?.()
      return open.fetch(...asked)
    },
  }
})
afterAll(() => store.close())

type Owner = Awaited<ReturnType<typeof makeUser>>
const settings = () => ({
  endpoint: store.settings.FILES_S3_ENDPOINT,
  region: 'eu-west-3',
  bucket: 'voisol',
  keyId: 'cle',
  secret: 'un secret',
})
const bucket = async (owner: Owner, more: object = {}) => {
  const body = { kind: 's3', name: 'Dépôt', settings: settings(), shipments: ['data-operations'], ...more }
  return (await call(server, endpoints.create, { body }, owner)).body
}
const listOwnConnections = async (owner: Owner) => (await call(server, endpoints.list, {}, owner)).body.items
const pause = (owner: Owner, id: string) =>
  call(server, endpoints.move, { params: { id }, body: { state: 'paused' } }, owner)

describe('while a connection test is running', () => {
  test('another user is not blocked, and what they save is not overwritten', async () => {
    const owner = await makeUser(server.db)
    const { id, version } = await bucket(owner)
    const statuses: number[] = []
    meanwhile = async () => void statuses.push((await pause(owner, id)).status)
    const body = { name: 'Autre nom', settings: { ...settings(), secret: '' }, version }
    const late = await call(server, endpoints.update, { params: { id }, body }, owner)
    expect([statuses, late.status, late.body.code]).toEqual([[200], 409, 'stale'])
    expect(late.text).not.toContain('settings')
    expect(await listOwnConnections(owner)).toMatchObject([{ name: 'Dépôt', state: 'paused', version: version + 1 }])
  })

  test('of two users who reactivate a connection at once, one is refused', async () => {
    const owner = await makeUser(server.db)
    const { id } = await bucket(owner)
    await pause(owner, id)
    const resume = () => call(server, endpoints.move, { params: { id }, body: { state: 'active' } }, owner)
    const statuses: number[] = []
    meanwhile = async () => void statuses.push((await resume()).status)
    expect([(await resume()).status, statuses]).toEqual([409, [200]])
  })
})

test('starts each due connection once, and none that is on hold, on demand or due later', async () => {
  const owner = await makeUser(server.db)
  const due = await bucket(owner, { name: 'Due', schedule: 'night' })
  const later = await bucket(owner, { name: 'Plus tard', schedule: 'night' })
  const held = await bucket(owner, { name: 'En pause', schedule: 'night' })
  const asked = await bucket(owner, { name: 'À la demande', schedule: 'none' })
  await pause(owner, held.id)
  for (const { id } of [due, held])
    await server.db
      .update(connections)
      .set({ nextRunAt: new Date(Date.now() - 1000) })
      .where(eq(connections.id, id))
  const task = { id: '', signal: AbortSignal.timeout(60_000) }
  await Promise.all([
    connectionJobs['connections.due'].run(server.deps, {}, task),
    connectionJobs['connections.due'].run(server.deps, {}, task),
  ])
  await waitForJobs(server)
  const ran = async (id: string) => (await call(server, endpoints.runs, { params: { id } }, owner)).body.items
  expect(await ran(due.id)).toMatchObject([{ state: 'done', askedBy: 'Voisol' }])
  for (const { id } of [later, held, asked]) {
    expect(await ran(id)).toEqual([])
    expect(await listJobStates(server, 'connections.run', `${owner.companyId} ${id}`)).toEqual([])
  }
  const [now] = (await listOwnConnections(owner)).filter(({ id }: { id: string }) => id === due.id)
  expect(Date.parse(now.nextRunAt)).toBeGreaterThan(Date.now())
})

test('a connection saved by an API key runs with that key’s permissions and stops with it', async () => {
  const owner = await makeUser(server.db)
  const { companyId } = owner
  const permissions: Permission[] = ['connections.read', 'connections.write', 'operations.read']
  const token = await makeApiKey(server.db, owner, { permissions })
  const { id } = await bucket({ ...owner, token })
  const run = async () => {
    await runConnection(server.deps, { companyId, id, askedBy: 'essai' })
    const [last] = (await call(server, endpoints.runs, { params: { id } }, owner)).body.items
    return [last.state, last.failure]
  }
  expect(await run()).toEqual(['done', ''])
  await server.db
    .update(apiKeys)
    .set({ permissions: ['connections.write'] })
    .where(eq(apiKeys.companyId, companyId))
  expect(await run()).toEqual(['failed', expect.stringContaining('clé d’API')])
  expect(await listOwnConnections(owner)).toMatchObject([
    { state: 'stopped', trouble: expect.stringContaining('clé d’API') },
  ])
  // Once a person reactivates it, it runs with the permissions of that person.
  await call(server, endpoints.move, { params: { id }, body: { state: 'active' } }, owner)
  expect((await run())[0]).toBe('done')
})

describe.skipIf(!hasSshd)('an SFTP server whose host key changed (skipped where sshd is not installed)', () => {
  let sshd: Awaited<ReturnType<typeof startSshd>>
  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd.close())

  test('is stopped, shows the new key, and resumes once somebody confirms that very key', async () => {
    const owner = await makeUser(server.db)
    const made = await bucket(owner, { kind: 'sftp', settings: sshd.settings })
    const { id, hostKey } = made
    expect(made).toMatchObject({ state: 'active', offeredKey: '', hostKey: expect.stringMatching(/^SHA256:/) })
    await sshd.changeKey()
    await runConnection(server.deps, { companyId: owner.companyId, id, askedBy: 'essai' })
    const [stopped] = await listOwnConnections(owner)
    expect(stopped).toMatchObject({ state: 'stopped', hostKey, offeredKey: expect.stringMatching(/^SHA256:/) })
    expect(stopped.offeredKey).not.toBe(hostKey)
    const accept = (fingerprint: string) =>
      call(server, endpoints.acceptKey, { params: { id }, body: { fingerprint } }, owner)
    for (const wrong of [hostKey, '', 'SHA256:autre'])
      expect((await accept(wrong)).body.issues).toMatchObject([{ path: 'fingerprint' }])
    const other = await makeUser(server.db)
    const foreign = { params: { id }, body: { fingerprint: stopped.offeredKey } }
    expect((await call(server, endpoints.acceptKey, foreign, other)).status).toBe(404)
    expect((await accept(stopped.offeredKey)).body).toMatchObject({
      state: 'active',
      trouble: '',
      hostKey: stopped.offeredKey,
      offeredKey: '',
    })
    await sshd.changeKey()
    await runConnection(server.deps, { companyId: owner.companyId, id, askedBy: 'essai' })
    const [again] = await listOwnConnections(owner)
    await sshd.changeKey()
    const refused = await accept(again.offeredKey)
    expect([refused.status, refused.body.code]).toEqual([409, 'trial-failed'])
    expect(await listOwnConnections(owner)).toMatchObject([{ state: 'stopped', hostKey: stopped.offeredKey }])
  })
})
