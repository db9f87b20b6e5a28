import type { Page } from '@playwright/test'
import { openInteractive } from '../fixtures.ts'
import { expect, test } from './people.ts'

/** Everything that the policy of a page refused, from its first moment and over all that is opened in it. */
async function watchViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  await page.exposeFunction('tellViolation', (text: string) => found.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const tell = Reflect.get(window, 'tellViolation') as (text: string) => void // exposed by the test
      tell(`${location.pathname}: ${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  return found
}

const PUBLIC = ['/', '/login', '/register', '/features', '/pricing', '/simulator', '/contact', '/status']
const OFFICE = [
  '/dashboard',
  '/acc-operations',
  '/participants',
  '/curves',
  '/invoices',
  '/users',
  '/settings',
  '/settings/profile',
]
const PORTAL = ['/client-portal', '/client-portal/consumption', '/client-portal/invoices', '/client-portal/impact']

test('no page of the site writes markup by itself', async ({ page }) => {
  const violations = await watchViolations(page)
  for (const path of PUBLIC) {
    await openInteractive(page, path)
    await page.waitForLoadState('networkidle')
  }
  expect(violations).toEqual([])
})

test('no screen of the back office writes markup by itself', async ({ page, signedIn }) => {
  const violations = await watchViolations(page)
  await signedIn('admin')
  for (const path of OFFICE) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  // What comes up over a screen: the palette, a menu, a dialog.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  expect(violations).toEqual([])
})

test('no screen of the portal writes markup by itself', async ({ page, signedIn }) => {
  const violations = await watchViolations(page)
  await signedIn('client')
  for (const path of PORTAL) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(violations).toEqual([])
})

/** What a text that somebody slipped in would do; each leaves `window.ran` behind. */
const ATTACKS: [string, () => unknown][] = [
  ['markup', () => Object.assign(document.createElement('div'), { innerHTML: '<img src=x onerror="window.ran=1">' })],
  ['markup after', () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.ran=1">')],
  ['a frame', () => Object.assign(document.createElement('iframe'), { srcdoc: '<script>parent.ran=1</script>' })],
  ['a program elsewhere', () => Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' })],
  ['a program of its own', () => Object.assign(document.createElement('script'), { text: 'window.ran=1' })],
  ['a handler', () => document.body.setAttribute('onclick', 'window.ran=1')],
  ['a policy of its own', () => Reflect.get(window, 'trustedTypes').createPolicy('evil', {})],
  ['the policy of mails again', () => Reflect.get(window, 'trustedTypes').createPolicy('mail-preview', {})],
]

test('a text that would become markup or a program is refused on every kind of page', async ({ page, signedIn }) => {
  await signedIn('admin')
  for (const path of ['/', '/login', '/dashboard']) {
    await openInteractive(page, path)
    for (const [name, attack] of ATTACKS) {
      const thrown = await page.evaluate(attack).then(
        () => '',
        (error: Error) => error.message,
      )
      expect([
        path,
        name,
        /TrustedHTML|TrustedScript|TrustedTypes|Content Security Policy|policy/i.test(thrown),
      ]).toEqual([path, name, true])
    }
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
  }
})

test('the reference of the API has an origin of its own: it reads no session, and no answer of the API', async ({
  page,
}) => {
  await page.goto('/login')
  await page.evaluate(() => {
    localStorage.setItem('token', 'a-token')
    // biome-ignore lint/suspicious/noDocumentCookie: as the page itself writes it
    document.cookie = 'token=a-token; Path=/; SameSite=Strict'
  })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto('/api/reference')
  await expect(page.getByRole('heading', { name: 'API Voisol' })).toBeVisible()
  const found = await page.evaluate(async () => ({
    origin: self.origin,
    stored: localStorage.getItem('token'),
    cookie: await Promise.resolve()
      .then(() => document.cookie)
      .catch(({ name }) => name),
    answer: await fetch('/api/openapi.json').then(
      ({ status }) => status,
      ({ name }) => name,
    ),
  }))
  expect(found).toEqual({ origin: 'null', stored: null, cookie: 'SecurityError', answer: 'TypeError' })
  const download = page.waitForEvent('download')
  await page.getByText('Télécharger le document OpenAPI').first().click()
  expect((await download).suggestedFilename()).toMatch(/\.(json|yaml)$/)
  expect(errors).toEqual([])
})
