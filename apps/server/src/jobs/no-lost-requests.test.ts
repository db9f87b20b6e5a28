import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { listJobStates } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { transaction } from '../db/client.ts'
import { enqueue } from './queue.ts'

const server = useServer()
const ID = '6b1f7c93-2d54-4e08-9a6b-c3d8e7f01a25'
const states = async (name: string) => (await listJobStates(server, name, ID)).join(' ')

describe('a request made while a job ends is not lost', () => {
  test.each([
    ['allocations.refresh', 'operations', { companyId: 1, month: '2025-04-01', operationId: ID }],
    ['sync.run', 'enedis_credentials', { companyId: 1, credentialId: ID }],
    ['events.deliver', 'event_cursors', { companyId: 987 }],
  ] as const)('%s', async (name, table, data) => {
    const ask = () => enqueue(server.db, name, data as never, { once: ID }) // data matches its name
    await transaction(server.db, async (tx) => {
      // The running job waits for this table.
      await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`)
      await ask()
      await waitUntil(async () => (await states(name)) === 'active')
      expect([await ask(), await ask()]).toEqual([true, false])
    })
    await waitUntil(async () => (await states(name)) === 'completed completed')
  })
})
