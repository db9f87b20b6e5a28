import { computeContrast } from '@voisol/contract/colour'
import { whiteLabel } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { loadMailBrand } from '../../../core/mail-brand.ts'
import { renderMail } from '../../identity/mail/index.ts'

const server = useServer()
const save = (who: { token: string; companyId: number }, body: Record<string, unknown>) =>
  call(server, whiteLabel.update, { params: { companyId: who.companyId }, body: { version: 0, ...body } }, who)

const HTML = '<img src=x onerror=alert(1)>"\'><script>alert(1)</script>'

test('what would leave its place is refused', async () => {
  const admin = await makeUser(server.db)
  const bad = [
    { fontFamily: 'Inter;}body{display:none' },
    { fontFamily: 'x", url(//evil.example)' },
    { primaryColor: '#fff;background:url(//x)' },
    { companyName: 'Voisin\u202esel' },
    { companyAddress: 'Rue\u2066x' },
    { companyName: 'a\nb' },
    { companyName: 'a'.repeat(300) },
    { companyAddress: 'a'.repeat(501) },
    { clientPortalCustomizations: { script: 'x' } },
    { clientPortalCustomizations: { welcome: 'a'.repeat(501) } },
    { customLogo: 'https://evil.example/l.png' },
  ]
  for (const body of bad) expect((await save(admin, body)).status, JSON.stringify(body)).toBe(422)
})

test('in a message its texts are words, its colour reads, and its logo is this site’s', async () => {
  const admin = await makeUser(server.db)
  const file = '/api/companies/1/brand-pictures/00000000-0000-4000-8000-000000000001'
  const look = {
    companyName: HTML,
    companyAddress: `${HTML}\n3 rue du Four`,
    primaryColor: '#FFFFFF',
    customLogo: `${file}.svg`,
  }
  expect((await save(admin, look)).status).toBe(200)
  const { body } = await call(
    server,
    whiteLabel.previewMail,
    { params: { companyId: admin.companyId }, body: {} },
    admin,
  )
  expect(body.html).not.toMatch(/<script|<img/)
  expect(body.html).toContain('&lt;script&gt;')
  expect(body.text).toContain('<script>')
  // White on white would be neither seen nor read.
  const [, ground = '', words = ''] =
    /bgcolor="(#\w{6})" style="border-radius:8px[^>]*>\n<a href="[^"]+" style="[^"]*color:(#\w{6});text-decoration/.exec(
      body.html,
    ) ?? []
  expect(computeContrast(ground, words)).toBeGreaterThan(4.5)
  expect(computeContrast(ground, '#FFFFFF')).toBeGreaterThan(3)
  const [, link = ''] = /style="color:(#\w{6});word-break/.exec(body.html) ?? []
  expect(computeContrast(link, '#FFFFFF')).toBeGreaterThan(4.5)
  const brand = await loadMailBrand(server.db, server.deps.config, admin.companyId)
  expect(brand?.logo).toBe('')
  const shown = renderMail({
    title: 'Un',
    paragraphs: [],
    footer: '',
    brand: brand && { ...brand, logo: 'https://a.example/"onload=x' },
  })
  expect(shown.html).toContain('src="https://a.example/&quot;onload=x"')
})

test('a look is tried by whoever may change it, and nothing of it stays', async () => {
  const admin = await makeUser(server.db)
  const params = { companyId: admin.companyId }
  const tried = await call(server, whiteLabel.previewMail, { params, body: { companyName: 'À l’essai' } }, admin)
  expect(tried.body.subject).toBe('Rejoindre À l’essai')
  expect((await call(server, whiteLabel.get, { params })).body.version).toBe(0)
  const paper = await call(server, whiteLabel.previewInvoice, { params, body: {} }, admin)
  expect([paper.status, paper.body.detail]).toEqual([409, expect.stringContaining('Aucune facture')])
  const stranger = await makeUser(server.db)
  expect((await call(server, whiteLabel.previewMail, { params, body: {} }, stranger)).status).toBe(404)
})
