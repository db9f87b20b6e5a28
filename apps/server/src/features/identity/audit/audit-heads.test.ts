import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { appendAuditEntries, makeAuditChain } from '../../../../test/factories-audit.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { runAuditVerifyCommand } from '../../../cli/audit.ts'
import { createSecrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { loadHeadsSnapshots, parseHeadsSnapshot, storeHeadsSnapshot } from './audit-heads.ts'
import { auditJobs } from './jobs.ts'
import { verifyAudit } from './verify-audit.ts'

const KEEPER = 'archives@exemple.fr'
const server = useServer({ AUDIT_MAIL: KEEPER })
const DAY = '2026-03-29'
const KEPT = `audit-heads/${DAY}.json`

let id = 0
let sheet = ''
beforeEach(async () => {
  const { db, deps } = server
  id = await makeAuditChain(server, 6)
  sheet = (await storeHeadsSnapshot(db, deps.secrets, deps.files, DAY)) ?? ''
})
afterEach(async () => {
  for (const key of await server.deps.files.list('audit-heads')) await server.deps.files.remove(key)
  await server.asOwner('truncate audit_entries, audit_heads')
})

/** Deletes the last entries and resets the head accordingly, as the database owner could. */
const cutTo = async (seq: number) => {
  await server.asOwner('delete from audit_entries where company_id = $1 and seq > $2', [id, seq])
  await server.asOwner(
    `update audit_heads h set seq = e.seq, hash = e.hash from audit_entries e
      where e.company_id = h.company_id and h.company_id = $1 and e.seq = $2`,
    [id, seq],
  )
}
const verify = async (text = sheet) => {
  const { db, deps } = server
  const chains = await verifyAudit(db, deps.secrets, [parseHeadsSnapshot(deps.secrets, KEPT, text)])
  return chains.find(({ companyId }) => companyId === id)
}
const verifyWithoutSnapshot = async () => (await verify(''))?.broken

describe('chain heads stored outside the database', () => {
  test('match a chain that has grown since', async () => {
    await appendAuditEntries(server, id, 7, 9)
    expect(await verify()).toMatchObject({ links: 9 })
    expect((await verify())?.broken).toBeUndefined()
  })

  test('detect last entries removed together with the head, which the database alone does not', async () => {
    await cutTo(4)
    expect(await verifyWithoutSnapshot()).toBeUndefined()
    expect((await verify())?.broken).toEqual({ seq: 5, fault: 'cut', sheet: KEPT })
  })

  test('detect a chain that was removed completely', async () => {
    await server.asOwner('delete from audit_entries where company_id = $1', [id])
    await server.asOwner('delete from audit_heads where company_id = $1', [id])
    expect(await verify('')).toBeUndefined()
    expect((await verify())?.broken).toEqual({ seq: 1, fault: 'cut', sheet: KEPT })
  })

  test('detect last entries replaced by new ones, even signed with the key', async () => {
    await cutTo(4)
    await appendAuditEntries(server, id, 70, 72)
    expect(await verifyWithoutSnapshot()).toBeUndefined()
    expect((await verify())?.broken).toEqual({ seq: 6, fault: 'rewritten', sheet: KEPT })
  })

  test('are not needed when entries were replaced without the key', async () => {
    const { secrets } = server.deps
    await cutTo(4)
    server.deps.secrets = createSecrets(Buffer.alloc(32, 77))
    await appendAuditEntries(server, id, 70, 72)
    server.deps.secrets = secrets
    expect(await verifyWithoutSnapshot()).toEqual({ seq: 5, fault: 'changed' })
  })

  test('are ignored once somebody has changed them', async () => {
    const { secrets } = server.deps
    const forged = [sheet.replace('"seq": 6', '"seq": 4'), sheet.replace(DAY, '2026-03-30'), '', '{}', 'x', '[]']
    expect(forged.map((text) => parseHeadsSnapshot(secrets, 'x', text).signed)).toEqual(forged.map(() => false))
    expect(parseHeadsSnapshot(createSecrets(Buffer.alloc(32, 77)), 'x', sheet).signed).toBe(false)
    expect(parseHeadsSnapshot(secrets, 'x', sheet).signed).toBe(true)
    await cutTo(4)
    expect((await verify(sheet.replace('"seq": 6', '"seq": 5')))?.broken).toBeUndefined()
  })
})

describe('the daily job', () => {
  const task = { id: crypto.randomUUID(), signal: new AbortController().signal }
  const run = () => auditJobs['audit.heads'].run(server.deps, {}, task)

  test('stores one snapshot per day, never overwrites it, and mails it once', async () => {
    await run()
    const read = async () =>
      Buffer.from((await server.deps.files.get(`audit-heads/${getToday()}.json`)) ?? []).toString()
    const kept = await read()
    await appendAuditEntries(server, id, 7, 8)
    await run()
    expect(await read()).toBe(kept)
    expect(JSON.parse(kept)).toMatchObject({ day: getToday(), heads: [{ companyId: id, seq: 6 }] })
    await waitForJobs(server)
    const mails = await listMailsTo(server, KEEPER)
    expect(mails).toHaveLength(1)
    const [attached] = mails[0]?.attachments ?? []
    expect(attached?.filename).toBe(`voisol-audit-${getToday()}.json`)
    const text = Buffer.from(attached?.content as ArrayBuffer).toString() // bytes, unless asked otherwise
    expect(parseHeadsSnapshot(server.deps.secrets, 'mail', text).signed).toBe(true)
    expect((await loadHeadsSnapshots(server.deps.secrets, server.deps.files)).map(({ name }) => name)).toEqual([
      KEPT,
      `audit-heads/${getToday()}.json`,
    ])
  })

  test('stores nothing while there are no entries', async () => {
    await server.asOwner('truncate audit_entries, audit_heads')
    expect(await storeHeadsSnapshot(server.db, server.deps.secrets, server.deps.files, '2026-03-30')).toBeUndefined()
    expect(await server.deps.files.list('audit-heads')).toEqual([KEPT])
  })
})

describe('voisol audit verify', () => {
  const say = async (heads?: string) => {
    const lines: string[] = []
    const said = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    const ok = await runAuditVerifyCommand(server.deps, { heads }).finally(() => said.mockRestore())
    return { ok, text: lines.join('\n') }
  }

  test('reports an intact log and the period of the stored heads', async () => {
    const { ok, text } = await say()
    expect(ok).toBe(true)
    expect(text).toContain(`✓ 1 relevé des têtes hors de la base, du ${DAY} au ${DAY}.`)
    expect(text).toMatch(
      new RegExp(`✓ Organisation ${id}\u00a0: 6 maillons, tête [0-9a-f]{16}\n\nLe journal d’audit est intact.`),
    )
  })

  test('names the company, the first missing entry and the snapshot that proves it', async () => {
    await cutTo(4)
    const { ok, text } = await say()
    expect(ok).toBe(false)
    const what = 'le maillon 5 est rompu, la fin du journal a été coupée à partir de là'
    expect(text).toContain(`✗ Organisation ${id}\u00a0: ${what} (d’après ${KEPT}).\n\n1 chaîne rompue.`)
  })

  test('accepts a snapshot received by mail when the stored ones are gone, and refuses a foreign one', async () => {
    const path = join(server.deps.config.dataDir, 'received.json')
    writeFileSync(path, sheet)
    await server.deps.files.remove(KEPT)
    await cutTo(4)
    expect(await say()).toMatchObject({ ok: true, text: expect.stringContaining('! Aucun relevé des têtes') })
    expect(await say(path)).toMatchObject({ ok: false, text: expect.stringContaining(`(d’après ${path})`) })
    writeFileSync(path, sheet.replace('"seq": 6', '"seq": 4'))
    const { ok, text } = await say(path)
    expect(ok).toBe(false)
    expect(text).toContain(`✗ ${path}\u00a0: illisible, ou non signé`)
    expect(text).toContain('mais 1 relevé ne prouve rien')
    await expect(say(`${path}.absent`)).rejects.toThrow('ne peut pas être lu')
  })
})
