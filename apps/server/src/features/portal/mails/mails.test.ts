import { mails } from '@voisol/contract/mails'
import { whiteLabel } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications } from '../../../db/schema/index.ts'

const server = useServer()

test('lists every mail, and mandatory ones have no unsubscribe', async () => {
  const admin = await makeUser(server.db)
  const { body } = await call(server, mails.list, {}, admin)
  const left = body.items.filter(({ unsubscribe }: { unsubscribe: boolean }) => unsubscribe)
  expect(body.items).toHaveLength(26)
  expect(left.map(({ kind }: { kind: string }) => kind)).toEqual([
    'report',
    'notification-operations',
    'notification-distributor',
    'notification-system',
    'notification-hours',
    'notification-month',
  ])
})

test('a sample has the company’s branding and data, and hides other people’s data', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const body = {
    version: 0,
    companyName: 'Soleil du Vercors',
    primaryColor: '#8a1c4a',
    companyAddress: '3 rue du Four',
  }
  await call(server, whiteLabel.update, { params: { companyId }, body }, admin)
  const sample = (kind: string) => call(server, mails.sample, { query: { kind } }, admin)
  for (const kind of ['invitation', 'reset', 'verification']) {
    const { html, text } = (await sample(kind)).body
    expect(html, kind).toContain('#8A1C4A')
    for (const part of [html, text]) expect(part, kind).toContain('Soleil du Vercors · 3 rue du Four')
  }
  expect((await sample('invoice')).body.detail).toContain('n’a encore rien envoyé de tel')
  const other = await makeUser(server.db, { companyId })
  const about = { companyId, type: 'info', priority: 'high', message: 'Un message.' } as const
  await server.db.insert(notifications).values([
    { ...about, userId: other.id, category: 'support', title: 'D’une autre', eventKey: 'a' },
    { ...about, userId: other.id, category: 'hours', title: 'Demain de 11 à 15 h', eventKey: 'b' },
    { ...about, userId: admin.id, category: 'system', title: 'À moi', eventKey: 'c' },
  ])
  expect((await sample('notification-support')).status).toBe(409)
  expect((await sample('notification-hours')).body.subject).toBe('Demain de 11 à 15 h')
  expect((await sample('notification-system')).body.subject).toBe('À moi')
})

const HOSTILE = {
  companyName: 'Toits "><script>alert(1)</script>',
  companyAddress: '3 rue <img src=x onerror=alert(2)>',
}
const SERVICE = ['welcome', 'consent-request', 'consent-ending']
const JOINING = [
  ['joining-link', 'Votre demande pour rejoindre Les Tilleuls'],
  ['joining-signed', 'Votre demande pour rejoindre Les Tilleuls est signée'],
  ['joining-accepted', 'Bienvenue dans Les Tilleuls'],
  ['joining-refused', 'Votre demande pour rejoindre Les Tilleuls'],
  ['departure-accepted', expect.stringMatching(/^Votre départ des Tilleuls le /)],
  ['departure-refused', expect.stringContaining('n’est pas accepté')],
  ['successor', expect.stringContaining('Tilleuls')],
] as const

test('mails to participants and applicants can be previewed before the first is sent, with any branding', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  await call(server, whiteLabel.update, { params: { companyId }, body: { version: 0, ...HOSTILE } }, admin)
  const sample = (kind: string) => call(server, mails.sample, { query: { kind } }, admin)
  expect((await sample('joining-link')).status).toBe(409)
  await makeOperation(server.db, { companyId, name: 'Les Tilleuls' })
  // Operations of another company do not appear in the samples.
  await makeOperation(server.db, { companyId: (await makeUser(server.db)).companyId, name: 'Ailleurs' })
  for (const kind of [...SERVICE, ...JOINING.map(([name]) => name)]) {
    const { status, body } = await sample(kind)
    expect([kind, status]).toEqual([kind, 200])
    expect(body.html, kind).toContain('&lt;script&gt;')
    expect(body.html, kind).not.toMatch(/<script|<img src=x/)
    expect(body.text, kind).toContain('Bonjour')
    expect(body.text, kind).toContain(HOSTILE.companyAddress)
    expect(body.text, kind).not.toContain('Ailleurs')
  }
  for (const [kind, subject] of JOINING) expect((await sample(kind)).body.subject, kind).toEqual(subject)
})

test('a user without permission to read operations sees no sample about them', async () => {
  const admin = await makeUser(server.db, { permissions: ['companies.read', 'companies.write'] })
  await makeOperation(server.db, { companyId: admin.companyId })
  const refused = await call(server, mails.sample, { query: { kind: 'joining-link' } }, admin)
  expect([refused.status, refused.body.detail]).toEqual([409, 'Votre rôle ne lit pas ce dont ce message parle.'])
})
