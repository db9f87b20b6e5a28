import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections as endpoints } from '@voisol/contract/connections'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { listMailsTo } from '../../test/mails.ts'
import { useServer } from '../../test/server.ts'
import { createMailCatcher } from '../integrations/mail/catcher.ts'
import { createOutboundClient } from '../integrations/post/outbound-client.ts'
import { sendCompanyMail } from './company-mail.ts'

const server = useServer()
const folder = mkdtempSync(join(tmpdir(), 'voisol-own-sender-'))
let own: Awaited<ReturnType<typeof createMailCatcher>>
const records = new Map([['exemple.fr', ['v=spf1 a:smtp.exemple.fr -all']]])
beforeAll(async () => {
  own = await createMailCatcher(folder)
  server.deps.outside = createOutboundClient({ inner: true, txt: async (name) => records.get(name) ?? [] })
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a company mails through its own server; when it fails ours is used, and the log says so', async () => {
  const owner = await makeUser(server.db)
  const { hostname: host, port } = new URL(own.url)
  const settings = { host, port, encryption: 'starttls', sender: 'contact@exemple.fr', senderName: 'Les Toits' }
  const { body: tested } = await call(server, endpoints.check, { body: { kind: 'smtp', settings } }, owner)
  expect(tested.facts).toMatchObject([
    { label: 'SPF', ok: true },
    { label: 'DMARC', ok: false, value: expect.stringContaining('_dmarc.exemple.fr') },
    { label: 'DKIM', ok: false },
  ])
  const { body: made } = await call(server, endpoints.create, { body: { kind: 'smtp', name: 'Nous', settings } }, owner)
  expect(made).toMatchObject({ state: 'active', nextRunAt: null })
  const mail = { to: 'voisin@exemple.fr', subject: 'Bonjour', text: 'a', html: '<p>a</p>' }
  await sendCompanyMail(server.deps, owner.companyId, mail)
  const [sent] = await own.messages()
  expect(sent).toMatchObject({ subject: 'Bonjour', from: { address: 'contact@exemple.fr', name: 'Les Toits' } })
  expect(await listMailsTo(server, mail.to)).toEqual([])
  await own.close()
  await sendCompanyMail(server.deps, owner.companyId, mail)
  expect(await listMailsTo(server, mail.to)).toHaveLength(1)
  const params = { id: made.id }
  const { items } = (await call(server, endpoints.runs, { params }, owner)).body
  const log = (await call(server, endpoints.run, { params: { ...params, runId: items[0].id } }, owner)).body
  expect(log.steps.at(-1).text).toBe('Le message est parti par l’expéditeur de Voisol.')
})
