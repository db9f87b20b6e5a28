import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeUser } from '../test/factories.ts'
import { useServer } from '../test/server.ts'
import { createDiskSpaceMonitor, NO_SPACE_MESSAGES } from './disk-monitor.ts'
import { toAppError } from './http/errors.ts'
import { createFolderStore } from './integrations/files/files.ts'

const server = useServer()
const full = (code: string) => Object.assign(new Error('could not extend file: No space left on device'), { code })
afterEach(() => vi.restoreAllMocks())

test.each(['53100', 'ENOSPC', 'EDQUOT'])('%s is reported in French, with a time to retry', (code) => {
  const problem = toAppError(new Error('Failed query', { cause: full(code) }))
  expect(problem).toMatchObject({ code: 'disk-full', status: 507, retryAfter: 60 })
  expect(problem?.message).toMatch(/plus de place.*rien n’a été enregistré/)
})

test('a full disk is reported to the writer, and by /readyz until there is space again', async () => {
  const { token } = await makeUser(server.db)
  const save = () =>
    server.app.inject({
      method: 'PUT',
      url: '/api/notifications/preferences',
      headers: { authorization: `Bearer ${token}` },
      payload: { items: [{ category: 'account', channel: 'mail', enabled: false }] },
    })
  const connect = vi.spyOn(server.deps.db.$client, 'connect') as { mockImplementation(work: unknown): void }
  connect.mockImplementation((taken: (error: Error) => void) => taken(full('53100')))
  const refused = await save()
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([507, '60', 'disk-full'])
  vi.restoreAllMocks()

  const query = vi.spyOn(server.deps.aside.$client, 'query') as { mockImplementation(work: unknown): void }
  const { query: real } = Object.getPrototypeOf(server.deps.aside.$client)
  query.mockImplementation((text: string, ...more: unknown[]) =>
    text.includes('room_trial') ? Promise.reject(full('53100')) : real.call(server.deps.aside.$client, text, ...more),
  )
  const away = await server.app.inject('/readyz')
  expect([away.statusCode, away.json().reasons]).toEqual([503, [NO_SPACE_MESSAGES.database]])
  vi.restoreAllMocks()

  expect((await server.app.inject('/readyz')).statusCode).toBe(200)
  expect((await save()).statusCode).toBe(200)
})

test('stored files have their own disk, and a check leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-room-'))
  const files = createFolderStore(folder)
  const room = createDiskSpaceMonitor({ dataDir: undefined, db: server.deps.aside, files })
  const put = vi.spyOn(files, 'put').mockImplementation(() => Promise.reject(full('ENOSPC')))
  expect(await room.lacking()).toBeUndefined()
  room.note(new Error('something else'))
  expect(await room.lacking()).toBeUndefined()
  room.note(full('ENOSPC'))
  expect(await room.lacking()).toBe(NO_SPACE_MESSAGES.files)
  expect(await room.lacking()).toBe(NO_SPACE_MESSAGES.files)
  put.mockRestore()
  expect(await room.lacking()).toBeUndefined()
  expect(await files.list('room')).toEqual([])
  rmSync(folder, { recursive: true })
})
