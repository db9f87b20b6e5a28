import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { apiKeys } from '@voisol/contract/api-keys'
import { operations } from '@voisol/contract/operations'
import { permissions } from '@voisol/contract/permissions'
import { webhooks } from '@voisol/contract/webhooks'
import { expect, inject, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { createTestDatabase, queryAs } from '../../../../test/database.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { getNodeArgs } from '../../../../test/process.ts'
import { useServer } from '../../../../test/server.ts'
import { authenticateSession } from '../../../http/session.ts'
import type { PostRequest } from '../../../integrations/post/post.ts'
import { signWebhookMessage } from '../webhooks/webhook-message.ts'
import {
  listCopies,
  makeCopy,
  openCopyStore,
  requireBackupKey,
  requireCopySource,
  restoreCopy,
  verifyCopy,
} from './index.ts'
import { createCopySource } from './restore-copy.ts'

const server = useServer()
const getVictimPath = (name: string) => join(import.meta.dirname, `../../../../test/${name}-victim.ts`)

/** Killed as soon as it says where it is. */
async function killWhenReady(name: string, args: string[]) {
  const child = spawn(process.execPath, getNodeArgs(getVictimPath(name), ...args), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}
const forgetCopies = async () => {
  for (const key of await openCopyStore(server.deps.config).list('copies'))
    await openCopyStore(server.deps.config).remove(key)
}
const listFolder = (folder: string) => {
  const path = join(server.deps.config.dataDir, folder)
  return existsSync(path) ? readdirSync(path) : []
}
/** As if nobody had written to any draft since yesterday. */
const ageDrafts = () => {
  const yesterday = (Date.now() - 86_400_000) / 1000
  for (const name of listFolder('copy-drafts'))
    utimesSync(join(server.deps.config.dataDir, 'copy-drafts', name), yesterday, yesterday)
}

test.each(['reading', 'placed'])('kill -9 while %s leaves nothing that looks like a copy', async (where) => {
  await makeUser(server.db)
  const { dataDir } = server.deps.config
  await killWhenReady('copy', [server.url, dataDir, where])
  // There is something to be taken for a copy.
  expect([...listFolder('copy-drafts'), ...listFolder('backups/copies')]).not.toEqual([])
  expect(await listCopies(openCopyStore(server.deps.config))).toEqual([])
  ageDrafts()
  const { manifest } = await makeCopy(server.deps)
  expect((await listCopies(openCopyStore(server.deps.config))).map((sheet) => sheet.manifest.name)).toEqual([
    manifest.name,
  ])
  expect(listFolder('copy-drafts')).toEqual([])
  await forgetCopies()
})

test('two copies begun at once, as by the night and a terminal, are both whole', async () => {
  await makeUser(server.db)
  const { config } = server.deps
  // Held when all of it is written and nothing is placed, while the other is made from its beginning to its end.
  const [written, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { files } = server.deps
  const held = makeCopy({
    ...server.deps,
    files: {
      ...files,
      list: async (folder) => {
        written.resolve()
        await go.promise
        return files.list(folder)
      },
    },
  })
  await written.promise
  const beside = await makeCopy(server.deps)
  go.resolve()
  const first = await held
  expect(first.manifest.name).not.toBe(beside.manifest.name)
  for (const { manifest } of [first, beside])
    expect(
      await verifyCopy(createCopySource(openCopyStore(config), manifest.name), requireBackupKey(config)),
    ).toMatchObject({
      name: manifest.name,
    })
  expect(listFolder('copy-drafts')).toEqual([])
  await forgetCopies()
})

test('kill -9 during a restore leaves a database in which there is nothing to serve, and which takes the next one', async () => {
  const { config, files } = server.deps
  const { companyId } = await makeUser(server.db)
  await files.put('audit-heads/2026-03-29.json', Buffer.from('{}'), 'application/json')
  await makeCopy(server.deps)
  const empty = await createTestDatabase(inject('postgres'), 'template0')
  await killWhenReady('restore', [config.dataDir, empty.url, empty.ownerUrl])
  const there = async () =>
    (await queryAs(empty.ownerUrl, `select to_regclass('public.companies') as name`)).rows[0].name
  expect(await there()).toBeNull()
  const { source } = await requireCopySource(openCopyStore(config), 'latest')
  const order = {
    source,
    key: requireBackupKey(config),
    secretKey: config.secretKey,
    url: empty.url,
    ownerUrl: empty.ownerUrl,
  }
  await restoreCopy(order)
  const { rows } = await queryAs(empty.ownerUrl, 'select count(*)::int as n from companies where id = $1', [companyId])
  expect(rows).toEqual([{ n: 1 }])
  await empty.drop()
  await forgetCopies()
})

const actorOf = async ({ companyId, id: userId, email, token }: Awaited<ReturnType<typeof makeUser>>) =>
  JSON.stringify({
    kind: 'person',
    sessionId: (await authenticateSession(server.db, token)).sessionId,
    companyId,
    userId,
    email,
    space: 'office',
    permissions,
    operationIds: null,
    keyId: null,
  })

test('kill -9 during the renewal of a key leaves the one there was, which is then renewed', async () => {
  const admin = await makeUser(server.db)
  const body = { name: 'Tableur', permissions: ['operations.read'] }
  const { body: made } = await call(server, apiKeys.create, { body }, admin)
  await killWhenReady('rotation', [server.url, server.deps.config.dataDir, await actorOf(admin), made.id])
  const list = async () => (await call(server, apiKeys.list, { query: {} }, admin)).body.items
  expect(await list()).toMatchObject([{ id: made.id, retiresAt: null }])
  expect((await call(server, operations.list, {}, { token: made.key })).status).toBe(200)
  const again = await call(server, apiKeys.rotate, { params: { id: made.id }, body: { overlapHours: 24 } }, admin)
  expect([again.status, (await list()).length]).toEqual([200, 2])
})

test('kill -9 during the renewal of a secret: what is sent bears the one there was, and after the next both', async () => {
  const admin = await makeUser(server.db)
  const sent: PostRequest[] = []
  server.deps.poster = { post: async (posting) => ({ status: sent.push(posting) && 200 }) }
  const body = { url: 'https://exemple.fr/crochet', events: ['operation.created'] }
  const { id, secret } = (await call(server, webhooks.create, { body }, admin)).body
  await killWhenReady('rotation', [server.url, server.deps.config.dataDir, await actorOf(admin), id, 'webhook'])
  const ping = async () => {
    await call(server, webhooks.test, { params: { id } }, admin)
    await waitForJobs(server)
    const [{ headers, body: said } = { headers: {} as Record<string, string>, body: '' }] = sent.slice(-1) // none is empty
    const at = Number(headers['webhook-timestamp'])
    const sign = (one: string) => signWebhookMessage([one], headers['webhook-id'] ?? '', at, said)
    return { signed: headers['webhook-signature'], sign }
  }
  const first = await ping()
  expect(first.signed).toBe(first.sign(secret))
  const renewed = await call(server, webhooks.rotate, { params: { id }, body: { overlapHours: 24 } }, admin)
  const both = await ping()
  expect(both.signed).toBe(`${both.sign(renewed.body.secret)} ${both.sign(secret)}`)
})
