import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { energy } from '@voisol/contract/energy'
import { invoices as api } from '@voisol/contract/invoices'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import type { Deps } from '../../../deps.ts'
import { mailDocuments } from './invoice-mail.ts'
import { findInvoiceById } from './load-invoice.ts'
import { importPlatformAnswers } from './send-invoices.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-platform-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const server = useServer({ INVOICE_PLATFORM_FOLDER: root })
let admin: Awaited<ReturnType<typeof makeUser>>
let ids: string[]
beforeAll(async () => {
  admin = await makeUser(server.db)
  const world = await makeMonthFixture(server.db, { companyId: admin.companyId, members: 3, prefix: 'D-' })
  ids = (await issueMonthDocuments(server.db, world)).ids
  await waitForJobs(server)
})

const send = (id = '', channel = 'chorus') =>
  call(server, api.send, { params: { id }, body: { channel } }, { token: admin.token })
const follow = (id: string | undefined, body: object) => call(server, api.follow, { params: { id }, body }, admin)
const stateOf = async (id = '') => {
  const { body } = await call(server, api.get, { params: { id } }, admin)
  return body.deliveries.at(-1)
}
const attention = async () =>
  (await call(server, energy.attention, {}, admin)).body.items.filter(({ kind }: { kind: string }) =>
    ['delivery-failed', 'to-deposit'].includes(kind),
  ) as { kind: string; message: string; url: string }[]

/** Dependencies with a mail server that is down. */
const withoutMail = (): Deps => ({
  ...server.deps,
  mailer: { ...server.deps.mailer, send: () => Promise.reject(new Error('connect ECONNREFUSED')) },
})

test('retries an unreachable mail server, then reports the failure and shows it to the sender', async () => {
  const invoice = await findInvoiceById(server.db, admin.companyId, ids[0] ?? '')
  if (!invoice) throw new Error('no invoice')
  const task = { id: crypto.randomUUID(), signal: new AbortController().signal }
  const deliveryId = crypto.randomUUID()
  await expect(mailDocuments(withoutMail(), [{ invoice, deliveryId }], task)).rejects.toThrow('ECONNREFUSED')
  expect(await stateOf(ids[0])).toBeUndefined()
  await mailDocuments(withoutMail(), [{ invoice, deliveryId }], { ...task, last: true })
  expect(await stateOf(ids[0])).toMatchObject({ state: 'failed', detail: expect.stringContaining('n’a pas répondu') })
  const [item] = await attention()
  expect(item).toMatchObject({ kind: 'delivery-failed', url: `/invoice/${ids[0]}` })
  expect(item?.message).toContain(invoice.number)
  await send(ids[0], 'portal')
  expect(await attention()).toEqual([])
})

test('tracks a Chorus Pro document from deposit to its later states, in a valid order only', async () => {
  const [, id] = ids
  expect((await follow(id, { channel: 'chorus', state: 'deposited' })).status).toBe(409)
  await send(id)
  expect(await attention()).toMatchObject([{ kind: 'to-deposit' }])
  const early = await follow(id, { channel: 'chorus', state: 'paid' })
  expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining('En attente')])
  expect((await follow(id, { channel: 'chorus', state: 'deposited' })).body.deliveries.at(-1).state).toBe('deposited')
  expect(await attention()).toEqual([])
  const bare = await follow(id, { channel: 'chorus', state: 'rejected' })
  expect([bare.status, bare.body.issues[0].path]).toEqual([422, 'detail'])
  await follow(id, { channel: 'chorus', state: 'rejected', detail: 'Numéro d’engagement inconnu' })
  expect(await attention()).toMatchObject([{ kind: 'delivery-failed', message: expect.stringContaining('engagement') }])
  await follow(id, { channel: 'chorus', state: 'deposited' })
  await follow(id, { channel: 'chorus', state: 'available' })
  const { body } = await follow(id, { channel: 'chorus', state: 'paid' })
  const again = await follow(id, { channel: 'chorus', state: 'paid' })
  expect(again.body.deliveries).toEqual(body.deliveries)
  const other = await makeUser(server.db)
  const theirs = { params: { id }, body: { channel: 'chorus', state: 'deposited' } }
  expect((await call(server, api.follow, theirs, other)).status).toBe(404)
})

test('deposits a file with the platform, imports its states once, and reports a refusal', async () => {
  const [, , id = ''] = ids
  expect((await send(id, 'pa')).status).toBe(200)
  await waitForJobs(server)
  expect(await stateOf(id)).toMatchObject({ channel: 'pa', state: 'deposited' })
  const mine = join(root, String(admin.companyId))
  const [file = ''] = readdirSync(join(mine, 'factures'))
  const { number } = (await findInvoiceById(server.db, admin.companyId, id)) ?? { number: '' }
  expect([
    file,
    readFileSync(join(mine, 'factures', file))
      .subarray(0, 5)
      .toString(),
  ]).toEqual([`${number}.pdf`, '%PDF-'])

  const answers = join(mine, 'statuts')
  mkdirSync(answers, { recursive: true })
  const text = `numero;etat;motif\r\n${number};Rejeté;SIREN de l’acheteur inconnu\r\n`
  writeFileSync(join(answers, '2026-06-01.csv'), text)
  writeFileSync(join(answers, '2026-06-02.csv'), 'D-9999;payé;\n')
  writeFileSync(join(root, 'ailleurs.csv'), `${number};payé;\n`)
  symlinkSync(join(root, 'ailleurs.csv'), join(answers, '2026-06-03.csv'))
  await importPlatformAnswers(server.deps)
  expect(await stateOf(id)).toMatchObject({ state: 'rejected', detail: 'SIREN de l’acheteur inconnu' })
  expect(await attention()).toMatchObject([{ kind: 'delivery-failed', url: `/invoice/${id}` }])
  expect(readdirSync(join(answers, 'lus'))).toEqual(['2026-06-01.csv'])
  expect(readdirSync(join(answers, 'refuses')).sort()).toEqual(['2026-06-02.csv', '2026-06-02.csv.raison.txt'])
  expect(readFileSync(join(answers, 'refuses', '2026-06-02.csv.raison.txt'), 'utf8')).toContain('D-9999')

  // The same answer file again changes nothing, even after a new deposit.
  await send(id, 'pa')
  await waitForJobs(server)
  writeFileSync(join(answers, '2026-06-01.csv'), text)
  await importPlatformAnswers(server.deps)
  expect(await stateOf(id)).toMatchObject({ state: 'deposited' })
})
