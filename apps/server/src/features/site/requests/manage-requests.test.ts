import { requests as endpoints } from '@voisol/contract/requests'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeRequest } from '../../../../test/factories-site.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { requests } from '../../../db/schema/index.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeSiteAdmin>>
let count = 0
beforeEach(async () => {
  await server.db.delete(requests)
  admin = await makeSiteAdmin(server.db)
})
const make = (more: object = {}) => makeRequest(server.db, { email: `demandeur${++count}@exemple.fr`, ...more })
const list = async (query: Record<string, string> = {}) =>
  (await call(server, endpoints.list, { query }, admin)).body as { items: Record<string, unknown>[]; total: number }
const update = (id: string, body: object) => call(server, endpoints.update, { params: { id }, body }, admin)
const reply = (id: string, body: object) => call(server, endpoints.reply, { params: { id }, body }, admin)

describe('the list', () => {
  test('is newest first, searched, filtered, sorted and cut into pages', async () => {
    await make({ createdAt: new Date('2026-01-01'), lastName: 'Éluard' })
    await make({ kind: 'newsletter', status: 'closed', subscription: 'confirmed', createdAt: new Date('2026-01-03') })
    await make({ kind: 'webinar', subject: 'Partager son toit', createdAt: new Date('2026-01-02') })
    expect((await list()).items.map(({ kind }) => kind)).toEqual(['newsletter', 'webinar', 'contact'])
    expect((await list({ q: 'eluard' })).items).toMatchObject([{ lastName: 'Éluard', subscription: 'none' }])
    expect((await list({ kind: 'webinar' })).items).toMatchObject([{ subject: 'Partager son toit' }])
    expect((await list({ status: 'closed' })).total).toBe(1)
    expect((await list({ sort: 'createdAt', size: '1' })).items).toMatchObject([{ kind: 'contact' }])
    expect(Object.keys((await list()).items[0] ?? {})).not.toContain('fingerprint')
    for (const query of [{ kind: 'x' }, { status: 'x' }, { page: '0' }])
      expect((await call(server, endpoints.list, { query }, admin)).status).toBe(422)
  })

  test('is taken away as a table in which nothing runs', async () => {
    await make({ message: '=HYPERLINK("http://x";"y")', note: 'à rappeler' })
    const csv = await call(server, endpoints.export, { query: {} }, admin)
    expect(csv.text).toContain(`"'=HYPERLINK(""http://x"";""y"")"`)
    expect(csv.text).toContain('Tarifs')
    expect((await call(server, endpoints.export, { query: { format: 'xlsx' } }, admin)).status).toBe(200)
  })

  test('and each of its rows are closed to the administrators of another company', async () => {
    const { id } = await make()
    const other = await makeUser(server.db)
    for (const e of [endpoints.list, endpoints.export, endpoints.update, endpoints.reply]) {
      const body = { version: 1, message: 'Prise' }
      const { status, text } = await call(server, e, { params: { id }, ...(e.method !== 'GET' && { body }) }, other)
      expect(status).toBe(403)
      expect(text).not.toContain('Lefèvre')
    }
  })
})

describe('following a request', () => {
  test('keeps its state, its note and who follows it', async () => {
    const { id } = await make()
    const { status, body } = await update(id, { version: 1, status: 'in-progress', note: 'Rappeler\r\nmardi' })
    expect(status).toBe(200)
    const handledBy = `${admin.firstName} ${admin.lastName}`
    expect(body).toMatchObject({ status: 'in-progress', note: 'Rappeler\nmardi', handledBy, version: 2 })
    expect((await update(id, { version: 1, status: 'closed' })).body).toMatchObject({ code: 'stale' })
    expect((await update('00000000-0000-4000-8000-000000000000', { version: 1 })).status).toBe(404)
    for (const bad of [{ status: 'x' }, { note: 'x'.repeat(5001) }, { handledBy: 'x' }, { version: 0 }])
      expect((await update(id, { version: 2, ...bad })).status).toBe(422)
  })

  test('answering mails the visitor what was written, as text, with a copy for the team', async () => {
    const { id, email } = await make({ message: 'Combien <b>coûte</b> Voisol ?' })
    const message = 'Bonjour,\n\nVoici nos tarifs <script>alert(1)</script>\nÀ bientôt'
    const { status, body } = await reply(id, { version: 1, message })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'answered', handledBy: `${admin.firstName} ${admin.lastName}`, version: 2 })
    const [mail] = await waitForMails(server, email)
    expect(mail?.subject).toBe('Votre demande\u00a0: Tarifs')
    expect(mail?.replyTo?.[0]?.address).toBe('support@voisol.fr')
    expect(mail?.text).toContain('Voici nos tarifs')
    expect(mail?.html).toContain('Combien &lt;b&gt;coûte&lt;/b&gt;')
    expect(mail?.html).not.toContain('<script')
    await waitUntil(async () =>
      (await listMailsTo(server, 'support@voisol.fr')).find(({ subject }) => subject?.includes(email)),
    )
  })

  test('of two who answer at once, one does', async () => {
    const { id, email } = await make()
    const answers = await Promise.all([1, 2].map((n) => reply(id, { version: 1, message: `Réponse ${n}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await waitForMails(server, email)
    await waitForJobs(server)
    expect(await listMailsTo(server, email)).toHaveLength(1)
    for (const message of ['', '  ', '\u0007', 'x'.repeat(10_001), null])
      expect((await reply(id, { version: 2, message })).body.issues[0].path).toBe('message')
  })
})
