import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { syncTasks } from '../../../db/schema/index.ts'
import { insertCredential } from '../../enedis/credentials/credentials.ts'
import { waitForAnswers } from './ask-distributor.ts'

const server = useServer()

test('waits for the manual requests of one company only, and stops when aborted', async () => {
  const { db, deps } = server
  const make = async () => {
    const { companyId } = await makeUser(db)
    const place = { companyId, operationId: null, environment: 'local', backend: 'holder' } as const
    const credential = await insertCredential(db, deps.secrets, { ...place, clientId: 'a', clientSecret: 'b' })
    const span = { kind: 'definitive', credentialId: credential?.id ?? '', from: '2025-01-01', to: '2025-02-01' }
    const about = { ...span, operationId: crypto.randomUUID(), trigger: 'manual', status: 'waiting', points: 1 }
    await db.insert(syncTasks).values([
      { companyId, ...about },
      { companyId, ...about, trigger: 'daily' },
    ])
    return companyId
  }
  const [own] = [await make(), await make()]
  const stopped = AbortSignal.abort()
  await expect(waitForAnswers(deps, own, stopped)).rejects.toThrow()
  let came = false
  const waiting = waitForAnswers(deps, own, new AbortController().signal).then(() => {
    came = true
  })
  await expect(waitForAnswers(deps, own, AbortSignal.timeout(50))).rejects.toThrow()
  expect(came).toBe(false)
  await db
    .update(syncTasks)
    .set({ finishedAt: new Date() })
    .where(and(eq(syncTasks.companyId, own), eq(syncTasks.trigger, 'manual')))
  await waiting
  await waitForAnswers(deps, own, stopped)
})
