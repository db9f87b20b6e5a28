import { mails } from '@voisol/contract/mails'
import { whiteLabel } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications } from '../../../db/schema/index.ts'

const server = useServer()

test('every message is listed; those that must be read cannot be left', async () => {
  const admin = await makeUser(server.db)
  const { body } = await call(server, mails.list, {}, admin)
  const left = body.items.filter(({ unsubscribe }: { unsubscribe: boolean }) => unsubscribe)
  expect(body.items).toHaveLength(15)
  expect(left.map(({ kind }: { kind: string }) => kind)).toEqual([
    'notification-operations',
    'notification-distributor',
    'notification-system',
    'notification-hours',
  ])
})

test('a sample wears the company’s look, is made of what it sent, and what is another’s is not shown', async () => {
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
